// The tracklist of a mix: sent with its progress, followed, shown as a timeline that plays.
import { app, ask, busy, clock, day, el, events, faultBox, Failure, fileDrop, number, say, save, show, t, wait } from './page.js';
import { Sending } from './uploads.js';
import { Timeline } from './tracklist-timeline.js';

const finals = ['done', 'failed', 'cancelled'];
// The file that was dropped, by the job that it became: it is played from here and never comes back from the service.
const files = new Map();
let leave = new AbortController();

addEventListener('popstate', open);
open();

// Shows what the address names.
function open() {
  leave.abort(new DOMException('left', 'AbortError'));
  leave = new AbortController();
  const job = new URLSearchParams(location.search).get('job');
  if (job) follow(job, leave.signal); else begin(leave.signal);
}

function go(address) {
  history.pushState(null, '', address);
  open();
}

// MARK: Sending

async function begin(signal) {
  const earlier = el('div');
  show(app,
    el('section', { class: 'card column' },
      el('p', {}, t('tracklist.about')),
      fileDrop(t('tracklist.drop'), 'audio/*,video/*,.earsig', ([file]) => send(file)),
      el('p', { class: 'dim small' }, t('tracklist.kept'))),
    earlier);
  const told = await ask('/v1/tracklists', { signal }).catch(() => []);
  if (signal.aborted || !told.length) return;
  show(earlier, el('section', { class: 'card' }, el('h2', {}, t('tracklist.earlier')),
    el('ul', { class: 'plain' }, told.map(({ job, name }) => el('li', { class: 'item' },
      el('div', { class: 'wide' }, el('a', { href: `/tracklist?job=${encodeURIComponent(job.id)}` }, name || t('tracklist.unnamed')),
        el('div', { class: 'dim small' }, day(job.created), ' · ', t(`tracklist.${job.state}`))))))));
}

async function send(file) {
  const sending = new Sending(file);
  const { signal } = leave;
  // Whoever goes back in the browser wants nothing of it any more.
  signal.addEventListener('abort', () => sending.cancel(), { once: true });
  const keep = (event) => event.preventDefault();
  addEventListener('beforeunload', keep);
  show(app, sending.card);
  try {
    const told = await sending.send(`/v1/tracklists?name=${encodeURIComponent([...file.name].slice(0, 400).join(''))}`, { limit: 'tracklist', hint: 'tooLargeTracklist' });
    files.set(told.job.id, file);
    removeEventListener('beforeunload', keep);
    go(`/tracklist?job=${encodeURIComponent(told.job.id)}`);
  } catch (error) {
    removeEventListener('beforeunload', keep);
    if (signal.aborted) return;
    await begin(signal);
    if (error.name !== 'AbortError') app.firstChild.append(fault(error, () => send(file)));
  }
}

// A box with what went wrong, in the words of this page where it has some.
function fault(error, retry) {
  const own = t(`tracklist.fault-${error.code}`);
  const box = faultBox(error, retry);
  if (!own.startsWith('tracklist.')) box.firstChild.textContent = own;
  return box;
}

// MARK: Waiting

async function follow(id, signal) {
  const path = `/v1/tracklists/${encodeURIComponent(id)}`;
  show(app, busy());
  try {
    let told = await ask(path, { signal });
    if (!finals.includes(told.job.state)) {
      await progress(told, path, signal);
      told = await ask(path, { signal });
    }
    if (told.tracklist) result(told, path, signal);
    else ended(told);
  } catch (error) {
    if (error.name === 'AbortError') return;
    show(app, el('div', { class: 'column' }, fault(error, open), el('p', {}, another())));
  }
}

