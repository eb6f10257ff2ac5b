// A game in progress: whose turn, what can be done; afterwards how it ended.
import { openDialog, tellError } from '../dialogs/dialog.js';
import { html, fill } from '../dom.js';
import { icon } from '../icons.js';
import { pick, t } from '../i18n/i18n.js';
import { sideName, sideSign } from '../board/names.js';

export class PlayPane {
  /**
   * @param {import('../state/board_state.js').BoardState} state
   * @param {import('../protocol').About} about
   * @param {{ onHint: (best: import('../protocol').NamedMove) => void, onAnalyse: () => void, onNewGame: () => void }} events
   */
  constructor(state, about, events) {
    this.state = state;
    this.about = about;
    this.events = events;
    this.headline = html('div', { class: 'inside', role: 'status' });
    this.buttons = html('div', { class: 'thumb-bar', role: 'group', 'aria-label': t('play.actions') });
    this.element = html('section', { class: 'pane play-pane', 'aria-label': t('nav.play') }, this.headline, this.buttons);
    this.banner = html('div', { class: 'play-banner' });
    /** What the buttons show, so that they are not made anew under a finger. */
    this.drawn = '';
  }

  /** @param {import('../protocol').Player} player */
  engineName(player) {
    if (player.kind !== 'engine') return player.name;
    const name = player.engine === 'tsumugi' ? '' : (this.about.engines.find((engine) => engine.engine === player.engine)?.name ?? player.engine);
    const levels = this.about.games.find((known) => known.game === this.state.rules?.game.game)?.levels;
    const level = player.level ? levels?.[player.level - 1] : null;
    return level ? `${name || '紬'} ${pick(level)}` : name || '紬';
  }

  show() {
    const { state } = this;
    const { play, scene } = state;
    const running = Boolean(play && !play.over);
    fill(this.banner, running && html('button', { type: 'button', class: 'primary', text: t('play.back'), onclick: () => void state.goTo(/** @type {any} */ (play).node) }));
    this.banner.hidden = !running;
    this.element.classList.toggle('is-running', running);
    if (!play || !scene) {
      fill(this.headline);
      fill(this.buttons);
      return;
    }
    const elsewhere = running && state.cursor !== play.node;
    const human = running && play.sides[scene.side].kind === 'human';
    const last = state.tree.get(play.node);
    const outcome = scene.outcome ? pick(scene.outcome.text) : '';
    fill(this.headline,
      html('h2', { class: 'large', text: !running ? t('play.over') : elsewhere ? t('play.looking') : human ? t('play.turn', { side: `${sideSign(scene.side)} ${sideName(scene.side)}` }) : t('play.engine') }),
      html('p', { class: 'small', text: !running ? outcome || pick(last?.say) : elsewhere ? t('play.looking.hint') : '' }));
    const button = (/** @type {string} */ name, /** @type {string} */ text, /** @type {() => void} */ onclick, /** @type {Record<string, any>} */ more = {}) => html('button', { type: 'button', onclick, data: { action: name }, ...more }, icon(more.picture ?? name), text);
    const ask = (/** @type {'takeback' | 'switch_sides' | 'move_now' | 'declare' | 'resign' | 'stop_game'} */ verb, values = {}) => void state.port.ask(verb, { board: state.id, ...values }).catch(tellError);
    const engine = play.sides.some((player) => player.kind === 'engine');
    const own = play.sides.findIndex((player) => player.kind === 'human');
    const signature = JSON.stringify([running, elsewhere, human, engine, scene.declare, document.documentElement.lang]);
    if (signature === this.drawn) return;
    this.drawn = signature;
    if (!running) {
      fill(this.buttons, button('analyse', t('play.analyse'), this.events.onAnalyse, { picture: 'play' }), button('new', t('play.new'), this.events.onNewGame, { picture: 'plus' }));
      return;
    }
    fill(this.buttons,
      elsewhere && button('back', t('play.back'), () => void state.goTo(play.node), { picture: 'next', class: 'primary' }),
      // In the place of the hint while the engine thinks, so that the other buttons stay where they are.
      engine && !human ? button('now', t('play.now'), () => ask('move_now'), { picture: 'clock' }) : button('hint', t('play.hint'), () => void this.hint(), { picture: 'bulb', disabled: !human }),
      button('takeback', t('play.takeback'), () => ask('takeback'), { picture: 'undo' }),
      engine && button('switch', t('play.switch'), () => ask('switch_sides'), { picture: 'swap' }),
      scene.declare && human && button('declare', t('play.declare'), () => ask('declare'), { picture: 'star' }),
      button('resign', t('play.resign'), async () => {
        const answer = await openDialog((close) => ({
          title: t('play.resign'),
          content: [html('p', { text: t('play.resign.sure') })],
          buttons: [
            html('button', { type: 'button', text: t('cancel'), onclick: () => close() }),
            html('button', { type: 'button', data: { action: 'break-off' }, text: t('play.stop'), onclick: () => close('stop') }),
            html('button', { type: 'button', class: 'primary', text: t('play.resign'), onclick: () => close('resign') })],
        }));
        if (answer === 'resign') ask('resign', { side: engine && own >= 0 ? (own === 0 ? 'black' : 'white') : null });
        if (answer === 'stop') ask('stop_game');
      }, { picture: 'flag', class: 'danger' }));
  }

  async hint() {
    try {
      const { best, node } = await this.state.port.ask('hint', { board: this.state.id, node: this.state.cursor });
      if (node === this.state.cursor) this.events.onHint(best);
    } catch (error) {
      tellError(error);
    }
  }
}
