// A day of a station: its plays on a timeline and as a table, its breaks, and the guide beside it.
import { ask, busy, el, number, say, show, t } from './page.js';
import { askedDay, caption, dayBeside, dayOf, dayWords, kinds, kindName, kindTag, length, live, reasonName, showFault, table, time, titled } from './stations-parts.js';
import { Timeline } from './stations-timeline.js';

const hour = 3_600_000;
let id;
let data;
let timeline;
// Whether the last hour is shown, and goes on with the time.
let follows = false;
let newest = 0;
let asked = 0;

const heading = el('h2');
const state = el('span', { class: 'tag' });
const detail = el('p', { class: 'st-detail', id: 'detail' });
const canvas = el('canvas', { role: 'application', tabindex: 0, 'aria-describedby': 'timeline-help' });
const body = el('tbody');
const kind = el('select', { id: 'kind', onchange: () => rows() });
const words = el('input', { type: 'search', id: 'words', oninput: () => rows() });
const found = el('p', { class: 'dim small', role: 'status' });
const beside = el('details', { class: 'card', id: 'guide', ontoggle: () => beside.open && compare() }, el('summary', {}, t('stations.beside')), el('div'));

export async function open(place, station) {
  id = station;
  try {
    await load();
  } catch (failure) {
    showFault(place, failure, () => open(place, station));
    return;
  }
  document.title = `${data.name} – ${document.title}`;
  show(place, header(), el('section', { class: 'card st-timeline', 'aria-label': t('stations.timeline') }, tools(), el('div', { class: 'canvas' }, canvas), detail,
    el('p', { class: 'dim small st-help', id: 'timeline-help' }, t('stations.timelineHelp'))), legend(), list(), beside);
  timeline = new Timeline(canvas, { focus: reach, hover: (item) => tell(item ?? timeline.items[timeline.focused]), view: remember, enter: read });
  fill();
  const [from, to] = (new URLSearchParams(location.search).get('hours') ?? '').split('-').map(Number);
  if (to > from) timeline.show(data.from + from * hour, data.from + to * hour, false);
  if (new URLSearchParams(location.search).get('view') === 'guide') beside.open = true;
  live(take);
}

async function load() {
  const day = askedDay();
  data = await ask(`/v1/stations/${encodeURIComponent(id)}/plays${day ? `?day=${day}` : ''}`);
  data.from = Date.parse(data.start);
  asked = Date.now();
}

const today = () => dayOf(data.date, data.timeZone);
const isToday = () => data.day === today();
const dayAddress = (day) => `?day=${day}`;

function header() {
  const link = (day, name) => el('a', { class: 'button second small', href: dayAddress(day) }, name);
  const choose = el('input', { type: 'date', id: 'day', name: 'day', value: data.day, max: today(), required: true });
  return el('header', {},
    el('div', { class: 'row' }, heading, state),
    el('p', { class: 'dim' }, `${dayWords(data.day)} · ${data.timeZone}`),
    el('div', { class: 'row st-tools' },
      link(dayBeside(data.day, -1), t('stations.dayBefore')),
      el('form', { class: 'row', method: 'get' }, el('label', { for: 'day', class: 'sr' }, t('stations.day')), choose, el('button', { class: 'second small' }, t('stations.go'))),
      data.day < today() && link(dayBeside(data.day, 1), t('stations.dayAfter')),
      !isToday() && link(today(), t('stations.today')),
      el('span', { class: 'wide' }),
      ...['csv', 'jsonl', 'm3u', 'txt'].map((format) => el('a', { href: `/v1/stations/${encodeURIComponent(id)}/plays?day=${data.day}&format=${format}`, download: '' }, t(`stations.as-${format}`))),
      el('a', { href: `/stations/report?day=${data.day}&station=${encodeURIComponent(id)}` }, t('stations.report'))));
}

function tools() {
  const button = (name, act, sign) => el('button', { class: 'second small', type: 'button', onclick: act, 'aria-label': sign ? t(`stations.${name}`) : null, title: sign ? t(`stations.${name}`) : null }, sign ?? t(`stations.${name}`));
  return el('div', { class: 'row st-tools' },
    button('zoomIn', () => timeline.zoom(0.5), '+'), button('zoomOut', () => timeline.zoom(2), '−'),
    button('earlier', () => timeline.pan(-0.5), '←'), button('later', () => timeline.pan(0.5), '→'),
    button('wholeDay', () => timeline.show(data.from, Date.parse(data.end))),
    button('heardHours', () => timeline.show(...timeline.fitted())),
    isToday() && button('lastHourShow', () => { lastHour(); follows = true; }));
}

