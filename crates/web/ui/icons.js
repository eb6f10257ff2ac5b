// Line drawings of 24 × 24, in the colour of the text.
import { svg } from './dom.js';
import { OUTLINES } from './pieces/outlines.js';

/** @type {Record<string, string>} */
const PATHS = {
  first: 'M6 5v14M18 6l-7 6 7 6', previous: 'M15 5l-8 7 8 7', next: 'M9 5l8 7-8 7', last: 'M18 5v14M6 6l7 6-7 6',
  flip: 'M4 11a8 8 0 0 1 14.500-4L20 9M20 4v5h-5M20 13a8 8 0 0 1-14.500 4L4 15M4 20v-5h5', tree: 'M7 3v18M7 7c0 6 10 3 10 9v5', more: 'M5 11.500v1M12 11.500v1M19 11.500v1', plus: 'M12 5v14M5 12h14', close: 'M6 6l12 12M18 6L6 18',
  pause: 'M9 5v14M15 5v14', play: 'M7 4l13 8-13 8z', sun: 'M12 8a4 4 0 1 0 0 8 4 4 0 0 0 0-8M12 2v2M12 20v2M2 12h2M20 12h2M5 5l1.5 1.5M17.5 17.5L19 19M5 19l1.5-1.5M17.5 6.5L19 5',
  moon: 'M20 14.5A8.5 8.5 0 0 1 9.5 4 8.5 8.5 0 1 0 20 14.5z', menu: 'M4 6h16M4 12h16M4 18h16', lock: 'M6 11h12v9H6zM9 11V7a3 3 0 0 1 6 0v4',
  undo: 'M9 14L4 9l5-5M4 9h10a6 6 0 0 1 0 12h-3', redo: 'M15 14l5-5-5-5M20 9H10a6 6 0 0 0 0 12h3', flag: 'M6 21V4h12l-2 4 2 4H6', bulb: 'M9 18h6M10 21h4M8.5 15a6 6 0 1 1 7 0c-.6.6-1 1.500-1 3h-5c0-1.500-.4-2.400-1-3z',
  swap: 'M8 20V4M8 4L4 8M8 4l4 4M16 4v16M16 20l-4-4M16 20l4-4', check: 'M5 13l4 4L19 7', warn: 'M12 4L2.500 20h19zM12 10v4M12 17v.5', trash: 'M4 7h16M9 7V4h6v3M6 7l1 13h10l1-13',
  share: 'M12 15V3M8 7l4-4 4 4M5 12v8h14v-8', paste: 'M8 5H5v16h14V5h-3M9 3h6v4H9z', edit: 'M4 20h4L19 9l-4-4L4 16z', up: 'M12 19V5M6 11l6-6 6 6', star: 'M12 3l2.700 5.800 6.300.8-4.600 4.300 1.200 6.300L12 17l-5.600 3.200 1.200-6.300L3 9.600l6.300-.8z',
  gear: 'M12 9a3 3 0 1 0 0 6 3 3 0 0 0 0-6M19 12l2-1-1-4-2.300.2-1.400-1.400L17 3.500h-4L12 5h-1l-2-1.700L5.800 5 6.500 7.500 5 9.200 3 9.500v4l2.200.8.7 1.600L5 18l3 3 2.200-1.300 1.800.5L13 22h3l.8-2.400 1.500-1L20.500 19l1-3.500-2-1.300z',
  help: 'M9 9a3 3 0 1 1 4.500 2.600c-1 .6-1.500 1.200-1.500 2.400M12 18v.4', copy: 'M9 9h11v11H9zM5 15H4V4h11v1', folder: 'M3 6h6l2 2h10v11H3z', book: 'M4 5c3-1 6-1 8 1 2-2 5-2 8-1v14c-3-1-6-1-8 1-2-2-5-2-8-1zM12 6v14', arrow: 'M5 19L19 5M11 5h8v8', clock: 'M12 3a9 9 0 1 0 0 18 9 9 0 0 0 0-18M12 7v5l3 2',
};

/** @param {string} name @param {string} [style] class */
export const icon = (name, style = '') => svg('svg', { class: `icon ${style}`, viewBox: '0 0 24 24', 'aria-hidden': 'true' }, svg('path', { d: PATHS[name] ?? '' }));

/** The sign of the house: 紬, spun silk. */
export const brandSign = () =>
  svg('svg', { class: 'brand-sign', viewBox: '0 0 32 32', 'aria-hidden': 'true' },
    svg('rect', { width: 32, height: 32, rx: 8 }),
    svg('path', { d: OUTLINES['紬'][1], transform: 'translate(4.400 24.800) scale(0.0464)' }));
