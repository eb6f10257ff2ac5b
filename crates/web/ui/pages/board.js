// The page of a board: analysing a record, or playing a game on it.
import { endChoice, chooseMove } from '../board/move_choice.js';
import { Table } from '../board/table.js';
import { iconButton, splitter, toolButton } from '../controls.js';
import { tell, tellError } from '../dialogs/dialog.js';
import { html, fill } from '../dom.js';
import { pick, t } from '../i18n/i18n.js';
import { CommentPane } from '../panes/comment.js';
import { BookPane } from '../panes/book.js';
import { EnginePane } from '../panes/engine.js';
import { GamesPane } from '../panes/games.js';
import { GraphPane } from '../panes/graph.js';
import { InfoPane } from '../panes/info.js';
import { LinePreview } from '../panes/line_preview.js';
import { MovesPane } from '../panes/moves.js';
import { PlayPane } from '../panes/play.js';
import { SetupPane } from '../panes/setup.js';
import { Tabs } from '../panes/tabs.js';
import { TsumePane } from '../panes/tsume.js';
import { BoardState, scoreOf } from '../state/board_state.js';
import { pieceOf, viewScene } from '../state/scene.js';
import { changeSettings, onSettings, settings } from '../state/settings.js';
import { scoreText } from '../state/values.js';
import { boardKeys } from './board_keys.js';
import { branchMenu, pasteText, pasteDialog, shareDialog, typeMove } from './board_actions.js';

/** Squares of a move as USI writes it; a drop has one. @param {string} move */
export function squaresOfMove(move) {
  const board = /^(\d+[a-l])(\d+[a-l])/.exec(move);
  if (board) return { from: board[1], to: board[2] };
  const drop = /\*(\d+[a-l])/.exec(move);
  return drop ? { from: drop[1], to: drop[1] } : null;
}

