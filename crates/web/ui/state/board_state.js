// One board as this tab knows it: its record, where the tab looks, what the engines say. Follows the server's changes.
import { Tree } from './tree.js';
import { viewScene } from './scene.js';

/**
 * @typedef {import('../protocol').Snapshot} Snapshot
 * @typedef {import('../protocol').Change} Change
 * @typedef {import('../protocol').TreeNode} ServerNode
 * @typedef {import('../protocol').PlayState} PlayState
 * @typedef {import('../protocol').Analysis} Analysis
 * @typedef {import('./scene.js').Scene} Scene
 * @typedef {'tree' | 'scene' | 'play' | 'clock' | 'header' | 'analysis' | 'engine' | 'history' | 'tsume' | 'report' | 'progress' | 'gone'} Topic
 */

/** Scenes that are kept. */
const SCENES = 300;

/** @param {ServerNode} node @returns {import('./tree.js').TreeNode} */
function toNode(node) {
  const score = node.eval?.score;
  return {
    id: node.id, parent: node.parent ?? null, ply: node.ply, move: node.move ?? '', say: { ja: sign(node) + (node.ja ?? ''), en: node.en ?? '' },
    side: node.side === 'white' ? 1 : node.side === 'black' ? 0 : null, ending: node.ending ?? null, comment: node.comment ?? '', time: typeof node.time === 'number' ? node.time / 1000 : null,
    value: score && 'cp' in score ? score.cp : null, mate: score && 'mate' in score ? score.mate : null, best: node.eval?.best ?? null, marks: node.marks ?? [], children: [],
  };
}

/** @param {ServerNode} node */
const sign = (node) => (node.side === 'black' ? '▲' : node.side === 'white' ? '△' : '');

export class BoardState {
  /** @param {import('../port.js').Port} port @param {string} id */
  constructor(port, id) {
    this.port = port;
    this.id = id;
    this.tree = new Tree();
    this.rev = 0;
    /** Counts changes of the tree, for those who keep something made from it. */
    this.version = 0;
    this.cursor = 0;
    /** @type {Scene | null} */
    this.scene = null;
    /** @type {import('./scene.js').Rules | null} */
    this.rules = null;
    /** @type {[string, string][]} */
    this.header = [];
    /** @type {PlayState | null} */
    this.play = null;
    this.clockRead = 0;
    this.canUndo = false;
    this.canRedo = false;
    /** What each engine said last. @type {Map<string, Analysis>} */
    this.analyses = new Map();
    /** Engines that this tab has set to work, with their lines. @type {Map<string, number>} */
    this.engines = new Map();
    /** @type {Map<string, import('../protocol').EngineStatus>} */
    this.engineStates = new Map();
    /** @type {import('../protocol').GameAnalysis | null} */
    this.progress = null;
    /** @type {import('../protocol').TsumeResult | null} */
    this.tsume = null;
    /** @type {import('../protocol').TsumeReport | null} */
    this.report = null;
    /** The child that was visited last, by parent. @type {Map<number, number>} */
    this.visited = new Map();
    /** @type {Map<number, import('../protocol').Scene>} */
    this.scenes = new Map();
    /** @type {Map<Topic, Set<() => void>>} */
    this.listeners = new Map();
    this.wanted = 0;
    this.asking = false;
    /** A move of this page in a game is on its way: its answer shows where the game is. */
    this.moving = false;
    this.following = false;
    this.stops = [port.onEvent((event) => this.hear(event)), port.onState((connected) => void (connected && this.subscribe().catch(() => this.emit('gone'))))];
  }

  /** @param {Topic | Topic[]} topics @param {() => void} listener */
  on(topics, listener) {
    for (const topic of [topics].flat()) {
      const set = this.listeners.get(topic) ?? new Set();
      set.add(listener);
      this.listeners.set(topic, set);
    }
  }

  /** @param {Topic} topic */
  emit(topic) {
    if (topic === 'tree') this.version++;
    for (const listener of this.listeners.get(topic) ?? []) listener();
  }

  /** Loads the board and looks at a node: the given one, where a game is, or the end of a short record. @param {number} [node] */
  async open(node) {
    await this.subscribe();
    const wished = node !== undefined && this.tree.get(node) ? node : (this.play?.node ?? this.tree.root);
    await this.goTo(wished);
  }

  leave() {
    for (const stop of this.stops) stop();
    for (const engine of this.engines.keys()) this.port.ask('analyse', { board: this.id, on: false, engine }).catch(() => {});
    this.port.ask('unsubscribe', { board: this.id }).catch(() => {});
    this.listeners.clear();
  }

