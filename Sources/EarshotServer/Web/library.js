// The library of the service's media folders: lists, commands in words, and a player.
import { app, ask, busy, clock, el, faultBox, say, show, t } from './page.js';
import { queue } from './library-queue.js';
import { Playback } from './library-player.js';

// How many albums or tracks are asked for at a time.
const pageSize = 60;

const words = el('input', { type: 'search', name: 'q', maxlength: 400, autocomplete: 'off', placeholder: t('library.example'), 'aria-describedby': 'commands' });
const answer = el('div', { id: 'answer', 'aria-live': 'polite' });
const list = el('div', { id: 'list' });
const views = el('nav', { class: 'tabs', 'aria-label': t('library.views') });
const playback = new Playback();

show(app,
  el('form', { class: 'card', role: 'search', onsubmit: (event) => { event.preventDefault(); go(words.value); } },
    el('label', { class: 'command' }, t('library.command'), el('span', { class: 'row' }, words, el('button', {}, t('library.go')))),
    el('p', { class: 'dim small', id: 'commands' }, t('library.commands'))),
  answer, playback.node, views, list);

addEventListener('popstate', () => open());
await open();
playback.restore();

// Shows what the address says.
async function open() {
  const parameters = new URLSearchParams(location.search);
  const view = parameters.get('view') === 'tracks' ? 'tracks' : 'albums';
  show(views, ['albums', 'tracks'].map((name) => el('a', {
    href: `?view=${name}`, 'aria-current': name === view ? 'page' : null,
    onclick: (event) => { event.preventDefault(); visit({ view: name }); },
  }, t(`library.${name}`))));
  words.value = parameters.get('q') ?? '';
  show(answer);
  if (words.value) await find(words.value, false);
  await fill(view);
}

function visit(change) {
  const parameters = new URLSearchParams(location.search);
  for (const [name, value] of Object.entries(change)) value ? parameters.set(name, value) : parameters.delete(name);
  history.pushState(null, '', `?${parameters}`);
  open();
}

// Lists.

async function fill(view) {
  const rows = el(view === 'albums' ? 'div' : 'ol', { class: view === 'albums' ? 'albums' : 'plain' });
  const foot = el('p', { class: 'row' });
  show(list, el('h2', {}, t(`library.${view}`)), rows, foot);
  await more(view, rows, foot, 0);
}

async function more(view, rows, foot, offset) {
  show(foot, busy());
  try {
    const page = await ask(`/v1/library/${view}?offset=${offset}&limit=${pageSize}`);
    const entries = page[view];
    rows.append(...entries.map(view === 'albums' ? albumCard : trackRow));
    const end = offset + entries.length;
    show(foot,
      page.total === 0 && page.isComplete ? el('span', { class: 'note' }, t('library.empty')) : null,
      end < page.total ? el('button', { class: 'second', onclick: () => more(view, rows, foot, end) }, t('library.more')) : null,
      page.isComplete ? el('span', { class: 'dim' }, t(`library.${view}Count`, { count: page.total })) : scanning(view, page.indexed));
  } catch (error) {
    show(foot, refused(error) ?? faultBox(error, () => more(view, rows, foot, offset)));
  }
}

// The folders are still looked at: the list is of what is known so far, and is made again when there is more.
function scanning(view, count) {
  setTimeout(() => { if (list.isConnected && (new URLSearchParams(location.search).get('view') ?? 'albums') === view) fill(view); }, 1500);
  return busy(t('library.scanning', { count }));
}

// What a person can do who may not play the library, or where there is none.
function refused(error) {
  if (error.code === 'accessDenied') return el('p', { class: 'note', role: 'alert' }, t('library.denied'));
  if (error.code === 'entityNotFound') return el('p', { class: 'note', role: 'alert' }, t('library.none'));
  return null;
}