export class BoardPage {
  /** @param {import('../app.js').App} app @param {BoardState} state @param {URLSearchParams} query */
  constructor(app, state, query) {
    this.app = app;
    this.state = state;
    this.nav = 'board';
    this.game = state.rules?.game.game;
    this.freezePlace = html('div', { class: 'freeze-place' });
    this.table = new Table({
      onMove: (move) => void this.tryMove(move),
      onWay: (move) => void this.play(move),
      expandWay: (way) => this.expandWay(way),
      onArrow: (from, to) => this.drawArrow(from, to),
      onSelect: (from) => this.setup?.choose(from),
    });
    /** Arrows and circles that a person drew, by node. @type {Map<number, Set<string>>} */
    this.drawn = new Map();
    /** @type {number | null} */
    this.hovered = null;
    this.heading = html('h1', { class: 'spoken' });
    this.spoken = html('div', { class: 'spoken', 'aria-live': 'polite' });
    this.moves = new MovesPane(state, { onBranchMenu: (id) => void branchMenu(this, id) });
    this.preview = new LinePreview(state, () => this.table.flipped);
    this.engine = new EnginePane(state, app.about, {
      onHover: (line, upTo, at) => this.hover(line, upTo, at),
      onOpen: (line, upTo) => this.preview.show(line, upTo, true),
      onBranch: (line) => void this.addLine(line),
      onAnalyseGame: () => void this.analyseGame(),
    });
    this.graph = new GraphPane((id) => void state.goTo(id), () => void this.analyseGame());
    this.book = new BookPane(state, app.about.books, (move) => void this.play(move));
    this.games = new GamesPane(state, (move) => void this.play(move), (address) => void app.router.go(address));
    this.tsume = new TsumePane(state, { onPuzzle: (on) => this.element.classList.toggle('is-puzzle', on) });
    this.tsume.onPreview = (scene, say) => this.showPreview(scene, say);
    const info = new InfoPane(state);
    this.playPane = new PlayPane(state, app.about, { onHint: (best) => this.showHint(best), onAnalyse: () => this.setView('analysis'), onNewGame: () => app.router.go(`/new/${state.rules?.game.game}`) });
    this.setup = new SetupPane(state);
    const game = state.rules?.game;
    this.tabs = new Tabs(t('tabs.label'), [
      { id: 'comment', text: t('tab.comment'), element: new CommentPane(state).element },
      ...(game?.books ? [{ id: 'book', text: t('tab.book'), element: this.book.element, shown: () => void this.book.shown() }] : []),
      { id: 'games', text: t('tab.games'), element: this.games.element, shown: () => void this.games.shown() },
      ...(game?.tsume ? [{ id: 'tsume', text: t('tab.tsume'), element: this.tsume.element }] : []),
      { id: 'info', text: t('tab.info'), element: info.element },
    ], query.has('tsume') ? 'tsume' : settings.pane, (pane) => {
      changeSettings({ pane });
      this.showPane(pane);
    });
    this.element = html('div', { class: 'game' });
    this.bar = html('div', { class: 'game-bar', role: 'toolbar', 'aria-label': t('tools') });
    this.tablePlace = html('div', { class: 'table-place' }, this.table.element);
    this.below = html('div', { class: 'bottom-row' }, this.graph.element, this.tsume.strip);
    this.left = html('div', { class: 'left' });
    this.right = html('div', { class: 'right' });
    this.split = html('div', { class: 'split' });
    this.thumb = html('div', { class: 'thumb-bar phone-only' });
    this.rows = splitter('rows', t('splitter'), { value: () => settings.rows, low: 120, high: 420, change: (value) => changeSettings({ rows: value }), share: (moved) => -moved });
    this.undo = iconButton('undo', t('undo'), () => void this.change('undo'));
    this.redo = iconButton('redo', t('redo'), () => void this.change('redo'));
    /** A hint, and the move that refutes a wrong one, by the node where they are shown. @type {{ node: number, move: string } | null} */
    this.hint = null;
    /** @type {{ node: number, move: string } | null} */
    this.refutation = null;
    this.previewing = false;
    this.lastClock = '';
    // Beside the board where it stands alone on the page, so that a choice of freezes does not shrink it; else below it.
    this.wide = matchMedia('(min-width: 1280px)');
    this.rearrange = () => this.setView(this.view);
    this.wide.addEventListener('change', this.rearrange);
    this.build();
    /** @type {'play' | 'analysis'} */
    this.view = state.play && !state.play.over ? 'play' : 'analysis';
    this.setView(this.view);
    state.on('scene', () => this.show());
    state.on(['tree', 'history'], () => this.showRecord());
    state.on(['play', 'clock'], () => this.showPlayers());
    state.on(['analysis', 'engine'], () => this.showAnalysis());
    state.on('gone', () => {
      tell(t('board.gone'), 'bad');
      void app.router.go('/');
    });
    this.stopSettings = onSettings((changed) => {
      this.showRecord();
      this.showAnalysis();
      if ('columns' in changed || 'rows' in changed) this.applySizes();
    });
    this.clock = setInterval(() => this.tick(), 200);
    if (state.play?.sides[1].kind === 'human' && state.play.sides[0].kind === 'engine') this.table.flip(true);
    this.show(false);
    this.showRecord();
    if (query.has('puzzle')) this.tsume.setPuzzle(true);
    else if (query.has('tsume')) this.tsume.solve();
  }

  get title() {
    const header = new Map(this.state.header);
    const players = [header.get('先手') ?? header.get('下手'), header.get('後手') ?? header.get('上手')].filter(Boolean);
    return header.get('棋戦') || players.join(' – ') || pick(this.state.rules?.game.name);
  }

  build() {
    this.showPane(this.tabs.chosen ?? '');
    fill(this.bar,
      this.undo, this.redo, toolButton('flip', t('flip'), t('tool.flip'), () => this.table.flip(), { data: { action: 'flip' } }),
      toolButton('paste', t('paste'), t('paste'), () => void pasteDialog(this), { data: { action: 'paste' } }), toolButton('share', t('share'), t('tool.share'), () => void shareDialog(this), { data: { action: 'share' } }),
      toolButton('edit', t('nav.editor'), t('tool.edit'), () => void this.app.router.go(`/b/${this.state.id}/edit`), { data: { action: 'edit' } }),
      this.state.rules?.game.tsume && toolButton('star', t('tab.tsume'), t('tab.tsume'), () => this.openTab('tsume'), { data: { action: 'tsume' } }));
    const columns = splitter('columns', t('splitter'), { value: () => settings.columns, low: 40, high: 70, change: (value) => changeSettings({ columns: value }), share: (moved) => (100 * moved) / this.element.clientWidth });
    columns.classList.add('columns-splitter');
    this.rows.classList.add('rows-splitter');
    const step = (/** @type {string} */ name, /** @type {string} */ label, /** @type {() => void} */ go) => iconButton(name, label, go);
    fill(this.thumb,
      step('first', t('step.first'), () => void this.state.goTo(this.state.tree.root)), step('previous', t('step.previous'), () => this.state.step(-1)),
      step('next', t('step.next'), () => this.state.step(1)), step('last', t('step.last'), () => this.state.step(1e9)), step('play', t('engine.title'), () => this.engine.toggle()));
    fill(this.element, this.heading, this.left, columns, this.right, this.preview.element, this.spoken);
    this.applySizes();
  }