  async subscribe() {
    const answer = await this.port.ask('subscribe', { board: this.id, rev: this.rev || null });
    if (answer.all) this.load(answer.all);
    for (const change of answer.changes ?? []) this.apply(change);
    this.rev = answer.rev;
    if (this.scene) {
      // After a broken connection: what the tab was doing goes on.
      if (!this.tree.get(this.cursor)) this.cursor = this.tree.root;
      void this.goTo(this.cursor);
      for (const engine of this.engines.keys()) this.sendAnalyse(engine);
      if (this.following) void this.follow(true);
    }
  }

  /** @param {Snapshot} all */
  load(all) {
    this.rev = all.rev;
    this.rules = all.rules;
    this.start = all.start;
    this.header = all.header;
    this.canUndo = all.can_undo;
    this.canRedo = all.can_redo;
    this.tree = new Tree();
    this.scenes.clear();
    for (const server of all.nodes) {
      const node = toNode(server);
      this.tree.put(node);
      this.tree.get(node.parent)?.children.push(node.id);
    }
    this.setPlay(all.play ?? null);
    for (const topic of /** @type {Topic[]} */ (['tree', 'header', 'history'])) this.emit(topic);
  }

  /** @param {Change} change */
  apply(change) {
    if (change.change === 'put') {
      for (const server of change.nodes) {
        const node = toNode(server);
        const old = this.tree.get(node.id);
        node.children = old?.children ?? [];
        this.tree.put(node);
        const parent = this.tree.get(node.parent);
        if (!old && parent && !parent.children.includes(node.id)) parent.children.push(node.id);
      }
      this.emit('tree');
    } else if (change.change === 'children') {
      const node = this.tree.get(change.node);
      if (node) {
        for (const gone of node.children.filter((child) => !change.children.includes(child))) this.forget(gone);
        node.children = change.children;
      }
      if (!this.tree.get(this.cursor)) void this.goTo(change.node);
      this.emit('tree');
    } else if (change.change === 'header') {
      this.header = change.header;
      this.emit('header');
    } else if (change.change === 'play') this.setPlay(change.play ?? null);
    else if (change.change === 'history') {
      this.canUndo = change.can_undo;
      this.canRedo = change.can_redo;
      this.emit('history');
    } else if (change.change === 'all') {
      this.load(change.board);
      if (!this.tree.get(this.cursor)) this.cursor = this.tree.root;
      this.scene = null;
      void this.goTo(this.cursor);
    }
  }

