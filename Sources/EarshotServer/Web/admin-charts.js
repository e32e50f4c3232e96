// Small charts on canvas, each with the same in words.
import { el, t, number } from './page.js';

const height = 110;

// A chart of values over time. `series` have a name and a color, which is a variable of the style; `unit` writes a value. `bars` piles the
// values up. The node's `draw` is given a list of values for each series, and what stands below the left and the right end.
export function chart(title, series, unit, { bars = false, least = 0 } = {}) {
  const canvas = el('canvas', { role: 'img', height });
  const values = series.map(() => el('strong'));
  const legend = series.map((one, index) => el('span', { class: 'key' }, swatch(one.color), one.name && `${one.name} `, values[index]));
  const top = el('span', { class: 'small dim most' });
  const [left, right] = [el('span'), el('span')];
  const node = el('figure', { class: 'chart' },
    el('figcaption', {}, el('span', { class: 'title' }, title), legend),
    el('div', { class: 'plot' }, top, canvas), el('div', { class: 'row ends small dim', 'aria-hidden': 'true' }, left, right));
  let drawn = null;
  const paint = () => drawn && plot(canvas, series, drawn, bars, least, (most) => { top.textContent = unit(most); });
  new ResizeObserver(paint).observe(canvas);
  const dark = matchMedia('(prefers-color-scheme: dark)');
  dark.addEventListener('change', function repaint() { if (node.isConnected) paint(); else dark.removeEventListener('change', repaint); });
  node.draw = (lists, from, to) => {
    drawn = lists;
    left.textContent = from;
    right.textContent = to;
    const words = lists.map((list, index) => {
      const known = list.filter((value) => value !== null && value !== undefined);
      const last = known.at(-1);
      values[index].textContent = known.length ? unit(last) : '–';
      return known.length ? t('admin.series', { name: series[index].name || title, last: unit(last), least: unit(Math.min(...known)), most: unit(Math.max(...known)) }) : '';
    });
    canvas.setAttribute('aria-label', `${title}. ${words.filter(Boolean).join(' ')}`);
    paint();
  };
  return node;
}

// A little square of a color.
export function swatch(color) {
  const node = el('span', { class: 'swatch', 'aria-hidden': 'true' });
  node.style.setProperty('--swatch', `var(${color})`);
  return node;
}

function plot(canvas, series, lists, bars, least, told) {
  const ratio = window.devicePixelRatio || 1;
  const width = canvas.clientWidth;
  if (!width) return;
  canvas.width = Math.round(width * ratio);
  canvas.height = Math.round(height * ratio);
  const context = canvas.getContext('2d');
  context.scale(ratio, ratio);
  const style = getComputedStyle(document.documentElement);
  const color = (name) => style.getPropertyValue(name).trim();
  const count = Math.max(...lists.map((list) => list.length), 1);
  const sums = Array.from({ length: count }, (_, at) => lists.reduce((sum, list) => sum + (list[at] ?? 0), 0));
  const all = bars ? sums : lists.flat().filter((value) => value !== null && value !== undefined);
  const most = Math.max(least, ...all, 0) || 1;
  told(most);
  const y = (value) => height - 1 - (value / most) * (height - 8);
  context.strokeStyle = color('--line');
  context.beginPath();
  for (const share of [0, 0.5, 1]) { context.moveTo(0, Math.round(y(most * share)) + 0.5); context.lineTo(width, Math.round(y(most * share)) + 0.5); }
  context.stroke();
  if (bars) {
    const step = width / count;
    for (let at = 0; at < count; at += 1) {
      let below = 0;
      lists.forEach((list, index) => {
        const value = list[at] ?? 0;
        if (!value) return;
        context.fillStyle = color(series[index].color);
        const end = y(below + value);
        context.fillRect(at * step + step * 0.1, end, Math.max(1, step * 0.8), Math.max(1, y(below) - end));
        below += value;
      });
    }
    return;
  }
  lists.forEach((list, index) => {
    context.strokeStyle = color(series[index].color);
    context.lineWidth = 2;
    context.lineJoin = 'round';
    context.beginPath();
    let isOpen = false;
    list.forEach((value, at) => {
      if (value === null || value === undefined) { isOpen = false; return; }
      const x = count > 1 ? (at / (count - 1)) * (width - 4) + 2 : width - 2;
      // A value between two that are missing is a point.
      if (!isOpen) { context.moveTo(x - 1, y(value)); isOpen = true; }
      context.lineTo(x, y(value));
    });
    context.stroke();
  });
}

const colors = ['--c1', '--c2', '--c3', '--c4', '--c5', '--c6'];

// The recognitions of clients by day, piled up: of more than six clients those with fewest are one.
export function usageChart({ days, clients }, name) {
  const sum = (counts) => counts.reduce((all, count) => all + count, 0);
  const used = clients.filter((client) => sum(client.counts) > 0).sort((a, b) => sum(b.counts) - sum(a.counts));
  const shown = used.slice(0, used.length > colors.length ? colors.length - 1 : colors.length);
  const rest = used.slice(shown.length);
  const series = shown.map((client, index) => ({ name: name(client), color: colors[index], counts: client.counts }));
  if (rest.length) {
    series.push({ name: t('admin.others', { count: rest.length }), color: colors.at(-1), counts: days.map((_, at) => rest.reduce((all, client) => all + client.counts[at], 0)) });
  }
  if (!series.length) return el('p', { class: 'dim' }, t('admin.noUsage'));
  const node = chart(t('admin.usage'), series, (value) => number(value), { bars: true, least: 5 });
  node.classList.add('usage');
  node.draw(series.map((one) => one.counts), days[0], days.at(-1));
  // The last day is not what the legend is about here: all days together are.
  node.querySelectorAll('.key strong').forEach((value, index) => { value.textContent = number(sum(series[index].counts)); });
  const rows = days.map((day, at) => [day, ...series.map((one) => number(one.counts[at]))]).reverse();
  node.append(el('details', {}, el('summary', {}, t('admin.asTable')),
    el('div', { class: 'table', tabindex: '0', role: 'region', 'aria-label': t('admin.usage') }, el('table', {},
      el('thead', {}, el('tr', {}, el('th', { scope: 'col' }, t('admin.day')), series.map((one) => el('th', { scope: 'col' }, one.name)))),
      el('tbody', {}, rows.map((row) => el('tr', {}, row.map((cell) => el('td', {}, cell)))))))));
  return node;
}
