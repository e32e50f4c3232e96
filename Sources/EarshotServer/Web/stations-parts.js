// What the pages of stations share: times in a station's zone, kinds and their colors, live states, faults.
import { clock, el, faultBox, number, show, t } from './page.js';

const language = document.documentElement.lang;
const styles = new Map();

function style(zone, options) {
  const key = zone + JSON.stringify(options);
  if (!styles.has(key)) {
    try {
      styles.set(key, new Intl.DateTimeFormat(language, { timeZone: zone, ...options }));
    } catch {
      // A zone that this browser does not know.
      styles.set(key, new Intl.DateTimeFormat(language, { timeZone: 'UTC', ...options }));
    }
  }
  return styles.get(key);
}

// The time of day in a zone.
export function time(date, zone, seconds = false) {
  return style(zone, { hour: '2-digit', minute: '2-digit', hourCycle: 'h23', ...(seconds ? { second: '2-digit' } : {}) }).format(new Date(date));
}

// Day and time in a zone.
export function dayTime(date, zone) {
  return style(zone, { dateStyle: 'medium', timeStyle: 'short', hourCycle: 'h23' }).format(new Date(date));
}

// The day of an instant in a zone, as addresses have it: 2026-05-01.
export function dayOf(date, zone) {
  const parts = style(zone, { year: 'numeric', month: '2-digit', day: '2-digit', calendar: 'iso8601', numberingSystem: 'latn' }).formatToParts(new Date(date));
  const part = (name) => parts.find(({ type }) => type === name).value;
  return `${part('year').padStart(4, '0')}-${part('month')}-${part('day')}`;
}

// A day of an address in words.
export function dayWords(text) {
  return style('UTC', { weekday: 'short', year: 'numeric', month: 'long', day: 'numeric' }).format(new Date(`${text}T00:00:00Z`));
}

// The day some days before or after another one.
export function dayBeside(text, days) {
  return new Date(Date.parse(`${text}T00:00:00Z`) + days * 86_400_000).toISOString().slice(0, 10);
}

// The day that an address asks for; null for none.
export function askedDay() {
  const text = new URLSearchParams(location.search).get('day') ?? '';
  return /^\d{4}-\d\d-\d\d$/.test(text) && !Number.isNaN(Date.parse(text)) ? text : null;
}

// Two shades of each kind, as in the picture of `earshot playlog report`: told apart with every common form of color blindness.
const shades = {
  song: ['#ff9f1c', '#d67e00'], songUnderSpeech: ['#ffe0ae', '#e5c084'], jingle: ['#56b4e9', '#56b4e9'],
  advertisement: ['#e58fc0', '#e58fc0'], programme: ['#1c7a63', '#145c4a'], unknown: ['#5c6580', '#4d556e'],
};
export const kinds = Object.keys(shades);
export function shade(kind, number = 0) { return (shades[kind] ?? ['#e8dc4a', '#c9be33'])[number % 2]; }
export function ink(kind) { return kind === 'programme' || kind === 'unknown' ? '#fff' : '#17181c'; }

// A text that may lack: the operator's own kinds and reasons stand as they are.
function word(group, name) {
  const text = t(`stations.${group}-${name}`);
  return text.startsWith('stations.') ? name : text;
}
export const kindName = (kind) => word('kind', kind);
export const audioName = (kind) => word('audio', kind);
export const reasonName = (reason) => word('reason', reason);

export function kindTag(kind) {
  const spot = el('span', { class: 'st-spot', 'aria-hidden': 'true' });
  spot.style.setProperty('background', shade(kind));
  return el('span', { class: 'tag' }, spot, kindName(kind));
}

// What plays, in one line.
export function caption(play) {
  return [play.title, play.artist].filter(Boolean).join(' – ') || play.reference || kindName(play.kind);
}

// A title that leads to all plays of the song.
export function songLink(play, text = play.title || play.reference || kindName(play.kind)) {
  return play.reference ? el('a', { href: `/stations/songs?${new URLSearchParams({ reference: play.reference })}` }, text) : text;
}

// A title with who plays below it.
export function titled(play, link = songLink(play)) { return [link, play.artist && el('div', { class: 'dim small' }, play.artist)]; }

export function stationAddress(id, day) { return `/stations/station/${encodeURIComponent(id)}${day ? `?day=${day}` : ''}`; }