  /** @param {number} id */
  forget(id) {
    const waiting = [id];
    for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
      waiting.push(...(this.tree.get(next)?.children ?? []));
      this.tree.nodes.delete(next);
      this.scenes.delete(next);
    }
  }

  /** @param {PlayState | null} play */
  setPlay(play) {
    const before = this.play;
    this.play = play;
    this.clockRead = performance.now();
    this.emit('play');
    // Who watches the game goes along with it.
    if (play && before && before.node === this.cursor && play.node !== this.cursor && !this.moving) void this.goTo(play.node);
  }

  /** @param {import('../port.js').ServerEvent} event */
  hear(event) {
    if (event.board !== this.id) return;
    switch (event.event) {
      case 'changed':
        if ((event.rev ?? 0) <= this.rev) return;
        for (const change of event.changes) this.apply(change);
        this.rev = event.rev ?? this.rev;
        break;
      case 'cursor':
        if (this.following && this.tree.get(event.node)) void this.goTo(event.node);
        break;
      case 'clock':
        if (this.play) this.play.clocks = event.clocks;
        this.clockRead = performance.now();
        this.emit('clock');
        break;
      case 'analysis':
        this.analyses.set(event.engine, /** @type {any} */ (event));
        this.emit('analysis');
        break;
      case 'engine':
        this.engineStates.set(event.engine, /** @type {any} */ (event));
        this.emit('engine');
        break;
      case 'game_analysis':
        this.progress = event.finished ? null : /** @type {any} */ (event);
        this.emit('progress');
        break;
      case 'tsume':
        this.tsume = /** @type {any} */ (event);
        this.emit('tsume');
        break;
      case 'tsume_report':
        this.report = /** @type {any} */ (event);
        this.emit('report');
        break;
    }
  }

  /** Looks at a node. While an answer is awaited only the newest wish is kept. @param {number} id */
  async goTo(id) {
    this.cursor = id;
    this.wanted = id;
    const node = this.tree.get(id);
    if (node?.parent !== null && node) this.visited.set(/** @type {number} */ (node.parent), id);
    const kept = this.scenes.get(id);
    if (kept) this.setScene(kept);
    if (this.asking) return;
    this.asking = true;
    try {
      while (true) {
        const asked = this.wanted;
        const scene = await this.port.ask('go_to', { board: this.id, node: asked });
        this.keep(scene);
        if (asked === this.cursor) this.setScene(scene);
        if (asked === this.wanted) break;
      }
    } catch {
      // The connection broke, or another tab removed the node: subscribing again settles both.
    } finally {
      this.asking = false;
    }
    this.follow_engines();
  }

  /** @param {import('../protocol').Scene} scene */
  keep(scene) {
    this.scenes.delete(scene.node);
    this.scenes.set(scene.node, scene);
    if (this.scenes.size > SCENES) this.scenes.delete(/** @type {number} */ (this.scenes.keys().next().value));
  }

  /** @param {import('../protocol').Scene} server */
  setScene(server) {
    if (!this.rules) return;
    const node = this.tree.get(server.node);
    const scene = viewScene(server, this.rules, node?.say);
    if (scene.ways && node?.move) scene.lastWay = node.move[0];
    this.scene = scene;
    this.emit('scene');
  }

  follow_engines() {
    for (const engine of this.engines.keys()) {
      if (this.analyses.get(engine)?.node !== this.cursor) this.sendAnalyse(engine);
    }
  }

  /** @param {string} engine */
  sendAnalyse(engine) {
    const lines = this.engines.get(engine);
    const ending = this.tree.get(this.cursor)?.ending;
    const node = ending ? this.tree.get(this.cursor)?.parent : this.cursor;
    this.port.ask('analyse', { board: this.id, on: true, engine, lines, node }).catch((error) => {
      if (error.code === 'disconnected') return;
      this.engineStates.set(engine, { board: this.id, engine, state: 'failed', text: error.message });
      this.emit('engine');
    });
  }

  /** @param {string} engine @param {number} lines 0 stops it */
  analyse(engine, lines) {
    if (lines > 0) {
      this.engines.set(engine, lines);
      this.sendAnalyse(engine);
    } else {
      this.engines.delete(engine);
      this.port.ask('analyse', { board: this.id, on: false, engine }).catch(() => {});
    }
    this.emit('engine');
  }

  /** @param {boolean} on */
  async follow(on) {
    this.following = on;
    await this.port.ask('follow', { board: this.id, on }).catch(() => {});
  }

  /** Plays a move where the tab looks. @param {string} move */
  async move(move) {
    const from = this.cursor;
    this.moving = this.play?.node === from;
    const playing = this.moving;
    let answer;
    try {
      answer = await this.port.ask('play', { board: this.id, node: from, move });
    } finally {
      this.moving = false;
    }
    this.arrive(answer);
    // The opponent may have moved before the answer came.
    const now = this.play?.node;
    if (playing && now !== undefined && ![from, answer.node].includes(now)) void this.goTo(now);
    return answer;
  }

  /** @param {string[]} moves @param {number} [node] */
  async addLine(moves, node = this.cursor) {
    return this.port.ask('add_line', { board: this.id, node, moves });
  }

  /** @param {{ node: number, scene: import('../protocol').Scene }} answer */
  arrive({ node, scene }) {
    const from = this.cursor;
    this.cursor = node;
    this.wanted = node;
    this.visited.set(from, node);
    this.keep(scene);
    this.setScene(scene);
    this.follow_engines();
  }

  /** The line that the lists and the graph show. */
  line() {
    return this.tree.lineThrough(this.cursor, this.visited);
  }

  /** @param {number} step */
  step(step) {
    const line = this.line();
    const at = line.findIndex((node) => node.id === this.cursor);
    const next = line[Math.min(line.length - 1, Math.max(0, at + step))];
    if (next && next.id !== this.cursor) void this.goTo(next.id);
  }

  /** Changes to the branch before or after. @param {number} step */
  branch(step) {
    const siblings = this.tree.siblings(this.cursor);
    const next = siblings[siblings.indexOf(this.cursor) + step];
    if (next !== undefined && next !== this.cursor) void this.goTo(next);
  }

  /** To the next or former node with branches. @param {number} step */
  fork(step) {
    const line = this.line();
    let at = line.findIndex((node) => node.id === this.cursor) + step;
    while (at > 0 && at < line.length - 1 && line[at].children.length < 2) at += step;
    const next = line[Math.min(line.length - 1, Math.max(0, at))];
    if (next && next.id !== this.cursor) void this.goTo(next.id);
  }

  /** The value at the cursor: what an engine says now, or the node's own. */
  value() {
    for (const [engine] of this.engines) {
      const analysis = this.analyses.get(engine);
      const score = analysis?.node === this.cursor ? analysis.lines[0]?.score : null;
      if (score) return scoreOf(score);
    }
    const node = this.tree.get(this.cursor);
    return node && (node.value !== null || node.mate !== null) ? { value: node.value, mate: node.mate } : null;
  }
}

/** @param {import('../protocol').Value | null | undefined} score @returns {import('./values.js').Valued} */
export const scoreOf = (score) => ({ value: score && 'cp' in score ? score.cp : null, mate: score && 'mate' in score ? score.mate : null });