function albumCard(album) {
  const length = album.tracks.reduce((sum, track) => sum + (track.duration ?? 0), 0);
  const about = [album.artist, album.year].filter(Boolean).join(' · ');
  return el('article', { class: 'card album' },
    el('div', { class: 'row' },
      el('div', { class: 'wide' }, el('h3', {}, album.name), el('p', { class: 'dim small' }, about || t('library.unknownArtist'))),
      el('button', { class: 'second small', onclick: () => begin(album.tracks), 'aria-label': t('library.playNamed', { name: album.name }) }, t('library.play'))),
    el('details', {},
      el('summary', { class: 'small' }, t('library.tracksOf', { count: album.tracks.length, length: clock(length) })),
      el('ol', { class: 'plain' }, album.tracks.map(trackRow))));
}

// A row of a list of tracks, of which it is played with those that follow.
function trackRow(track, place, all) {
  return el('li', { class: 'item track' },
    el('button', { class: 'second small', 'aria-label': t('library.playNamed', { name: track.title }), onclick: () => begin(all, place) }, t('library.play')),
    el('span', { class: 'wide' }, track.title, el('br'), el('span', { class: 'dim small' }, [track.artist, track.album].filter(Boolean).join(' · '))),
    el('span', { class: 'number dim' }, track.duration ? clock(track.duration) : ''));
}

function begin(tracks, place = 0) {
  queue.replace(tracks, place);
  playback.start();
}

// Commands.

function go(text) {
  const trimmed = text.trim();
  if (!trimmed) return;
  const parameters = new URLSearchParams(location.search);
  parameters.set('q', trimmed);
  history.pushState(null, '', `?${parameters}`);
  find(trimmed, true);
}

// Finds what words mean. What is meant without question is played when somebody has just said it, and not when a page is loaded.
async function find(text, isNew) {
  show(answer, busy(t('library.looking')));
  let told;
  try {
    told = await ask(`/v1/library/search?tracks=1&limit=12&q=${encodeURIComponent(text)}`);
  } catch (error) {
    show(answer, refused(error) ?? faultBox(error, () => find(text, isNew)));
    return;
  }
  if (told.command === 'nextTrack') {
    show(answer);
    if (isNew && !playback.next()) notify(t('library.noNext'));
  } else if (told.command === 'source') {
    notify(t('library.noSource'));
  } else if (told.choice !== undefined && isNew) {
    choose(told.candidates[told.choice]);
  } else if (!told.candidates.length) {
    notify(t(told.isComplete ? 'library.nothing' : 'library.nothingYet', { name: told.name ?? text }));
  } else {
    choice(told.candidates);
  }
}

function notify(sentence) { show(answer, el('p', { class: 'note', role: 'status' }, sentence)); }

// Several may be meant: somebody chooses, or cancels, and then all is as it was.
function choice(candidates) {
  const heading = el('h2', { tabindex: '-1' }, t('library.which'));
  show(answer, el('section', { class: 'card choice' }, heading,
    el('ul', { class: 'plain' }, candidates.map((candidate) => el('li', { class: 'item' },
      el('span', { class: 'tag' }, t(`library.${candidate.kind}`)),
      el('span', { class: 'wide' }, candidate.name, el('br'), el('span', { class: 'dim small' }, [candidate.artist, candidate.album].filter(Boolean).join(' · '))),
      el('button', { class: 'second small', 'aria-label': t('library.playNamed', { name: candidate.name }), onclick: () => choose(candidate) }, t('library.play'))))),
    el('p', {}, el('button', { class: 'plain', onclick: cancel }, t('library.cancel')))));
  heading.focus();
}

function cancel() {
  show(answer);
  say(t('library.canceled'));
  words.focus();
}

function choose(candidate) {
  const tracks = candidate.tracks ?? [];
  if (!tracks.length) return notify(t('library.nothing', { name: candidate.name }));
  notify(t('library.playing', { name: candidate.name, count: tracks.length }));
  begin(tracks);
}
