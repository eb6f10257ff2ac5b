'use strict';
(() => {
  const data = JSON.parse(document.getElementById('data').textContent);
  const words = {
    ja: {
      title: '棋譜解析', other: 'English', light: '明', dark: '暗', how: (d) => `${d.engine}　1局面 ${limit(d.limit, 'ja')}　候補 ${d.lines}手　詰み探索 ${d.mate_nodes} 局面　評価値は先手から見た値`,
      fault: '次の悪手', first: '最初', prev: '前', next: '次', last: '最後', flip: '盤を回す', keys: '← → 一手　↑ ↓ 十手　Home End 最初・最後　n p 次・前の悪手　f 盤を回す',
      file: 'ファイル', black: '先手', white: '後手', result: '結果', plies: '手数', accuracy: '正確さ', faults: '悪手 / 疑問手 / 緩手', missedMates: '詰み逃し', loss: '平均損失', best: '最善手', start: '開始局面',
      ply: (n) => `${n}手目`, results: { black: '先手勝ち', white: '後手勝ち', draw: '引き分け', unknown: '–' }, classes: { best: '最善', good: '', inaccuracy: '緩手', mistake: '疑問手', blunder: '悪手' },
      missed: '詰み逃し', mate: (n) => `${n}手詰`, middle: '中盤', endgame: '終盤', opening: '序盤', played: '実戦', over: '終局', none: '評価なし', proved: '詰み', graph: '先手の勝率', lossWord: '損失', depth: '深さ', nodes: '局面',
      state: { frozen: '凍結中', freezes: '残り凍結', setup: '配置中', locked: '固定', targets: '達成', checks: '残り王手' }, hand: '持駒', nothing: 'なし', better: 'なら'
    },
    en: {
      title: 'Game analysis', other: '日本語', light: 'Light', dark: 'Dark', how: (d) => `${d.engine}, ${limit(d.limit, 'en')} a position, ${d.lines} lines, ${d.mate_nodes} positions for mates; values from Black's view`,
      fault: 'Next mistake', first: 'First', prev: 'Back', next: 'Forward', last: 'Last', flip: 'Turn the board', keys: '← → one move, ↑ ↓ ten moves, Home End, n p next and last mistake, f turn the board',
      file: 'File', black: 'Black', white: 'White', result: 'Result', plies: 'Moves', accuracy: 'Accuracy', faults: 'Blunders / mistakes / inaccuracies', missedMates: 'Missed mates', loss: 'Mean loss', best: 'Best moves', start: 'Start',
      ply: (n) => `Move ${n}`, results: { black: 'Black won', white: 'White won', draw: 'Draw', unknown: '–' }, classes: { best: 'best', good: '', inaccuracy: 'inaccuracy', mistake: 'mistake', blunder: 'blunder' },
      missed: 'missed mate', mate: (n) => `mate in ${n}`, middle: 'Middle game', endgame: 'Endgame', opening: 'Opening', played: 'played', over: 'game over', none: 'no value', proved: 'mate', graph: "Black's win rate", lossWord: 'loss', depth: 'depth', nodes: 'nodes',
      state: { frozen: 'Frozen', freezes: 'Freezes left', setup: 'Placing', locked: 'Locked', targets: 'Targets', checks: 'Checks left' }, hand: 'In hand', nothing: 'nothing', better: 'gives'
    }
  };
  const limit = (text, lang) => {
    const [kind, amount] = text.split(' ');
    const names = { ja: { nodes: 'ノード', depth: '深さ', movetime: 'ミリ秒' }, en: { nodes: 'nodes', depth: 'plies deep', movetime: 'ms' } };
    return kind === 'depth' && lang === 'ja' ? `${names.ja.depth} ${amount}` : `${Number(amount).toLocaleString('en')} ${names[lang][kind]}`;
  };
  const store = (key, value) => { try { if (value === undefined) return localStorage.getItem(key); localStorage.setItem(key, value); } catch { /* a page from a file may have no storage */ } return null; };
  const state = { game: 0, ply: 0, flip: false, lang: store('tsumugi-lang') || (navigator.language.startsWith('ja') ? 'ja' : 'en') };
  const asked = new URLSearchParams(location.search);
  if (words[asked.get('lang')]) state.lang = asked.get('lang');
  const prefers = matchMedia('(prefers-color-scheme: dark)').matches ? 'dark' : 'light';
  let theme = asked.get('theme') || store('tsumugi-theme') || prefers;

  const $ = (id) => document.getElementById(id);
  const make = (tag, attributes = {}, ...children) => {
    const node = document.createElement(tag);
    for (const [name, value] of Object.entries(attributes)) if (value !== undefined && value !== false) node.setAttribute(name, value === true ? '' : value);
    node.append(...children.filter((child) => child !== null && child !== undefined && child !== ''));
    return node;
  };
  const svg = (tag, attributes = {}, ...children) => {
    const node = document.createElementNS('http://www.w3.org/2000/svg', tag);
    for (const [name, value] of Object.entries(attributes)) node.setAttribute(name, value);
    node.append(...children);
    return node;
  };
  const t = () => words[state.lang];
  const game = () => data.games[state.game];
  const percent = (share) => `${(100 * share).toFixed(1)}%`;
  const isFault = (played) => played && (played.missed_mate || ['inaccuracy', 'mistake', 'blunder'].includes(played.class));
  const isBad = (played) => played && (played.missed_mate || ['mistake', 'blunder'].includes(played.class));

  // A score is a number or { mate }, for the side to move; shown from Black's view.
  const scoreText = (score, side) => {
    if (score === null || score === undefined) return '';
    const sign = side === 'black' ? 1 : -1;
    if (typeof score === 'number') { const value = score * sign; return value > 0 ? `+${value}` : String(value); }
    const black = (score.mate > 0) === (side === 'black');
    return `${black ? '☗' : '☖'}${t().mate(Math.abs(score.mate))}`;
  };
  const valueOf = (position) => position.score === null ? (position.black_win_rate === null ? t().none : t().over) : scoreText(position.score, position.side);

  // The squares after so many moves: changes are kept from one position to the next.
  const squares = (board, ply) => {
    const cells = [];
    for (let at = 0; at <= ply && at < board.steps.length; at++) for (const [index, text, flags] of board.steps[at].d) cells[index] = text === undefined ? undefined : { text, flags };
    return cells;
  };

  const CW = 60, CH = 66, EDGE = 26, HAND = 54;
  const drawBoard = () => {
    const g = game(), board = g.board, step = board.steps[state.ply] || board.steps[0];
    if (!step) return $('board').replaceChildren();
    const [files, ranks] = step.f || [board.files, board.ranks];
    const columns = files.length, rows = ranks.length, flip = state.flip;
    const hands = !board.stones;
    const width = columns * CW + 2 * EDGE, top = (hands ? HAND : 0) + EDGE, height = rows * CH + top + EDGE + (hands ? HAND : 0);
    const picture = svg('svg', { viewBox: `0 0 ${width} ${height}`, role: 'img', 'aria-label': g.positions[state.ply].sfen });
    const gradient = (id, from, to) => svg('linearGradient', { id, x1: 0, y1: 0, x2: 1, y2: 1 }, svg('stop', { offset: 0, 'stop-color': `var(${from})` }), svg('stop', { offset: 1, 'stop-color': `var(${to})` }));
    picture.append(svg('defs', {}, gradient('kaya', '--kaya-hi', '--kaya-lo'), gradient('face', '--piece-hi', '--piece-lo')));
    picture.append(svg('rect', { x: 4, y: top - EDGE + 4, width: width - 8, height: rows * CH + 2 * EDGE - 8, rx: 6, fill: 'url(#kaya)' }));
    const place = (index) => {
      const column = index % columns, row = Math.floor(index / columns);
      return flip ? [columns - 1 - column, rows - 1 - row] : [column, row];
    };
    for (const index of step.t) {
      const [x, y] = place(index);
      picture.append(svg('rect', { x: EDGE + x * CW, y: top + y * CH, width: CW, height: CH, fill: 'var(--burnt)', opacity: 0.75 }));
    }
    for (let x = 0; x <= columns; x++) picture.append(svg('path', { d: `M${EDGE + x * CW} ${top}V${top + rows * CH}`, stroke: 'var(--kaya-line)', 'stroke-width': x % columns ? 1 : 2 }));
    for (let y = 0; y <= rows; y++) picture.append(svg('path', { d: `M${EDGE} ${top + y * CH}H${EDGE + columns * CW}`, stroke: 'var(--kaya-line)', 'stroke-width': y % rows ? 1 : 2 }));
    const label = (x, y, text) => picture.append(svg('text', { x, y, 'text-anchor': 'middle', 'font-size': 15, fill: 'var(--kaya-line)' }, text));
    files.forEach((text, column) => label(EDGE + ((flip ? columns - 1 - column : column) + 0.5) * CW, top - 8, text));
    ranks.forEach((text, row) => label(EDGE + columns * CW + 12, top + ((flip ? rows - 1 - row : row) + 0.5) * CH + 5, text));
    squares(board, state.ply).forEach((cell, index) => {
      if (!cell) return;
      const [x, y] = place(index), cx = EDGE + (x + 0.5) * CW, cy = top + (y + 0.5) * CH;
      if (board.stones) {
        const white = cell.flags & 1;
        picture.append(svg('circle', { cx, cy, r: 23, fill: white ? '#f7f4ec' : '#1d1a16', stroke: '#1d1a16', 'stroke-width': 1.5 }));
      } else picture.append(piece(cx, cy, 1, cell, flip));
    });
    arrow(picture, g, files, columns, place, top);
    if (hands) {
      const upper = flip ? 0 : 1;
      picture.append(hand(step.h[upper], upper, 4, width), hand(step.h[1 - upper], 1 - upper, height - HAND + 4, width));
    }
    const facts = step.s.map(([name, text]) => `${t().state[name]} ${text}`).join('　');
    $('board').replaceChildren(picture, facts ? make('p', { class: 'meta' }, facts) : '');
  };
  const piece = (cx, cy, size, cell, flip) => {
    const down = Boolean(cell.flags & 1) !== flip, promoted = cell.flags & 2, frozen = cell.flags & 4;
    const wide = 0.45 * CW * size * (/[玉王]/.test(cell.text) ? 1 : /[歩と]/.test(cell.text) ? 0.88 : 0.95), tall = 0.45 * CH * size, s = down ? -1 : 1;
    const points = [[0, -tall], [wide * 0.68, -tall * 0.72], [wide, tall], [-wide, tall], [-wide * 0.68, -tall * 0.72]];
    const body = (dx, dy) => points.map(([x, y]) => `${(cx + s * x + dx).toFixed(1)},${(cy + s * y + dy).toFixed(1)}`).join(' ');
    const text = cell.text.replace(/^\+?([a-z])$/i, (letter) => letter.toUpperCase());
    const group = svg('g', {},
      svg('polygon', { points: body(1.5, 2), fill: '#000', opacity: 0.3 }),
      svg('polygon', { points: body(0, 0), fill: frozen ? 'var(--ice)' : 'url(#face)', stroke: frozen ? 'var(--ice-ink)' : 'var(--kaya-line)', 'stroke-width': frozen ? 2.5 : 0.8 }),
      svg('text', { x: cx, y: cy, 'text-anchor': 'middle', 'dominant-baseline': 'central', 'font-size': (text.length > 1 ? 24 : 31) * size, 'font-family': '"Hiragino Mincho ProN","Noto Serif CJK JP","Yu Mincho",serif', 'font-weight': 600, fill: frozen ? 'var(--ice-ink)' : promoted ? 'var(--prom)' : 'var(--kanji)', transform: down ? `rotate(180 ${cx} ${cy - 1})` : `translate(0 ${2 * size})` }, text));
    return group;
  };
  const hand = (pieces, color, y, width) => {
    const group = svg('g', {});
    const name = game()[color ? 'white' : 'black'] || t()[color ? 'white' : 'black'];
    const mark = color ? '☖' : '☗';
    group.append(svg('text', { x: 8, y: y + 28, 'font-size': 17, fill: 'var(--ink)', 'font-weight': game().positions[state.ply].side === (color ? 'white' : 'black') ? 700 : 400 }, `${mark} ${[...name].slice(0, 10).join('')}`));
    const need = pieces.reduce((sum, [, count]) => sum + (count > 1 ? 58 : 42), 0);
    let x = Math.max(width - 8 - need, 200);
    for (const [text, count] of pieces) {
      group.append(piece(x + 20, y + 22, 0.7, { text, flags: 0 }, false));
      if (count > 1) group.append(svg('text', { x: x + 39, y: y + 30, 'font-size': 16, fill: 'var(--ink)' }, String(count)));
      x += count > 1 ? 58 : 42;
    }
    return group;
  };
  const arrow = (picture, g, files, columns, place, top) => {
    const best = g.positions[state.ply].candidates[0];
    if (!best || !best.pv.length || g.board.stones) return;
    const square = (file, rank) => { const column = files.indexOf(file); return column < 0 ? null : (rank.charCodeAt(0) - 97) * columns + column; };
    const move = /^(\d+)([a-p])(\d+)([a-p])/.exec(best.pv[0]), drop = /^[^*]*\*(\d+)([a-p])/.exec(best.pv[0]);
    const to = move ? square(move[3], move[4]) : drop ? square(drop[1], drop[2]) : null;
    if (to === null) return;
    const centre = (index) => { const [x, y] = place(index); return [EDGE + (x + 0.5) * CW, top + (y + 0.5) * CH]; };
    const [x2, y2] = centre(to);
    if (!move || square(move[1], move[2]) === null) { picture.append(svg('circle', { cx: x2, cy: y2, r: 27, fill: 'none', stroke: 'var(--tag)', 'stroke-width': 4, opacity: 0.8 })); return; }
    const [x1, y1] = centre(square(move[1], move[2]));
    const length = Math.hypot(x2 - x1, y2 - y1) || 1, ux = (x2 - x1) / length, uy = (y2 - y1) / length;
    const bx = x2 - ux * 22, by = y2 - uy * 22;
    picture.append(svg('path', { d: `M${x1} ${y1}L${bx} ${by}`, stroke: 'var(--tag)', 'stroke-width': 7, opacity: 0.7, 'stroke-linecap': 'round' }));
    picture.append(svg('polygon', { points: `${x2},${y2} ${bx - uy * 13},${by + ux * 13} ${bx + uy * 13},${by - ux * 13}`, fill: 'var(--tag)', opacity: 0.8 }));
  };

  const W = 720, H = 190, M = 28;
  const drawGraph = () => {
    const g = game(), last = Math.max(g.positions.length - 1, 1);
    const px = (ply) => M + ply / last * (W - 2 * M), py = (rate) => 12 + (1 - rate) * (H - 34);
    const picture = svg('svg', { viewBox: `0 0 ${W} ${H}`, role: 'img', 'aria-label': t().graph });
    const known = g.positions.filter((position) => position.black_win_rate !== null);
    const begin = g.phases;
    for (const [from, name] of [[begin.middle_game, t().middle], [begin.endgame, t().endgame]]) {
      if (from === null) continue;
      picture.append(svg('path', { d: `M${px(from)} 12V${H - 22}`, stroke: 'var(--edge)', 'stroke-dasharray': '3 3' }), svg('text', { x: px(from) + 3, y: 22, 'font-size': 11, fill: 'var(--ink2)' }, name));
    }
    for (const rate of [0, 0.25, 0.5, 0.75, 1]) {
      picture.append(svg('path', { d: `M${M} ${py(rate)}H${W - M}`, stroke: rate === 0.5 ? 'var(--edge)' : 'var(--line)' }), svg('text', { x: M - 3, y: py(rate) + 4, 'font-size': 10, 'text-anchor': 'end', fill: 'var(--ink2)' }, String(100 * rate)));
    }
    const line = known.map((position) => `${px(position.ply).toFixed(1)},${py(position.black_win_rate).toFixed(1)}`);
    if (line.length) {
      picture.append(svg('polygon', { points: `${px(known[0].ply)},${py(0.5)} ${line.join(' ')} ${px(known.at(-1).ply)},${py(0.5)}`, fill: 'var(--accent)', opacity: 0.15 }), svg('polyline', { points: line.join(' '), fill: 'none', stroke: 'var(--accent)', 'stroke-width': 2 }));
    }
    g.positions.forEach((position, index) => {
      const after = g.positions[index + 1];
      if (!after || !isBad(position.played) || after.black_win_rate === null) return;
      const x = px(index + 1), y = py(after.black_win_rate), s = position.side === 'black' ? 1 : -1;
      picture.append(svg('polygon', { points: `${x},${y + 7 * s} ${x - 6},${y - 4 * s} ${x + 6},${y - 4 * s}`, fill: 'var(--shu)' }, svg('title', {}, `${index + 1} ${position.played.text}`)));
    });
    for (let ply = 0; ply <= last; ply += last > 120 ? 20 : 10) picture.append(svg('text', { x: px(ply), y: H - 6, 'font-size': 10, 'text-anchor': 'middle', fill: 'var(--ink2)' }, String(ply)));
    picture.append(svg('path', { id: 'now', d: `M${px(state.ply)} 8V${H - 20}`, stroke: 'var(--shu)', 'stroke-width': 1.5 }));
    const pick = (event) => {
      const box = picture.getBoundingClientRect();
      go(Math.round(((event.clientX - box.left) / box.width * W - M) / (W - 2 * M) * last));
    };
    picture.addEventListener('pointerdown', (event) => { picture.setPointerCapture(event.pointerId); pick(event); });
    picture.addEventListener('pointermove', (event) => { if (event.buttons) pick(event); });
    $('graph').replaceChildren(make('div', { class: 'pane' }, make('div', { class: 'meta' }, t().graph), picture));
  };
  const moveNow = () => {
    const now = $('now'), last = Math.max(game().positions.length - 1, 1);
    if (now) now.setAttribute('d', `M${M + state.ply / last * (W - 2 * M)} 8V${H - 20}`);
  };

  const faultsOf = (player) => `${player.blunders} / ${player.mistakes} / ${player.inaccuracies}`;
  const drawSummary = () => {
    const g = game(), [black, white] = g.players;
    const row = (name, show) => make('tr', {}, make('th', { scope: 'row' }, name), make('td', {}, show(black)), make('td', {}, show(white)));
    const table = make('table', {},
      make('tr', {}, make('th'), make('th', { scope: 'col' }, `☗ ${g.black || t().black}`), make('th', { scope: 'col' }, `☖ ${g.white || t().white}`)),
      row(t().accuracy, (p) => p.moves ? p.accuracy.toFixed(1) : '–'), row(t().loss, (p) => p.moves ? percent(p.mean_loss) : '–'),
      row(t().best, (p) => `${p.best} / ${p.moves}`), row(t().faults, faultsOf), row(t().missedMates, (p) => String(p.missed_mates)));
    $('summary').replaceChildren(make('div', { class: 'pane' }, table));
  };

  const drawDetail = () => {
    const g = game(), position = g.positions[state.ply], before = g.positions[state.ply - 1], played = before && before.played;
    const pane = make('div', { class: 'pane' });
    const title = state.ply === 0 ? t().start : `${t().ply(state.ply)} ${played ? played.text : ''}`;
    pane.append(make('h3', {}, title, ' ', make('span', { class: 'score' }, valueOf(position))));
    if (played && (isFault(played) || played.class === 'best')) {
      const word = played.missed_mate ? t().missed : t().classes[played.class], best = before.candidates[0];
      const line = make('p', {}, make('span', { class: played.missed_mate ? 'missed' : played.class }, word), played.loss ? `　${t().lossWord} ${percent(played.loss)}` : '');
      if (best && best.text.length && isFault(played)) line.append(make('br'), `${best.text.slice(0, 8).join('')} ${t().better} ${scoreText(best.score, before.side)}`);
      pane.append(line);
    }
    const list = make('ol');
    for (const line of position.candidates) {
      const own = position.played && position.played.move === line.pv[0];
      const meta = [line.depth === null ? t().proved : `${t().depth} ${line.depth}`, line.nodes === null ? '' : `${line.nodes.toLocaleString('en')} ${t().nodes}`, own ? t().played : ''].filter(Boolean).join(', ');
      list.append(make('li', { class: own ? 'played' : undefined }, make('span', { class: 'score' }, scoreText(line.score, position.side)), line.text.join('') || line.pv.join(' '), ' ', make('span', { class: 'meta' }, `(${meta})`)));
    }
    pane.append(list);
    $('detail').replaceChildren(pane);
  };

  const drawMoves = () => {
    const g = game(), list = make('ol');
    const phase = (ply) => ply === g.phases.endgame ? t().endgame : ply === g.phases.middle_game ? t().middle : '';
    g.positions.forEach((position, index) => {
      const played = index ? g.positions[index - 1].played : null;
      if (index && !played) return;
      const kind = played ? (played.missed_mate ? 'missed' : played.class) : '';
      const word = played ? (played.missed_mate ? t().missed : t().classes[played.class] || '') : '';
      list.append(make('li', { 'data-ply': index, tabindex: -1 }, make('span', { class: 'no' }, String(index)), make('span', {}, played ? played.text : t().start, ' ', make('span', { class: 'phase' }, phase(index))),
        make('span', { class: 'val' }, valueOf(position)), make('span', { class: kind }, played && played.loss >= data.thresholds[0] ? `${word} ${Math.round(100 * played.loss)}%` : word)));
    });
    list.addEventListener('click', (event) => { const item = event.target.closest('li'); if (item) go(Number(item.dataset.ply)); });
    $('moves').replaceChildren(make('div', { class: 'pane' }, list));
  };
  const markMove = () => {
    const pane = $('moves');
    for (const item of pane.querySelectorAll('li')) {
      const now = Number(item.dataset.ply) === state.ply;
      if (now) { item.setAttribute('aria-current', 'true'); const top = item.offsetTop - pane.offsetTop; if (top < pane.scrollTop || top > pane.scrollTop + pane.clientHeight - 40) pane.scrollTop = top - pane.clientHeight / 2; } else item.removeAttribute('aria-current');
    }
  };

  const drawList = () => {
    if (data.games.length < 2) return;
    const head = [t().file, t().black, t().white, t().result, t().plies, `☗ ${t().accuracy}`, `☖ ${t().accuracy}`, `☗ ${t().faults}`, `☖ ${t().faults}`, t().missedMates];
    const body = make('tbody');
    data.games.forEach((g, index) => {
      const [black, white] = g.players, accuracy = (p) => p.moves ? p.accuracy.toFixed(1) : '–';
      const cells = [g.number > 1 || data.games.some((other) => other !== g && other.file === g.file) ? `${g.file} ${g.number}` : g.file, g.black || '–', g.white || '–', `${t().results[g.result] || ''} ${state.lang === 'ja' ? g.ending : ''}`, g.positions.length - 1, accuracy(black), accuracy(white), faultsOf(black), faultsOf(white), black.missed_mates + white.missed_mates];
      const row = make('tr', { tabindex: 0, 'aria-selected': index === state.game ? 'true' : 'false' }, ...cells.map((cell, column) => make('td', { class: column > 3 ? 'n' : undefined }, String(cell))));
      const choose = () => { state.game = index; state.ply = 0; draw(); };
      row.addEventListener('click', choose);
      row.addEventListener('keydown', (event) => { if (event.key === 'Enter') choose(); });
      body.append(row);
    });
    const table = make('table', {}, make('thead', {}, make('tr', {}, ...head.map((cell, column) => make('th', { class: column > 3 ? 'n' : undefined, scope: 'col' }, cell)))), body);
    const old = $('list').scrollTop;
    $('list').hidden = false;
    $('list').replaceChildren(table);
    $('list').scrollTop = old;
  };

  const step = () => {
    $('ply').textContent = `${state.ply} / ${game().positions.length - 1}`;
    drawBoard(); drawDetail(); markMove(); moveNow();
    try { history.replaceState(null, '', `#${state.game + 1}.${state.ply}`); } catch { /* not from every file */ }
  };
  const draw = () => {
    document.documentElement.lang = state.lang;
    document.documentElement.dataset.theme = theme;
    document.title = `${t().title} – Tsumugi`;
    for (const node of document.querySelectorAll('[data-i]')) node.textContent = t()[node.dataset.i];
    $('how').textContent = t().how(data);
    $('keys').textContent = t().keys;
    $('lang').textContent = t().other;
    $('theme').textContent = theme === 'dark' ? t().light : t().dark;
    for (const button of document.querySelectorAll('[data-go]')) { button.title = t()[button.dataset.go]; button.setAttribute('aria-label', button.title); if (button.dataset.go === 'fault') button.textContent = t().fault; }
    const g = game(), players = `☗ ${g.black || t().black}　☖ ${g.white || t().white}`;
    const about = [g.variant === 'shogi' ? '' : g.variant, g.event, g.date, t().results[g.result], state.lang === 'ja' ? g.ending : '', g.file].filter(Boolean).join('　');
    const plays = ['☗', '☖'].map((sign, index) => (g.openings[index].length ? `${sign} ${g.openings[index].join(' ')}` : '')).filter(Boolean).join('　');
    $('heading').replaceChildren(make('h2', {}, players), ...(plays ? [make('p', {}, plays)] : []), make('p', {}, about));
    drawList(); drawGraph(); drawSummary(); drawMoves(); step();
  };
  const go = (ply) => { state.ply = Math.min(Math.max(ply, 0), game().positions.length - 1); step(); };
  const fault = (way) => {
    const positions = game().positions;
    for (let ply = state.ply + way; ply > 0 && ply < positions.length; ply += way) if (isBad(positions[ply - 1].played)) return go(ply);
  };
  const actions = { first: () => go(0), prev: () => go(state.ply - 1), next: () => go(state.ply + 1), last: () => go(Infinity), fault: () => fault(1), flip: () => { state.flip = !state.flip; drawBoard(); } };
  for (const button of document.querySelectorAll('[data-go]')) button.addEventListener('click', () => actions[button.dataset.go]());
  $('lang').addEventListener('click', () => { state.lang = state.lang === 'ja' ? 'en' : 'ja'; store('tsumugi-lang', state.lang); draw(); });
  $('theme').addEventListener('click', () => { theme = theme === 'dark' ? 'light' : 'dark'; store('tsumugi-theme', theme); draw(); });
  const keys = { ArrowLeft: actions.prev, ArrowRight: actions.next, ArrowUp: () => go(state.ply - 10), ArrowDown: () => go(state.ply + 10), Home: actions.first, End: actions.last, n: actions.fault, p: () => fault(-1), f: actions.flip };
  document.addEventListener('keydown', (event) => {
    if (event.ctrlKey || event.altKey || event.metaKey || !keys[event.key]) return;
    event.preventDefault();
    keys[event.key]();
  });
  const hash = /^#(\d+)\.(\d+)$/.exec(location.hash);
  if (hash && data.games[hash[1] - 1]) { state.game = hash[1] - 1; state.ply = Math.min(Number(hash[2]), game().positions.length - 1); }
  draw();
})();
