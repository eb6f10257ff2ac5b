// Keys of the board page.
import { changeSettings, settings } from '../state/settings.js';
import { copyRecord } from './board_actions.js';

/**
 * @param {import('./board.js').BoardPage} page
 * @param {string} name
 * @param {KeyboardEvent} event
 * @returns {boolean} whether the key was used
 */
export function boardKeys(page, name, event) {
  const { state } = page;
  const [back, forth, before, after] = settings.swapArrowKeys ? ['ArrowUp', 'ArrowDown', 'ArrowLeft', 'ArrowRight'] : ['ArrowLeft', 'ArrowRight', 'ArrowUp', 'ArrowDown'];
  /** @type {Record<string, () => void>} */
  const keys = {
    [back]: () => state.step(-1),
    [forth]: () => state.step(1),
    [before]: () => state.branch(-1),
    [after]: () => state.branch(1),
    Home: () => void state.goTo(state.tree.root),
    End: () => state.step(1e9),
    'Shift+ArrowLeft': () => state.fork(-1),
    'Shift+ArrowRight': () => state.fork(1),
    ' ': () => page.engine.toggle(),
    Enter: () => playBest(page),
    f: () => page.table.flip(),
    e: () => void page.app.router.go(`/b/${state.id}/edit`),
    a: () => changeSettings({ arrows: !settings.arrows }),
    b: () => page.openTab('book'),
    g: () => page.openTab('games'),
    t: () => page.openTab('tsume'),
    '/': () => page.type(),
    'Ctrl+z': () => void page.change('undo'),
    'Ctrl+y': () => void page.change('redo'),
    'Ctrl+Shift+z': () => void page.change('redo'),
    Escape: () => {
      page.preview.close();
      page.show(false);
    },
  };
  if (name === 'Ctrl+c') {
    if (String(getSelection())) return false;
    void copyRecord(page);
    return true;
  }
  const use = keys[name] ?? (event.key.length === 1 && !event.ctrlKey && !event.metaKey ? keys[name.toLowerCase()] : undefined);
  if (!use) return false;
  // While a game is played, keys do not ask an engine for its opinion.
  if (page.view === 'play' && [' ', 'Enter'].includes(name)) return false;
  use();
  return true;
}

/** Plays the best move that an engine shows. @param {import('./board.js').BoardPage} page */
function playBest(page) {
  for (const engine of page.state.engines.keys()) {
    const analysis = page.state.analyses.get(engine);
    const best = analysis?.node === page.state.cursor ? analysis.lines[0]?.moves[0] : undefined;
    if (best) {
      void page.play(best.move);
      return;
    }
  }
}