// Shows how far a job is until it is over. A connection that was lost is made again.
async function progress({ job, name }, path, signal) {
  const bar = el('progress', { max: 1, value: job.progress, 'aria-label': t('tracklist.progress') });
  const status = el('p', { role: 'status' });
  show(app, el('section', { class: 'card column' }, el('h2', {}, name || t('tracklist.unnamed')), bar, status,
    el('p', { class: 'dim small' }, t('tracklist.comeBack')),
    el('p', {}, el('button', {
      class: 'second',
      onclick: async () => { await ask(path, { method: 'DELETE' }).catch(() => {}); go('/tracklist'); },
    }, t('tracklist.cancel')))));
  const draw = (record) => {
    bar.value = record.progress;
    const phase = record.state === 'waiting' ? 'waiting' : record.progress < 0.3 ? 'reading' : 'searching';
    const sentence = t(`tracklist.${phase}`);
    if (status.textContent !== sentence) status.textContent = sentence;
    return finals.includes(record.state);
  };
  draw(job);
  for (;;) {
    try {
      for await (const record of events(`${path}/events`, { signal })) if (draw(record)) return;
      if (draw((await ask(path, { signal })).job)) return;
    } catch (error) {
      if (error.name === 'AbortError' || error.status === 404) throw error;
    }
    await wait(1000, signal);
  }
}

function another() { return el('a', { class: 'button second', href: '/tracklist' }, t('tracklist.another')); }

function ended({ job, name }) {
  const file = files.get(job.id);
  const why = job.state === 'failed'
    ? fault(new Failure(0, job.error?.code ?? 'unknown', job.error?.message ?? ''), file ? () => send(file) : null)
    : el('p', { class: 'note' }, t(job.state === 'done' ? 'tracklist.gone' : 'tracklist.cancelled'));
  show(app, el('section', { class: 'card column' }, el('h2', {}, name || t('tracklist.unnamed')), why, el('p', {}, another())));
}

// MARK: The list

function result({ job, name, tracklist }, path, signal) {
  const lines = [
    ...tracklist.matches.filter((entry) => !entry.duplicateOf).map((entry) => ({ begin: entry.queryBegin, end: entry.queryEnd, entry })),
    ...tracklist.unknown.map((gap) => ({ begin: gap.queryBegin, end: gap.queryEnd })),
  ].sort((a, b) => a.begin - b.begin);
  const unknown = tracklist.unknown.reduce((sum, gap) => sum + gap.queryEnd - gap.queryBegin, 0);
  const sound = el('audio', { controls: true, preload: 'metadata', 'aria-label': t('tracklist.player') });
  const place = el('div', { class: 'column' });
  const seek = (time) => {
    if (!sound.src) { place.querySelector('input')?.focus(); say(t('tracklist.needsFile', { name })); return; }
    sound.currentTime = time;
    sound.play().catch(() => {});
  };
  const rows = lines.map((line) => ({ ...line, node: row(line, tracklist, seek) }));
  const timeline = new Timeline(lines, tracklist.duration, (time) => {
    mark(rows, time)?.scrollIntoView({ block: 'nearest' });
    seek(time);
  });
  const tracks = lines.filter((line) => line.entry).length;
  show(app, el('section', { class: 'card column' },
    el('h2', { tabindex: '-1' }, name || t('tracklist.unnamed')),
    el('p', { class: 'dim' }, [
      t('tracklist.tracks', { count: number(tracks) }),
      clock(tracklist.duration), unknown ? t('tracklist.unknownTime', { time: clock(unknown) }) : t('tracklist.complete'),
    ].join(' · ')),
    timeline.node, place,
    tracks ? null : el('p', { class: 'note' }, t('tracklist.nothing')),
    el('ol', { class: 'plain tracks' }, rows.map((entry) => entry.node)),
    el('h3', {}, t('tracklist.download')),
    el('div', {}, downloads(path, name), el('p', { class: 'row' }, another(), remove(path)))));
  const listen = (file) => {
    files.set(job.id, file);
    sound.src = URL.createObjectURL(file);
    show(place, sound);
  };
  sound.addEventListener('loadedmetadata', () => {
    if (Math.abs(sound.duration - tracklist.duration) > 3) place.append(el('p', { class: 'note', role: 'status' }, t('tracklist.otherFile')));
  });
  sound.addEventListener('error', () => sound.src && show(place, el('p', { class: 'note', role: 'status' }, t('tracklist.unplayable'))));
  sound.addEventListener('timeupdate', () => { timeline.at = sound.currentTime; mark(rows, sound.currentTime); });
  signal.addEventListener('abort', () => { sound.pause(); if (sound.src) URL.revokeObjectURL(sound.src); timeline.close(); }, { once: true });
  const file = files.get(job.id);
  if (file) listen(file);
  else show(place, fileDrop(t('tracklist.needsFile', { name: name || t('tracklist.unnamed') }), 'audio/*,video/*', ([chosen]) => listen(chosen)));
  app.querySelector('h2').focus();
  say(t('tracklist.tracks', { count: number(tracks) }));
}

