// What was recognized for the person who has signed in: by pages, searched, with places, downloaded, removed.
import { app, ask, busy, clock, day, el, faultBox, number, say, show, t } from './page.js';
import { cover, link, title } from './match.js';
import { canLocate, isSignedIn, keepPlace, locate, placeSwitch } from './place.js';

const size = 20;
// For how many milliseconds a place can be added to what was recognized: somebody is still there.
const recent = 900_000;

const query = el('input', { type: 'search', name: 'q', maxlength: 400, enterkeyhint: 'search' });
const list = el('div', { id: 'entries' });
let turn = 0;

if (isSignedIn) begin();
else invite();

function invite() {
  const back = encodeURIComponent(location.pathname + location.search);
  show(app, el('section', { class: 'card' },
    el('h2', {}, t('history.invitation')),
    el('p', {}, t('history.invitationHelp')),
    el('p', {}, el('a', { class: 'button', href: `/sign-in?back=${back}` }, t('history.signIn')))));
}

function begin() {
  show(app,
    el('form', { class: 'row seek', role: 'search', onsubmit: (event) => { event.preventDefault(); visit(query.value.trim(), 0); } },
      el('label', { class: 'wide' }, t('history.search'), query),
      el('button', {}, t('history.go'))),
    list,
    el('section', { class: 'card' }, placeSwitch()));
  addEventListener('popstate', () => load(true));
  load();
}

function state() {
  const values = new URLSearchParams(location.search);
  const offset = Number.parseInt(values.get('offset') ?? '0', 10);
  return { words: values.get('q') ?? '', offset: Math.max(0, Math.floor((offset || 0) / size) * size) };
}

function address(words, offset) {
  const values = new URLSearchParams();
  if (words) values.set('q', words);
  if (offset) values.set('offset', offset);
  return values.size ? `/history?${values}` : '/history';
}

function visit(words, offset) {
  history.pushState(null, '', address(words, offset));
  load(true);
}

// Shows what the address says. What was there stays until the rest is known.
async function load(movesFocus = false) {
  const { words, offset } = state();
  const current = turn += 1;
  query.value = words;
  list.setAttribute('aria-busy', 'true');
  if (!list.childElementCount) show(list, busy(t('history.loading')));
  try {
    const values = new URLSearchParams({ offset, limit: size, coverArt: 1, sizes: 'SMALL,THUMBNAIL' });
    if (words) values.set('q', words);
    const page = await ask(`/v1/history?${values}`);
    if (current !== turn) return;
    // The last entry of the last page was removed.
    if (!page.entries.length && page.total && offset) { history.replaceState(null, '', address(words, Math.floor((page.total - 1) / size) * size)); await load(movesFocus); return; }
    draw(page, words, offset);
    if (movesFocus) list.querySelector('h2')?.focus();
  } catch (failure) {
    if (current !== turn) return;
    if (failure.status === 401 || failure.status === 403) invite();
    else show(list, faultBox(failure, () => load(true)));
  } finally {
    if (current === turn) list.removeAttribute('aria-busy');
  }
}

function draw(page, words, offset) {
  if (!page.total) {
    show(list, el('section', { class: 'card' },
      el('h2', { tabindex: '-1' }, words ? t('history.nothing', { words }) : t('history.empty')),
      words
        ? el('p', {}, el('a', { href: '/history', onclick: (event) => { event.preventDefault(); visit('', 0); } }, t('history.showAll')))
        : [el('p', {}, t('history.emptyHelp')), el('p', {}, el('a', { class: 'button second', href: '/' }, t('history.recognize')))]));
    return;
  }
  const days = new Map();
  for (const entry of page.entries) {
    const name = day(entry.date, { dateStyle: 'full' });
    days.set(name, [...days.get(name) ?? [], entry]);
  }
  const range = t('history.range', { from: number(offset + 1), to: number(offset + page.entries.length), total: number(page.total) });
  show(list,
    el('h2', { tabindex: '-1', class: 'dim small range' }, range),
    [...days].map(([name, entries]) => el('section', {}, el('h3', {}, name), el('ul', { class: 'plain' }, entries.map(row)))),
    turns(page, words, offset),
    words ? null : foot(page.total));
}

function turns(page, words, offset) {
  const to = (name, rel, place) => el('a', {
    class: 'button second', rel, href: address(words, place), onclick: (event) => { event.preventDefault(); visit(words, place); },
  }, t(`history.${name}`));
  const newer = offset > 0 && to('newer', 'prev', Math.max(0, offset - size));
  const older = offset + page.entries.length < page.total && to('older', 'next', offset + size);
  return newer || older ? el('nav', { class: 'row pager', 'aria-label': t('history.pages') }, newer, older) : null;
}

// MARK: An entry

function name(entry) {
  const { match } = entry;
  return match.artist && match.trackTitle ? t('history.entryName', { title: title(match), artist: match.artist }) : title(match);
}

function row(entry) {
  const { match } = entry;
  const about = [
    link('artists', match.artistID, match.artist),
    match.albumTitle && [' · ', link('albums', match.albumID, match.albumTitle)],
  ];
  const meta = el('div', { class: 'dim small meta' },
    el('time', { datetime: entry.date }, day(entry.date, { timeStyle: 'short' })),
    match.songPosition > 0 && entry.kind === 'stream' ? t('history.at', { position: clock(match.songPosition / 1000) }) : null,
    entry.kind === 'file' ? t('history.file') : null,
    entry.place && placeText(entry.place));
  const actions = el('div', { class: 'row actions' });
  const item = el('li', { class: 'item entry', data: { entry: entry.id } },
    cover(match.coverArt, title(match), 'thumb'),
    el('div', { class: 'wide' },
      el('div', {}, link('tracks', match.trackID, title(match))), el('div', { class: 'small' }, about), meta),
    actions);
  offer(entry, actions);
  return item;
}