  /** The page gives a pane the room that it needs. @param {string} pane */
  showPane(pane) {
    for (const name of ['tsume', 'book', 'games']) this.element?.classList.toggle(`is-${name}`, pane === name);
  }

  applySizes() {
    this.element.style.setProperty('--share', String(settings.columns));
    this.element.style.setProperty('--graph', String(settings.rows));
  }

  /** @param {'play' | 'analysis'} view */
  setView(view) {
    this.view = view;
    const playing = view === 'play';
    this.nav = playing ? 'play' : this.tabs.chosen === 'tsume' ? 'tsume' : 'board';
    this.app.drawHeader();
    const binarsi = Boolean(this.state.scene?.ways);
    const wide = this.wide.matches;
    this.element.classList.toggle('is-play', playing);
    this.element.classList.toggle('is-binarsi', binarsi);
    if (playing) {
      fill(this.split, this.moves.element);
      fill(this.right, this.bar, binarsi && this.table.ways?.panel, this.playPane.element, wide && this.freezePlace, this.setup.element, this.split);
      fill(this.left, this.tablePlace, !wide && this.freezePlace, this.table.lamps);
    } else {
      fill(this.split, this.moves.element, this.tabs.element);
      fill(this.right, this.bar, binarsi && this.table.ways?.panel, this.playPane.banner, this.engine.element, wide && this.freezePlace, this.setup.element, this.split, this.thumb);
      fill(this.left, this.tablePlace, !wide && this.freezePlace, this.table.lamps, this.rows, this.below);
    }
    this.showRecord();
    this.showPlayers();
    this.showAnalysis();
  }

  /** May a person move at the cursor? */
  canMove() {
    const { play, cursor, scene } = this.state;
    if (!scene || this.state.tree.get(cursor)?.ending) return false;
    if (this.view === 'analysis' || !play || play.over) return !scene.outcome || this.view === 'analysis';
    return play.node === cursor && play.sides[scene.side].kind === 'human' && !scene.outcome;
  }

  show(animate = true) {
    const { state } = this;
    const scene = state.scene;
    if (!scene) return;
    endChoice();
    this.previewing = false;
    const stepped = this.shownPly === undefined || Math.abs(scene.ply - this.shownPly) <= 1;
    const forwards = this.shownPly !== undefined && scene.ply === this.shownPly + 1;
    this.table.show(scene, { animate: animate && stepped && forwards, active: this.canMove() });
    if (this.table.ways && !this.table.ways.panel.isConnected) this.setView(this.view);
    this.shownPly = scene.ply;
    this.hovered = null;
    this.preview.close(false);
    this.spoken.textContent = pick(scene.spoken);
    this.setup.show();
    this.showRecord();
    this.showPlayers();
    this.showAnalysis();
    this.element.dataset.node = String(scene.node);
    this.element.dataset.ply = String(scene.ply);
    this.element.dataset.outcome = scene.outcome?.reason ?? '';
  }

  /** A position that is not in the record. @param {import('../protocol').Scene} server @param {import('../protocol').Words} [say] the move that led there */
  showPreview(server, say = { ja: '', en: '' }) {
    if (!this.state.rules) return;
    this.previewing = true;
    this.table.show(viewScene(server, this.state.rules, say), { animate: false, active: false });
  }

  showRecord() {
    const { state } = this;
    this.moves.show();
    const line = state.line();
    this.graph.show(line, Math.max(0, line.findIndex((node) => node.id === state.cursor)), state.version);
    this.undo.disabled = !state.canUndo;
    this.redo.disabled = !state.canRedo;
    this.app.setTitle(this.title);
    this.heading.textContent = this.title;
  }

  showPlayers() {
    const { state } = this;
    const header = new Map(state.header);
    const names = [header.get('先手') ?? header.get('下手') ?? '', header.get('後手') ?? header.get('上手') ?? ''];
    const play = state.play;
    this.playPane.show();
    this.table.setPlayers(/** @type {[any, any]} */ ([0, 1].map((side) => {
      if (!play || (play.over && this.view === 'analysis')) return { name: names[side] };
      const player = play.sides[side];
      const name = player.kind === 'engine' ? this.playPane.engineName(player) : names[side] || t('play.human');
      return { name, ...this.clockOf(side), note: player.kind === 'engine' && play.thinking && state.scene?.side === side ? t('play.thinking') : '' };
    })));
    // The person may move as soon as the engine has moved.
    if (this.table.active !== this.canMove() && state.scene && !this.previewing) this.table.show(state.scene, { animate: false, active: this.canMove() });
  }