function legend() {
  const here = new Set(data.plays.map((play) => play.kind));
  return el('p', { class: 'row small legend' }, [...kinds.filter((one) => here.has(one)), ...[...here].filter((one) => !kinds.includes(one))].map(kindTag),
    data.breaks.length > 0 && el('span', { class: 'tag bad' }, t('stations.breakKind')));
}

function lastHour() {
  const now = Date.parse(data.date);
  timeline.show(now - hour, now + 60_000);
}

// Puts the day in, as it is known now.
function fill() {
  heading.textContent = data.name;
  canvas.setAttribute('aria-label', t('stations.timelineOf', { name: data.name, day: dayWords(data.day), count: data.plays.length }));
  timeline.set({ ...data, start: data.from, end: Date.parse(data.end), zone: data.timeZone, now: Date.parse(data.date) });
  const all = [...new Set(data.plays.map((play) => play.kind))];
  const chosen = kind.value;
  show(kind, el('option', { value: '' }, t('stations.allKinds')), all.map((one) => el('option', { value: one }, kindName(one))), data.breaks.length > 0 && el('option', { value: '-' }, t('stations.breakKind')));
  kind.value = all.includes(chosen) || chosen === '-' ? chosen : '';
  tell(timeline.items[timeline.focused]);
  rows();
}

// Takes the states of all stations: the day is asked for again where the log has changed, at most every few seconds.
async function take(list) {
  const station = list.stations.find((one) => one.id === id);
  state.className = `tag ${station?.isLive ? 'good' : 'bad'}`;
  state.textContent = station?.isLive ? t('stations.onAir')
    : station?.lostSince ? t('stations.lostSince', { time: time(station.lostSince, data.timeZone) }) : t('stations.stateUnknown');
  if (!isToday() || list.sequence <= Math.max(newest, data.sequence) || Date.now() - asked < 4_000) return;
  newest = list.sequence;
  try {
    await load();
  } catch {
    // The service is being started again: the next state asks once more.
    newest = 0;
    return;
  }
  fill();
  if (follows) { lastHour(); follows = true; }
}

// MARK: - What has the focus

function sentence(item) {
  const zone = data.timeZone;
  const times = `${time(item.from, zone, true)} – ${item.isOpen || item.gap && !item.end ? t('stations.goesOn') : time(item.to, zone, true)}`;
  if (item.airing) return `${times}  ${item.title}`;
  const seconds = length((item.to - item.from) / 1000);
  if (item.gap) return `${times}  ${t('stations.breakKind')}: ${reasonName(item.reason)}, ${seconds}`;
  return `${times}  ${caption(item)}, ${kindName(item.kind)}, ${length(item.played)}`;
}

function tell(item) { detail.textContent = item ? sentence(item) : t('stations.pointAt'); }

function reach(item) {
  tell(item);
  say(sentence(item));
  mark(item.key);
}

function mark(key) {
  for (const row of body.rows) {
    if (row.dataset.key === key) row.setAttribute('aria-current', 'true');
    else row.removeAttribute('aria-current');
  }
}

// Takes the reader from the timeline to the row of the table.
function read(item) {
  const row = [...body.rows].find((one) => one.dataset.key === item.key);
  if (!row) return;
  row.scrollIntoView({ block: 'center' });
  row.querySelector('button').focus();
}

let remembering;
function remember(from, to) {
  follows = false;
  clearTimeout(remembering);
  remembering = setTimeout(() => {
    const search = new URLSearchParams(location.search);
    search.set('day', data.day);
    const hours = (instant) => ((instant - data.from) / hour).toFixed(3).replace(/\.?0+$/, '');
    if (timeline.isWhole) search.set('hours', `0-${hours(Date.parse(data.end))}`);
    else search.set('hours', `${hours(from)}-${hours(to)}`);
    history.replaceState(null, '', `?${search}`);
  }, 300);
}

// MARK: - The table

