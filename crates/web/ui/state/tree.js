// The moves of a board as a tree, as far as this tab knows it.

/**
 * @typedef {object} TreeNode
 * @property {number} id
 * @property {number | null} parent
 * @property {number} ply
 * @property {string} move
 * @property {{ ja: string, en: string }} say
 * @property {number | null} [time] seconds
 * @property {number | null} [value] for Black, in hundredths of a pawn
 * @property {number | null} [mate] plies for Black; negative: Black is mated
 * @property {string} [comment]
 * @property {0 | 1 | null} [side] who moved
 * @property {string | null} [ending]
 * @property {import('../protocol').NamedMove | null} [best]
 * @property {string[]} [marks]
 * @property {number[]} children
 */

export class Tree {
  constructor() {
    /** @type {Map<number, TreeNode>} */
    this.nodes = new Map();
    this.root = 0;
  }

  /** @param {number | null | undefined} id */
  get(id) {
    return id === null || id === undefined ? undefined : this.nodes.get(id);
  }

  /** @param {TreeNode} node */
  put(node) {
    this.nodes.set(node.id, node);
    if (node.parent === null) this.root = node.id;
  }

  /** From the first move to a node. @param {number} id @returns {TreeNode[]} */
  pathTo(id) {
    const path = [];
    for (let node = this.get(id); node && node.parent !== null; node = this.get(node.parent)) path.push(node);
    return path.reverse();
  }

  /**
   * From the root through a node to the end of its first continuation.
   * @param {number} id
   * @param {Map<number, number>} [remembered] node → the child that was visited last
   * @returns {TreeNode[]}
   */
  lineThrough(id, remembered) {
    const start = this.get(this.root);
    const line = start ? [start, ...this.pathTo(id)] : [];
    let node = line.at(-1);
    while (node && node.children.length > 0) {
      const wished = remembered?.get(node.id);
      node = this.get(wished !== undefined && node.children.includes(wished) ? wished : node.children[0]);
      if (node) line.push(node);
    }
    return line;
  }

  /** The moves that were tried instead, itself included. @param {number} id @returns {number[]} */
  siblings(id) {
    const parent = this.get(this.get(id)?.parent);
    return parent ? parent.children : [id];
  }

  /** Whether the node lies on the main line. @param {number} id */
  onMainLine(id) {
    for (let node = this.get(id); node && node.parent !== null; node = this.get(node.parent)) {
      if (this.get(node.parent)?.children[0] !== node.id) return false;
    }
    return true;
  }

  /**
   * All nodes as rows: after a move of a line come the branches beside it, indented, then the line goes on.
   * @returns {{ node: TreeNode, depth: number }[]}
   */
  rows() {
    /** @type {{ node: TreeNode, depth: number }[]} */
    const rows = [];
    /** @type {{ id: number, depth: number, alone: boolean }[]} */
    const waiting = [];
    const root = this.get(this.root);
    if (!root) return rows;
    const pushChildren = (/** @type {TreeNode} */ node, /** @type {number} */ depth) => {
      const [first, ...others] = node.children;
      if (first === undefined) return;
      waiting.push({ id: first, depth, alone: others.length === 0 });
    };
    pushChildren(root, 0);
    while (waiting.length > 0) {
      const { id, depth, alone } = /** @type {{ id: number, depth: number, alone: boolean }} */ (waiting.pop());
      const node = this.get(id);
      if (!node) continue;
      rows.push({ node, depth });
      pushChildren(node, depth);
      if (alone) continue;
      const parent = this.get(node.parent);
      if (!parent || parent.children[0] !== id) continue;
      for (const other of parent.children.slice(1).reverse()) waiting.push({ id: other, depth: depth + 1, alone: true });
    }
    return rows;
  }
}