  /** What a clock shows now. @param {number} side */
  clockOf(side) {
    const play = this.state.play;
    if (!play?.clocks.limited) return { clock: null };
    const passed = play.clocks.running === (side === 0 ? 'black' : 'white') && !play.over ? performance.now() - this.state.clockRead : 0;
    const main = play.clocks.main[side] - passed;
    const left = main > 0 ? main : play.clocks.byoyomi[side] + Math.min(0, main);
    return { clock: Math.max(0, Math.ceil(left / 1000)), low: main <= 0 && left < 10500 };
  }

  tick() {
    const play = this.state.play;
    if (!play || play.over || !play.clocks.limited || !play.clocks.running) return;
    const now = [0, 1].map((side) => this.clockOf(side).clock).join();
    if (now === this.lastClock) return;
    this.lastClock = now;
    this.showPlayers();
  }

  showAnalysis() {
    const analysing = this.view === 'analysis';
    this.table.showValue(analysing ? this.state.value() : null, analysing);
    this.showArrows();
  }

  showArrows() {
    const board = this.table.board;
    if (!board || this.previewing) return;
    /** @type {import('../board/arrows.js').ArrowLook[]} */
    const arrows = [];
    const add = (/** @type {string} */ move, /** @type {Partial<import('../board/arrows.js').ArrowLook>} */ look) => {
      const squares = squaresOfMove(move);
      if (!squares || board.geometry.indexOf(squares.from) < 0 || board.geometry.indexOf(squares.to) < 0) return;
      const dropped = move.includes('*') && this.state.rules && this.state.scene ? pieceOf(this.state.rules, move.split('*')[0], this.state.scene.side) : undefined;
      arrows.push({ from: board.centre(squares.from), to: board.centre(squares.to), rank: 1, dropped, ...look });
    };
    if (this.view === 'analysis' && settings.arrows) {
      for (const engine of this.state.engines.keys()) {
        const analysis = this.state.analyses.get(engine);
        if (analysis?.node !== this.state.cursor) continue;
        for (const line of analysis.lines.slice(0, 3)) {
          if (line.moves[0]) add(line.moves[0].move, { rank: line.rank, label: scoreText(scoreOf(line.score), t('mate.word')), faded: this.hovered !== null && this.hovered !== line.rank });
        }
      }
    }
    if (this.hint && this.hint.node === this.state.cursor) add(this.hint.move, {});
    if (this.refutation && this.refutation.node === this.state.cursor) add(this.refutation.move, { drawn: true });
    const shapes = [];
    for (const shape of this.drawn.get(this.state.cursor) ?? []) {
      const [from, to] = shape.split(' ');
      if (from === to) shapes.push(board.geometry.indexOf(from));
      else arrows.push({ from: board.centre(from), to: board.centre(to), rank: 1, drawn: true });
    }
    board.extra = { ...board.extra, shapes };
    if (shapes.length > 0 || this.hadShapes) board.mark();
    this.hadShapes = shapes.length > 0;
    board.drawing.drawArrows(arrows);
  }

  /** @param {string} from @param {string} to */
  drawArrow(from, to) {
    const set = this.drawn.get(this.state.cursor) ?? new Set();
    const shape = `${from} ${to}`;
    if (!set.delete(shape)) set.add(shape);
    this.drawn.set(this.state.cursor, set);
    this.showArrows();
  }

  /** @param {import('../protocol').PvLine | null} line @param {number} upTo @param {HTMLElement | null} at */
  hover(line, upTo, at) {
    this.hovered = line?.rank ?? null;
    this.showArrows();
    if (line && upTo > 0 && at) this.preview.show(line, upTo, false);
    else if (!line) this.preview.close(false);
  }

  /** @param {{ from: string, to: string }} base */
  async tryMove(base) {
    const rules = this.state.rules;
    if (!rules) return;
    try {
      const move = await chooseMove(this.table, rules, base, { freezePlace: this.freezePlace, expand: async (text) => (await this.state.port.ask('expand', { board: this.state.id, node: this.state.cursor, base: text })).choices });
      if (move) await this.play(move);
    } catch (error) {
      tellError(error);
    }
  }