// Marks the line that is heard at a time: of several the one that began last.
function mark(rows, time) {
  const now = rows.findLast((line) => line.begin <= time && time < line.end)?.node;
  for (const { node } of rows) if (node === now) node.setAttribute('aria-current', 'true'); else node.removeAttribute('aria-current');
  return now;
}

function row({ begin, end, entry }, tracklist, seek) {
  const play = (label) => el('button', { class: 'second small', 'aria-label': label, onclick: () => seek(begin) }, '▶');
  const time = el('span', { class: 'number dim' }, `${clock(begin)} – ${clock(end)}`);
  if (!entry) {
    return el('li', { class: 'item' }, play(t('tracklist.playFrom', { name: t('tracklist.unknown'), time: clock(begin) })), time,
      el('div', { class: 'wide dim' }, t('tracklist.unknown')));
  }
  const title = entry.title ?? entry.id;
  const percent = (value) => number(value, { style: 'percent', signDisplay: 'exceptZero', maximumFractionDigits: 1 });
  const about = [entry.artist, entry.album,
    Math.abs(entry.speedSkew) >= 0.0025 ? t('tracklist.speed', { percent: percent(entry.speedSkew) }) : null,
    Math.abs(entry.pitchSkew - entry.speedSkew) >= 0.004 ? t('tracklist.pitch', { percent: percent(entry.pitchSkew) }) : null];
  const others = tracklist.matches.filter((other) => other.duplicateOf === entry.id && other.queryBegin < end && other.queryEnd > begin);
  return el('li', { class: 'item' }, play(t('tracklist.playFrom', { name: title, time: clock(begin) })), time,
    el('div', { class: 'wide' },
      el('div', {}, entry.trackID ? el('a', { href: `/tracks/${encodeURIComponent(entry.trackID)}` }, title) : title),
      el('div', { class: 'dim small' }, about.filter(Boolean).join(' · ')),
      others.length ? el('details', { class: 'small' }, el('summary', {}, t('tracklist.alternatives', { count: number(others.length) })),
        el('ul', {}, others.map((other) => el('li', {}, [other.title ?? other.id, other.artist, other.album].filter(Boolean).join(' · '))))) : null),
    el('span', { class: 'dim small number', title: t('tracklist.sure') }, number(Math.floor(entry.confidence * 100) / 100, { style: 'percent' })));
}

function downloads(path, name) {
  const stem = name.replace(/\.[^.]*$/, '') || 'tracklist';
  return el('p', { class: 'row' }, ['cue', 'csv', 'json'].map((format) => el('button', {
    class: 'second small',
    onclick: async (event) => {
      const place = event.target.parentElement;
      try {
        const answer = await ask(`${path}/file?format=${format}`, { raw: true });
        save(`${stem}.${format}`, answer.headers.get('Content-Type'), await answer.arrayBuffer());
      } catch (error) {
        place.after(fault(error));
      }
    },
  }, t(`tracklist.format-${format}`))));
}

function remove(path) {
  return el('button', {
    class: 'danger',
    onclick: async (event) => {
      if (!confirm(t('tracklist.removeSure'))) return;
      try {
        await ask(path, { method: 'DELETE' });
        go('/tracklist');
      } catch (error) {
        event.target.parentElement.after(fault(error));
      }
    },
  }, t('tracklist.remove'));
}