// A table in a frame that can be scrolled. Of a column's name `#` makes its cells numbers, `=` keeps them on one line, and `-` leaves it out on
// a phone. Rows are lists of cells, or tr elements.
export function table(label, columns, rows, body = el('tbody')) {
  const all = columns.map((column) => ({
    name: column.replace(/^[-#=]+/, ''),
    class: [/^-?#/.test(column) && 'number', /^-?=/.test(column) && 'st-line', column.startsWith('-') && 'st-less'].filter(Boolean).join(' ') || null,
  }));
  show(body, rows.map((row) => cells(row, all)));
  return el('div', { class: 'table', tabindex: 0, role: 'region', 'aria-label': label }, el('table', {},
    el('thead', {}, el('tr', {}, all.map((column) => el('th', { scope: 'col', class: column.class }, t(`stations.col-${column.name}`))))), body));
}

function cells(row, columns) {
  return Array.isArray(row) ? el('tr', {}, row.map((cell, index) => el('td', { class: columns[index].class }, cell))) : row;
}

// Seconds as words for a sentence: 4:05 or 1:02:03.
export function length(seconds) { return clock(Math.round(seconds)); }

// A share as 68.4 %.
export function percent(share) { return number(share, { style: 'percent', maximumFractionDigits: 1 }); }

// Parameters of a request. The service takes a plus sign for one.
export function query(values) { return new URLSearchParams(values).toString().replaceAll('+', '%20'); }

// Shows what went wrong; a service that has no stations says what to do.
export function showFault(place, failure, retry) {
  const none = failure.code === 'entityNotFound' && /--stations/.test(failure.message);
  show(place, none
    ? el('div', { class: 'note' }, el('h2', {}, t('stations.noneTitle')), el('p', {}, t('stations.none')), el('pre', {}, 'earshot monitor run /etc/earshot/stations.json\nearshot serve --stations /etc/earshot'))
    : faultBox(failure, retry));
}

// A sentence where the monitor does not run; null where it does.
export function monitorNote(list) {
  if (list.monitor === 'running') return null;
  return el('p', { class: 'note' }, list.monitor === 'neverStarted' ? t('stations.neverStarted')
    : t('stations.ended', { time: dayTime(list.monitorDate, list.timeZone) }));
}

// Calls `on` with the states of all stations whenever they change, and `connected` with whether the service can be reached.
export function live(on, connected = () => {}) {
  let source;
  const again = async () => {
    const session = await fetch('/session').then((answer) => answer.json()).catch(() => null);
    if (session?.isSignedIn !== false) open();
    else location.assign(`/sign-in?back=${encodeURIComponent(location.pathname + location.search)}`);
  };
  const open = () => {
    source = new EventSource('/v1/stations/events');
    source.addEventListener('stations', (event) => { connected(true); on(JSON.parse(event.data)); });
    source.addEventListener('error', () => {
      connected(false);
      // A refusal ends it for good: the service is just being started, or the sign-in was ended.
      if (source.readyState === EventSource.CLOSED) setTimeout(again, 3_000);
    });
  };
  open();
}

// The colors of the page, which differ by day and night.
export function colors() {
  const all = getComputedStyle(document.documentElement);
  return (name) => all.getPropertyValue(`--${name}`).trim();
}

// Makes a canvas as sharp as the screen, and gives its drawing context in CSS pixels.
export function sharp(canvas, width, height) {
  const scale = Math.min(3, window.devicePixelRatio || 1);
  if (canvas.width !== Math.round(width * scale) || canvas.height !== Math.round(height * scale)) {
    canvas.width = Math.round(width * scale);
    canvas.height = Math.round(height * scale);
    canvas.style.setProperty('height', `${height}px`);
  }
  const pen = canvas.getContext('2d');
  pen.setTransform(scale, 0, 0, scale, 0, 0);
  pen.clearRect(0, 0, width, height);
  return pen;
}

// Fills a rectangle with slanted lines: a station was not heard.
export function hatch(pen, x, y, width, height, color) {
  pen.save();
  pen.beginPath();
  pen.rect(x, y, width, height);
  pen.clip();
  pen.globalAlpha = 0.18;
  pen.fillStyle = color;
  pen.fillRect(x, y, width, height);
  pen.globalAlpha = 1;
  pen.strokeStyle = color;
  pen.lineWidth = 1.5;
  pen.beginPath();
  for (let offset = -height; offset < width; offset += 8) { pen.moveTo(x + offset, y + height); pen.lineTo(x + offset + height, y); }
  pen.stroke();
  pen.strokeRect(x + 0.5, y + 0.5, Math.max(1, width - 1), height - 1);
  pen.restore();
}
