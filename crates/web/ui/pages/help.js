// Keys and gestures.
import { html } from '../dom.js';
import { t } from '../i18n/i18n.js';
import { settings } from '../state/settings.js';

/** @returns {[string, [string[], string][]][]} */
function table() {
  const [steps, branches] = settings.swapArrowKeys ? [['↑', '↓'], ['←', '→']] : [['←', '→'], ['↑', '↓']];
  return [
    [t('help.moves'), [
      [steps, t('help.step')], [branches, t('help.branch')], [['Home', 'End'], t('help.ends')], [['Shift+←', 'Shift+→'], t('help.fork')],
      [['/'], t('help.type')], [['Ctrl+Z', 'Ctrl+Y'], t('help.undo')], [['Ctrl+C', 'Ctrl+V'], t('help.copy')],
    ]],
    [t('help.engine'), [[['Space'], t('help.analyse')], [['Enter'], t('help.best')], [['A'], t('help.arrows')]]],
    [t('help.views'), [[['F'], t('help.flip')], [['E'], t('help.editor')], [['B'], t('help.book')], [['G'], t('help.games')], [['T'], t('help.tsume')], [['?'], t('help.help')]]],
    [t('help.board'), [[['←', '↑', '→', '↓'], t('help.squares')], [['Enter'], t('help.choose')], [['P', 'L', 'N', '…'], t('help.drop')], [['Esc'], t('help.escape')]]],
  ];
}

export function keyTable() {
  return html('div', { class: 'key-tables' }, table().map(([title, rows]) =>
    html('section', { class: 'pane' }, html('header', {}, html('h2', { text: title })),
      html('table', {}, html('tbody', {}, rows.map(([keys, text]) => html('tr', {}, html('td', { class: 'keys' }, keys.map((key) => html('kbd', { text: key }))), html('td', { text }))))))));
}

/** @returns {import('../router.js').Page} */
export function helpPage() {
  const element = html('div', { class: 'page' },
    html('h1', { text: t('nav.help') }),
    html('p', { class: 'lead', text: t('help.lead') }),
    keyTable(),
    html('section', { class: 'pane' }, html('header', {}, html('h2', { text: t('help.spoken') })), html('div', { class: 'inside' }, html('p', { text: t('help.spoken.text') }))));
  return { element, title: t('nav.help') };
}