  /** @param {string} way */
  async expandWay(way) {
    const { choices } = await this.state.port.ask('expand', { board: this.state.id, node: this.state.cursor, base: way });
    return choices.map((/** @type {import('../protocol').Choice} */ choice) => ({ op: choice.operator ?? '', move: choice.move, preview: [...(choice.preview ?? '')].map((sign) => (sign === '-' ? null : sign)), lights: choice.lights ?? [], locks: choice.locks ?? [] }));
  }

  /** @param {string} move */
  async play(move) {
    this.hint = null;
    this.refutation = null;
    try {
      const tsume = this.view === 'analysis' && this.tabs.chosen === 'tsume' && this.state.tsume?.state === 'mate';
      const attacker = tsume && (this.state.tree.get(this.state.cursor)?.ply ?? 0) % 2 === (this.state.tree.get(this.tsume.root)?.ply ?? 0) % 2;
      if (attacker) {
        const { judged, right } = await this.tsume.judge(move);
        if (!right && judged.answer) this.refutation = { node: -1, move: judged.answer.move };
        if (!right && this.tsume.puzzle) {
          await this.showRefuted(move);
          return;
        }
        await this.state.move(move);
        if (this.tsume.puzzle && judged.answer) await this.state.move(judged.answer.move);
        else if (this.refutation) {
          this.refutation.node = this.state.cursor;
          this.showArrows();
        }
        return;
      }
      await this.state.move(move);
    } catch (error) {
      if (this.state.scene) this.table.show(this.state.scene, { animate: false, active: this.canMove() });
      tellError(error);
    }
  }

  /** In a puzzle a wrong move is shown with what refutes it, then the position comes back at the next press. @param {string} move */
  async showRefuted(move) {
    const { scene } = await this.state.port.ask('preview', { board: this.state.id, node: this.state.cursor, moves: [move] });
    this.showPreview(scene);
    const squares = this.refutation ? squaresOfMove(this.refutation.move) : null;
    const board = this.table.board;
    if (squares && board) board.drawing.drawArrows([{ from: board.centre(squares.from), to: board.centre(squares.to), rank: 1, drawn: true }]);
    const back = () => {
      removeEventListener('pointerdown', back);
      removeEventListener('keydown', back);
      if (this.previewing) this.show(false);
    };
    addEventListener('pointerdown', back);
    addEventListener('keydown', back);
  }

  /** @param {import('../protocol').NamedMove} best */
  showHint(best) {
    this.hint = { node: this.state.cursor, move: best.move };
    this.showArrows();
  }

  /** @param {import('../protocol').PvLine} line */
  async addLine(line) {
    try {
      await this.state.addLine(line.moves.map((move) => move.move));
      tell(t('engine.added'));
    } catch (error) {
      tellError(error);
    }
  }

  async analyseGame() {
    try {
      // The engine leaves the position at hand: it cannot do both.
      this.state.engines.delete(this.engine.chosen);
      this.state.emit('engine');
      await this.state.port.ask('analyse_game', { board: this.state.id, on: true, node: this.state.line().at(-1)?.id, engine: this.engine.chosen, time: Math.round(1000 * settings.gameSeconds) });
    } catch (error) {
      tellError(error);
    }
  }

  /** @param {'undo' | 'redo'} verb */
  async change(verb) {
    try {
      const { node } = await this.state.port.ask(verb, { board: this.state.id });
      if (this.state.tree.get(node)) await this.state.goTo(node);
    } catch (error) {
      tellError(error);
    }
  }

  /** @param {string} id */
  openTab(id) {
    if (this.view !== 'analysis') this.setView('analysis');
    this.tabs.choose(id);
    this.tabs.element.scrollIntoView({ block: 'nearest' });
  }

  /** @param {string} name @param {KeyboardEvent} event */
  key(name, event) {
    return boardKeys(this, name, event);
  }

  /** @param {string} text */
  paste(text) {
    void pasteText(this, text);
  }

  type() {
    void typeMove(this);
  }

  leave() {
    clearInterval(this.clock);
    endChoice();
    this.stopSettings();
    this.wide.removeEventListener('change', this.rearrange);
    this.table.leave();
    this.book.leave();
    this.games.leave();
    this.state.leave();
  }
}

/** @param {import('../app.js').App} app @param {string[]} parts @param {URLSearchParams} query */
export async function boardPage(app, parts, query) {
  const state = new BoardState(app.port, parts[0]);
  try {
    await state.open(query.has('node') ? Number(query.get('node')) : undefined);
  } catch (error) {
    state.leave();
    throw error;
  }
  return new BoardPage(app, state, query);
}
