// The wooden bodies on which signs stand: one pointing up, one pointing down, light from the upper left on both.
import { svg } from '../dom.js';

/** A piece fills a box of this size. */
export const BOX = { width: 100, height: 110 };

const OUTLINE = {
  up: 'M50 5 L78.5 17.5 Q80.5 18.5 80.9 21 L91.6 96 Q92 100 88 100 H12 Q8 100 8.4 96 L19.1 21 Q19.5 18.5 21.5 17.5 Z',
  down: 'M50 105 L21.5 92.5 Q19.5 91.5 19.1 89 L8.4 14 Q8 10 12 10 H88 Q92 10 91.6 14 L80.9 89 Q80.5 91.5 78.5 92.5 Z',
};
const GLINT = {
  up: 'M10.6 96 L21.2 20.6 L50 8 L76 19.4',
  down: 'M21.4 88 L11 14.4 Q10.8 12.2 13 12.2 H87',
};

/** @param {'up' | 'down'} way @param {'wood' | 'ice'} stuff */
function body(way, stuff) {
  return svg(
    'symbol',
    { id: `body-${stuff}-${way}`, viewBox: '0 0 100 110', overflow: 'visible' },
    svg('path', { class: 'body-shadow', d: OUTLINE[way], transform: 'translate(2.5 6.5)' }),
    svg('path', { class: `body-edge ${stuff}`, d: OUTLINE[way], transform: 'translate(0 4)' }),
    svg('path', { class: `body-face ${stuff}`, d: OUTLINE[way] }),
    svg('path', { class: 'body-glint', d: GLINT[way] }),
  );
}

/** @param {string} id @param {[string, string][]} stops @param {Record<string, number>} [line] */
function gradient(id, stops, line = { x1: 0, y1: 0, x2: 0.75, y2: 1 }) {
  return svg('linearGradient', { id, ...line }, ...stops.map(([offset, name]) => svg('stop', { offset, class: `stop-${name}` })));
}

/** @param {0 | 1} value */
function stone(value) {
  return svg(
    'symbol',
    { id: `stone-${value}`, viewBox: '0 0 100 100', overflow: 'visible' },
    svg('circle', { class: 'body-shadow', cx: 52.5, cy: 56, r: 44 }),
    svg('circle', { class: `stone-face stone-${value}`, cx: 50, cy: 50, r: 44 }),
  );
}

/** What every board refers to. */
export function bodies() {
  return [
    gradient('face-wood', [['0', 'piece-hi'], ['0.5', 'piece'], ['1', 'piece-lo']]),
    gradient('face-ice', [['0', 'ice-hi'], ['0.55', 'ice'], ['1', 'ice-lo']]),
    gradient('kaya', [['0', 'kaya-hi'], ['1', 'kaya-lo']], { x1: 0, y1: 0, x2: 0.4, y2: 1 }),
    svg('radialGradient', { id: 'face-stone-1', cx: 0.36, cy: 0.3, r: 0.8 }, svg('stop', { offset: '0', class: 'stop-black-hi' }), svg('stop', { offset: '1', class: 'stop-black-lo' })),
    svg('radialGradient', { id: 'face-stone-0', cx: 0.36, cy: 0.3, r: 0.8 }, svg('stop', { offset: '0', class: 'stop-white-hi' }), svg('stop', { offset: '1', class: 'stop-white-lo' })),
    body('up', 'wood'),
    body('down', 'wood'),
    body('up', 'ice'),
    body('down', 'ice'),
    stone(0),
    stone(1),
  ];
}