// A place as people read it, with a map of somebody else's, which is opened only by who presses the link.
function placeText({ latitude, longitude, accuracy }) {
  const degrees = (value) => number(Math.abs(value), { minimumFractionDigits: 4, maximumFractionDigits: 4 });
  const words = [
    t(`history.latitude-${latitude < 0 ? 'south' : 'north'}`, { value: degrees(latitude) }),
    t(`history.longitude-${longitude < 0 ? 'west' : 'east'}`, { value: degrees(longitude) }),
  ].join(', ');
  const map = `https://www.openstreetmap.org/?mlat=${latitude}&mlon=${longitude}#map=16/${latitude}/${longitude}`;
  return el('span', { class: 'place' }, words,
    accuracy ? ` ${t('history.accuracy', { meters: number(Math.ceil(accuracy)) })}` : '', ' ',
    el('a', { href: map, target: '_blank', rel: 'noopener noreferrer' }, t('history.map')));
}

// What can be done with an entry.
function offer(entry, actions) {
  const isRecent = Date.now() - new Date(entry.date).getTime() < recent;
  const button = (text, run, style = 'plain') => el('button', { class: `${style} small`, 'aria-label': `${t(text)}: ${name(entry)}`, onclick: run }, t(text));
  show(actions,
    entry.place && button('history.forgetPlace', () => change(entry, actions, () => ask(`/v1/history/${entry.id}/place`, { method: 'DELETE' }), 'history.placeForgotten')),
    !entry.place && isRecent && canLocate && button('history.addPlace', () => addPlace(entry, actions)),
    button('history.remove', () => confirmRemoval(entry, actions)));
}

async function addPlace(entry, actions) {
  show(actions, busy(t('history.addingPlace')));
  let place;
  try {
    place = await locate();
  } catch (error) {
    offer(entry, actions);
    actions.append(el('p', { class: 'dim small', role: 'status' }, t(`history.${error.reason}`)));
    return;
  }
  change(entry, actions, () => keepPlace(entry.id, place), 'history.placeAdded');
}

function confirmRemoval(entry, actions) {
  const back = () => { offer(entry, actions); actions.querySelector('button:last-of-type')?.focus(); };
  const keep = el('button', { class: 'second small', onclick: back }, t('history.keep'));
  show(actions, el('span', { class: 'small' }, t('history.removeQuestion')),
    el('button', {
      class: 'danger small',
      onclick: () => change(entry, actions, () => ask(`/v1/history/${entry.id}`, { method: 'DELETE' }), 'history.removed'),
    }, t('history.remove')), keep);
  actions.onkeydown = (event) => { if (event.key === 'Escape') { actions.onkeydown = null; back(); } };
  keep.focus();
}

// Changes something, and shows the list as it is then.
async function change(entry, actions, work, done) {
  show(actions, busy());
  try {
    await work();
  } catch (failure) {
    // Somebody has removed it elsewhere.
    if (failure.status !== 404) { show(actions, faultBox(failure, () => change(entry, actions, work, done))); return; }
  }
  const place = [...list.querySelectorAll('.entry')].findIndex((item) => item.dataset.entry === String(entry.id));
  await load();
  say(t(done, { name: name(entry) }));
  const items = [...list.querySelectorAll('.entry')];
  (items[Math.min(place, items.length - 1)]?.querySelector('.actions button') ?? list.querySelector('h2'))?.focus();
}

// MARK: The whole history

function foot(total) {
  const file = (format) => el('a', { class: 'button second', href: `/v1/history/export?format=${format}`, download: '' }, t(`history.${format}`));
  const dialog = el('dialog', { 'aria-labelledby': 'clear-title' },
    el('h2', { id: 'clear-title' }, t('history.clearTitle')),
    el('p', {}, t('history.clearHelp', { count: number(total) })),
    el('div', { class: 'row' },
      el('button', { class: 'second', autofocus: true, onclick: () => dialog.close() }, t('history.keep')),
      el('button', { class: 'danger', onclick: () => clear(dialog) }, t('history.clearNow'))));
  return el('section', { class: 'card' },
    el('h2', {}, t('history.download')),
    el('p', { class: 'row' }, file('listenbrainz'), file('json')),
    el('p', { class: 'dim small' }, t('history.listenbrainzHelp')),
    el('p', {}, el('button', { class: 'danger', onclick: () => dialog.showModal() }, t('history.clear'))),
    dialog);
}

async function clear(dialog) {
  const buttons = [...dialog.querySelectorAll('button')];
  buttons.forEach((button) => { button.disabled = true; });
  try {
    await ask('/v1/history', { method: 'DELETE' });
  } catch (failure) {
    buttons.forEach((button) => { button.disabled = false; });
    dialog.querySelector('.fault')?.remove();
    dialog.append(faultBox(failure));
    return;
  }
  dialog.close();
  history.replaceState(null, '', '/history');
  await load(true);
  say(t('history.cleared'));
}
