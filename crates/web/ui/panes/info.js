// Facts about the record: players, tournament, dates, the position as text; what can be done with the board.
import { html, fill } from '../dom.js';
import { checkbox } from '../controls.js';
import { t } from '../i18n/i18n.js';
import { openDialog, tellError } from '../dialogs/dialog.js';

const USUAL = ['先手', '後手', '棋戦', '開始日時', '場所', '持ち時間', '備考'];

export class InfoPane {
  /** @param {import('../state/board_state.js').BoardState} state */
  constructor(state) {
    this.state = state;
    this.element = html('div', { class: 'info-pane' });
    state.on(['header', 'scene', 'play'], () => this.show());
    this.show();
  }

  show() {
    const { state } = this;
    const rules = state.rules;
    if (!rules || !state.scene) return;
    const rows = state.header.filter(([, value]) => value !== '');
    fill(this.element,
      html('dl', { class: 'facts' },
        html('dt', { text: t('info.game') }), html('dd', { text: rules.game.name[document.documentElement.lang === 'ja' ? 'ja' : 'en'] }),
        rows.flatMap(([name, value]) => [html('dt', { text: headerName(name) }), html('dd', { text: value })]),
        html('dt', { text: t('info.position') }), html('dd', { class: 'small', text: state.scene.text })),
      html('div', { class: 'inside stack' },
        html('div', { class: 'row' }, html('button', { type: 'button', text: t('info.edit'), onclick: () => void this.edit() })),
        checkbox(t('info.follow'), state.following, (on) => void state.follow(on))));
  }

  async edit() {
    const known = new Map(this.state.header);
    const names = [...new Set([...USUAL, ...known.keys()])];
    const inputs = names.map((name) => html('input', { type: 'text', value: known.get(name) ?? '', data: { name } }));
    const header = await openDialog((close) => ({
      title: t('info.edit'),
      content: names.map((name, index) => html('label', { class: 'field' }, html('span', { text: headerName(name) }), inputs[index])),
      buttons: [html('button', { type: 'button', text: t('cancel'), onclick: () => close() }), html('button', { type: 'button', class: 'primary', text: t('save'), onclick: () => close(inputs.map((input) => [input.dataset.name, input.value.trim()]).filter(([, value]) => value)) })],
    }));
    if (header) this.state.port.ask('header', { board: this.state.id, header }).catch(tellError);
  }
}

/** @param {string} name as KIF has it */
export function headerName(name) {
  const key = /** @type {Record<string, any>} */ ({ 先手: 'header.black', 後手: 'header.white', 下手: 'header.black', 上手: 'header.white', 棋戦: 'header.event', 開始日時: 'header.start', 終了日時: 'header.end', 場所: 'header.site', 持ち時間: 'header.time', 備考: 'header.note', 手合割: 'header.handicap' })[name];
  return key ? t(key) : name;
}