function list() {
  return el('section', { id: 'plays' },
    el('h3', {}, t('stations.plays')),
    el('div', { class: 'row st-tools st-fields' }, el('label', { for: 'kind' }, t('stations.kind'), kind), el('label', { for: 'words' }, t('stations.filter'), words)),
    found, table(t('stations.plays'), ['=begin', '#length', 'title', 'kind', '-#certainty'], [], body));
}

function rows() {
  const zone = data.timeZone;
  const text = words.value.trim().toLowerCase();
  const wanted = timeline.items.filter((item) => (!kind.value || (kind.value === '-' ? item.gap : item.kind === kind.value))
    && (!text || [item.title, item.artist, item.album, item.reference].some((one) => one?.toLowerCase().includes(text))));
  const begin = (item) => el('td', { class: 'st-line' }, el('button', { class: 'plain small number', type: 'button', 'aria-label': t('stations.showAt', { time: time(item.from, zone, true) }), onclick: () => { timeline.focusKey(item.key); reach(item); canvas.scrollIntoView({ block: 'nearest' }); } }, time(item.from, zone, true)));
  show(body, wanted.map((item) => item.gap
    ? el('tr', { data: { key: item.key }, class: 'st-gap' }, begin(item), el('td', { class: 'number' }, item.end ? length((item.to - item.from) / 1000) : t('stations.goesOn')),
      el('td', {}, reasonName(item.reason)), el('td', {}, el('span', { class: 'tag bad' }, t('stations.breakKind'))), el('td', { class: 'st-less' }))
    : el('tr', { data: { key: item.key } }, begin(item), el('td', { class: 'number' }, length(item.played), item.isOpen ? ' …' : ''),
      el('td', {}, titled(item)), el('td', {}, kindTag(item.kind)),
      el('td', { class: 'number st-less' }, item.confidence === undefined ? '' : number(item.confidence, { style: 'percent' })))));
  found.textContent = wanted.length ? t('stations.shown', { count: wanted.length, all: timeline.items.length })
    : timeline.items.length ? t('stations.noneOfThese') : t('stations.emptyDay');
  const current = timeline.items[timeline.focused];
  if (current) mark(current.key);
}

// MARK: - The guide

async function compare() {
  const place = beside.lastElementChild;
  if (place.childElementCount) return;
  show(place, busy());
  try {
    const comparison = await ask(`/v1/stations/${encodeURIComponent(id)}/comparison?day=${data.day}`);
    show(place, announced(comparison.entries), unannounced(comparison.unannounced));
  } catch (failure) {
    showFault(place, failure, () => { show(place); compare(); });
  }
}

function announced(entries) {
  if (!entries.length) return el('p', {}, t('stations.noGuideDay'));
  const zone = data.timeZone;
  const late = (entry) => {
    if (!entry.heardStart) return '';
    const seconds = Math.round((Date.parse(entry.heardStart) - Date.parse(entry.start)) / 1000);
    return Math.abs(seconds) < 1 ? t('stations.exact') : t(seconds > 0 ? 'stations.late' : 'stations.early', { length: length(Math.abs(seconds)) });
  };
  const tone = { onTime: 'good', moved: 'warn', replaced: 'bad', unheard: 'bad' };
  return table(t('stations.beside'), ['=announced', 'programme', 'outcome', '=heardAs', '-#heard', '-#songs', '-#spots', 'others'], entries.map((entry) => [
    `${time(entry.start, zone)} – ${time(entry.end, zone)}`, [entry.title, entry.subtitle && el('span', { class: 'dim' }, ` ${entry.subtitle}`)],
    el('span', { class: `tag ${tone[entry.outcome] ?? ''}` }, t(`stations.outcome-${entry.outcome}`)),
    entry.heardStart ? [`${time(entry.heardStart, zone, true)} – ${time(entry.heardEnd, zone, true)}`, el('div', { class: 'dim small' }, late(entry))] : '',
    length(entry.heardSeconds), number(entry.songs), number(entry.spots), entry.others.join(', ')]));
}

function unannounced(plays) {
  if (!plays.length) return null;
  return [el('h4', {}, t('stations.unannounced')), el('ul', {}, plays.map((play) => el('li', {}, `${time(play.start, data.timeZone, true)} ${caption(play)}, ${length(play.played)}`)))];
}
