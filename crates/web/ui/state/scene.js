// Scenes of the server as the board draws them: kinds of pieces with their pictures, legal moves one by one.

/**
 * @typedef {import('../protocol').Scene} ServerScene
 * @typedef {import('../protocol').Rules} Rules
 * @typedef {import('../protocol').PieceFace} PieceFace
 * @typedef {import('../protocol').Words} Words
 * @typedef {import('../pieces/piece.js').PieceLook} PieceLook
 * @typedef {{ from: string, to: string, play?: string }} LegalMove
 * @typedef {object} Scene
 * @property {number} node
 * @property {number} files
 * @property {number} ranks
 * @property {(PieceLook | null)[]} cells
 * @property {[import('../board/hand.js').Held[], import('../board/hand.js').Held[]]} hands
 * @property {0 | 1} side
 * @property {number} ply moves that have been played, as the position counts
 * @property {LegalMove[]} legal
 * @property {string[]} last from, to
 * @property {string | null} check
 * @property {Words} say the last move as the headline shows it
 * @property {Words} spoken
 * @property {string} text
 * @property {boolean} declare
 * @property {{ winner: 0 | 1 | null, reason: string, text: Words } | null} outcome
 * @property {{ kind: string | null, left: [number, number] } | null} freeze
 * @property {{ placed: [number, number], total: [number, number], lit: string[], groups: import('../protocol').GroupScene[], locked: [string[], string[]] } | null} setup
 * @property {[number, number] | null} checks
 * @property {import('../board/ways.js').Way[] | null} ways
 * @property {import('../board/ways.js').Target[] | null} targets
 * @property {string | null} lastWay
 */

/** @param {import('../protocol').Side} side @returns {0 | 1} */
export const sideIndex = (side) => (side === 'black' ? 0 : 1);

/** @type {Map<string, Map<string, PieceLook>>} */
const faces = new Map();

/** The picture of each kind of a game, for Black. @param {Rules} rules */
export function facesOf(rules) {
  const known = faces.get(rules.game.game);
  if (known) return known;
  /** @type {Map<string, PieceLook>} */
  const map = new Map();
  for (const face of rules.palette.pieces) {
    map.set(face.kind, {
      kind: face.kind.replace('+', ''), key: face.kind, side: 0, promoted: face.promoted, glyph: face.glyph ?? face.letter, two: face.glyph2 ?? undefined, letter: face.letter, name: face.name,
      steps: face.moves.map((step) => [step.right, -step.forward, step.range === 1 ? 0 : 1]),
    });
  }
  faces.set(rules.game.game, map);
  return map;
}

/** @param {Rules} rules @param {string} kind @param {0 | 1} side @returns {PieceLook} */
export function pieceOf(rules, kind, side) {
  const face = facesOf(rules).get(kind);
  return face ? { ...face, side } : { kind, key: kind, side, glyph: kind, letter: kind };
}

/**
 * @param {ServerScene} scene
 * @param {Rules} rules
 * @param {Words} [say]
 * @returns {Scene}
 */
export function viewScene(scene, rules, say = { ja: '', en: '' }) {
  const side = sideIndex(scene.side);
  const legal = scene.legal.flatMap((origin) => origin.to.map((target) => ({ from: origin.from, to: target.to, play: target.play ?? undefined })));
  const setup = scene.setup;
  const placing = setup?.placing.some(Boolean) ?? false;
  const [to, from] = scene.last;
  return {
    node: scene.node,
    files: scene.files.length,
    ranks: scene.ranks.length,
    cells: scene.cells.map((cell) => {
      if (!cell) return null;
      const piece = pieceOf(rules, cell.kind, sideIndex(cell.side));
      return { ...piece, promoted: cell.promoted, frozen: cell.frozen };
    }),
    hands: /** @type {Scene['hands']} */ (scene.hands.map((held, owner) =>
      held.map((piece) => ({ ...pieceOf(rules, piece.kind, owner === 0 ? 0 : 1), count: piece.count, locked: piece.locked, frozen: piece.frozen })))),
    side,
    ply: Math.max(0, scene.ply - 1),
    legal,
    last: scene.ways ? [] : from === undefined ? (to === undefined ? [] : [to]) : [from, to],
    check: scene.check[0] ?? null,
    say,
    spoken: scene.say,
    text: scene.text,
    declare: scene.declare,
    outcome: scene.outcome ? { winner: scene.outcome.winner ? sideIndex(scene.outcome.winner) : null, reason: scene.outcome.reason, text: scene.outcome.say } : null,
    freeze: scene.freeze ? { kind: scene.freeze.kind ?? null, left: scene.freeze.left } : null,
    setup: setup && placing ? { placed: setup.placed, total: setup.total, lit: [...new Set(legal.map((move) => move.to))], groups: setup.groups, locked: setup.locked } : null,
    checks: scene.checks ?? null,
    ways: scene.ways?.map((way) => ({ way: way.way, locked: way.locked, fresh: way.empty, moves: way.moves, inputs: way.inputs })) ?? null,
    targets: scene.targets?.map((target) => ({ id: target.target, name: target.name, side: sideIndex(target.side), length: target.length, shape: target.shape, lit: target.lit !== null && target.lit !== undefined, ply: target.lit ?? null })) ?? null,
    lastWay: null,
  };
}
