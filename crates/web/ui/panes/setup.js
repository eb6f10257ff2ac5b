// Games that begin by placing pieces: what is to be placed, what is locked and why.
import { html, fill } from '../dom.js';
import { t } from '../i18n/i18n.js';
import { pieceName, sideName, sideSign } from '../board/names.js';
import { pieceImage } from '../pieces/piece.js';
import { pieceOf } from '../state/scene.js';
import { settings } from '../state/settings.js';

export class SetupPane {
  /** @param {import('../state/board_state.js').BoardState} state */
  constructor(state) {
    this.state = state;
    this.question = html('h2', { class: 'large' });
    this.element = html('section', { class: 'pane setup-pane', hidden: true, 'aria-label': t('setup.title') });
  }

  show() {
    const { scene, rules } = this.state;
    const setup = scene?.setup;
    this.element.hidden = !setup;
    if (!setup || !scene || !rules) return;
    const all = setup.total[0] + setup.total[1];
    const done = setup.placed[0] + setup.placed[1];
    const groups = setup.groups.filter((group) => (group.side === 'black' ? 0 : 1) === scene.side);
    fill(this.element,
      html('header', {}, html('h2', { text: t('setup.title') }), html('span', { class: 'small', text: t('setup.count', { done: Math.min(all, done + 1), all }) })),
      html('div', { class: 'inside stack' },
        this.question,
        html('div', { class: 'setup-steps', role: 'img', 'aria-label': t('setup.count', { done, all }) }, Array.from({ length: all }, (_, i) => html('i', { class: i < done ? 'done' : i === done ? 'now' : '' }))),
        groups.map((group) => this.group(group, scene.side))),
    );
    this.choose(null);
  }

  /** The question names the piece that is chosen. @param {string | null} from such as `S*` */
  choose(from) {
    const { scene, rules } = this.state;
    if (!scene?.setup || !rules) return;
    const piece = from?.endsWith('*') ? pieceName(pieceOf(rules, from.slice(0, -1), scene.side)) : '';
    this.question.textContent = `${sideSign(scene.side)} ${piece ? t('setup.question.piece', { piece }) : t('setup.question', { side: sideName(scene.side) })}`;
  }

  /** @param {import('../protocol').GroupScene} group @param {0 | 1} side */
  group(group, side) {
    const rules = /** @type {import('../state/scene.js').Rules} */ (this.state.rules);
    const pieces = group.kinds.map((kind) => pieceOf(rules, kind, side));
    const full = group.chosen.length >= group.limit;
    return html('div', { class: 'stack' }, html('p', { class: 'small', text: t(full ? (group.locks ? 'setup.group.locked' : 'setup.group.full') : 'setup.group', { count: group.limit, pieces: pieces.map(pieceName).join(' / ') }) }),
      html('div', { class: 'group-row' }, pieces.map((piece) => {
        const chosen = group.chosen.includes(piece.key ?? piece.kind);
        return html('div', { class: `group-piece${chosen ? ' is-chosen' : ''}${full && !chosen ? ' is-out' : ''}` }, pieceImage(piece, { set: settings.pieces, flipped: side === 1 }), html('span', { class: 'small', text: chosen ? t('setup.placed') : full ? t('hand.locked') : t('setup.free') }));
      })));
  }
}
