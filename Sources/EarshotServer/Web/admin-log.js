// The last lines of the service's log, live.
import { el, t, ask, show, day, save } from './page.js';
import { every, fault, heading, parameters } from './admin-kit.js';

const levels = ['trace', 'debug', 'info', 'notice', 'warning', 'error', 'critical'];
const kept = 1000;

export async function open(place, { query, signal, go }) {
  const level = levels.includes(query.get('level')) ? query.get('level') : 'trace';
  const select = el('select', { onchange: () => go(`/admin/log${select.value === 'trace' ? '' : `?level=${select.value}`}`) },
    levels.map((name) => el('option', { value: name, selected: name === level }, t(`admin.level-${name}`))));
  const isLive = el('input', { type: 'checkbox', checked: true });
  const list = el('ol', { class: 'plain log' });
  const box = el('div', { class: 'logbox', tabindex: '0', role: 'region', 'aria-label': t('admin.log') }, list);
  const none = el('p', { class: 'dim' });
  const lost = el('div', { role: 'status' });
  let last = 0;
  let lines = [];
  const add = (found) => {
    // Whoever reads further up is not moved.
    const isAtEnd = box.scrollHeight - box.scrollTop - box.clientHeight < 40;
    lines = [...lines, ...found].slice(-kept);
    list.append(...found.map(line));
    while (list.children.length > kept) list.firstElementChild.remove();
    none.textContent = lines.length ? '' : t('admin.noLines');
    if (isAtEnd) box.scrollTop = box.scrollHeight;
  };
  const poll = async () => {
    if (!isLive.checked) return;
    try {
      const told = await ask(`/v1/admin/log?${parameters({ after: last, limit: kept, level })}`, { signal, tries: 1 });
      // A service that was started anew counts from 1.
      if (told.last < last) { last = 0; lines = []; show(list); return; }
      last = told.last;
      lost.replaceChildren();
      add(told.lines);
    } catch (error) {
      if (!signal.aborted) show(lost, lines.length && error.status === 0 ? el('p', { class: 'note' }, t('admin.lost')) : fault(error));
    }
  };
  show(place,
    heading(t('admin.log'), el('button', { class: 'second', type: 'button', onclick: () => save('earshot.log', 'text/plain', lines.map(plain).join('\n') + '\n') }, t('admin.downloadLog'))),
    el('p', { class: 'dim' }, t('admin.logHelp')),
    el('div', { class: 'row' }, el('label', {}, t('admin.level'), select), el('label', {}, isLive, t('admin.live'))),
    lost, none, box);
  await poll();
  every(2000, signal, poll);
}

const time = { hour: '2-digit', minute: '2-digit', second: '2-digit' };

function line(one) {
  const isBad = ['error', 'critical'].includes(one.level);
  return el('li', {},
    el('time', { datetime: one.time, class: 'dim', title: day(one.time) }, day(one.time, time)), ' ',
    el('span', { class: isBad ? 'bad' : one.level === 'warning' ? 'warn' : 'dim' }, one.level), ' ',
    el('span', {}, one.message), ' ',
    el('span', { class: 'dim' }, Object.entries(one.metadata).map(([name, value]) => `${name}=${value}`).sort().join(' ')));
}

function plain(one) {
  return [one.time, one.level, one.message, ...Object.entries(one.metadata).map(([name, value]) => `${name}=${value}`).sort()].join(' ');
}
