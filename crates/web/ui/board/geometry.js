// Where squares lie. Columns and rows count from the upper left corner as Black sees the board.

export const RANK_LETTERS = 'abcdefghijkl';
export const RANK_KANJI = ['一', '二', '三', '四', '五', '六', '七', '八', '九', '十', '十一', '十二'];
const WIDE = '０１２３４５６７８９';

export class Geometry {
  /**
   * @param {number} files
   * @param {number} ranks
   * @param {{ square?: boolean, leftToRight?: boolean, bare?: boolean }} [options] square cells; files counted from the left (Binarsi); no room for coordinates
   */
  constructor(files, ranks, { square = false, leftToRight = false, bare = false } = {}) {
    this.files = files;
    this.ranks = ranks;
    this.leftToRight = leftToRight;
    this.cell = { width: square ? 66 : 60, height: 66 };
    this.margin = square ? { left: 12, top: 12, right: 12, bottom: 12 } : bare ? { left: 16, top: 16, right: 16, bottom: 16 } : { left: 15, top: 29, right: 30, bottom: 16 };
    this.width = files * this.cell.width + this.margin.left + this.margin.right;
    this.height = ranks * this.cell.height + this.margin.top + this.margin.bottom;
  }

  /** @param {string} square as USI writes it, `10a` included */
  indexOf(square) {
    const file = Number.parseInt(square, 10);
    const row = RANK_LETTERS.indexOf(square.replace(/\d+/, ''));
    if (!(file >= 1 && file <= this.files) || row < 0 || row >= this.ranks) return -1;
    return row * this.files + (this.leftToRight ? file - 1 : this.files - file);
  }

  /** @param {number} index */
  nameOf(index) {
    return `${this.fileOf(index)}${RANK_LETTERS[Math.floor(index / this.files)]}`;
  }

  /** @param {number} index */
  fileOf(index) {
    const column = index % this.files;
    return this.leftToRight ? column + 1 : this.files - column;
  }

  /** The square as Japanese records write it: ７六. @param {number} index */
  kanjiOf(index) {
    const file = [...String(this.fileOf(index))].map((digit) => WIDE[Number(digit)]).join('');
    return file + RANK_KANJI[Math.floor(index / this.files)];
  }

  /** The place on the screen of a square; its own inverse. @param {number} index @param {boolean} flipped */
  place(index, flipped) {
    return flipped ? this.files * this.ranks - 1 - index : index;
  }

  /** Upper left corner of a square's cell. @param {number} index @param {boolean} flipped */
  corner(index, flipped) {
    const place = this.place(index, flipped);
    return {
      x: this.margin.left + (place % this.files) * this.cell.width,
      y: this.margin.top + Math.floor(place / this.files) * this.cell.height,
    };
  }

  /** @param {number} index @param {boolean} flipped */
  centre(index, flipped) {
    const { x, y } = this.corner(index, flipped);
    return { x: x + this.cell.width / 2, y: y + this.cell.height / 2 };
  }

  /** The square below a point of the drawing, or -1. @param {number} x @param {number} y @param {boolean} flipped */
  at(x, y, flipped) {
    const column = Math.floor((x - this.margin.left) / this.cell.width);
    const row = Math.floor((y - this.margin.top) / this.cell.height);
    if (column < 0 || row < 0 || column >= this.files || row >= this.ranks) return -1;
    return this.place(row * this.files + column, flipped);
  }
}
