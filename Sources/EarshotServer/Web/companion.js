// A second screen: it listens, finds out which reference is played and where it is, and shows what belongs there.
import { app, ask, busy, clock, el, faultBox, Failure, number, say, show, t, wait } from './page.js';
import { missingMicrophone, Recorder, waveFile } from './recorder.js';
import { entriesOf, kindOf } from './timed-content.js';
import { Screen } from './companion-screen.js';
import { PositionLine } from './companion-line.js';

// The seconds of sound that are asked about, before anything is known, as a rule, and where what was heard last is in doubt.
const clips = { first: 6, usual: 5, short: 3 };
// The pause between two questions, in milliseconds.
const pause = { first: 1500, usual: 3000, short: 700 };
const ending = ['accessDenied', 'tokenRejected', 'quotaExceeded', 'tooManyRequests'];

const wanted = location.pathname.startsWith('/companion/') ? decodeURIComponent(location.pathname.slice('/companion/'.length)) : null;
const button = el('button', { class: 'listen', onclick: () => (session ? stop() : listen()) });
const meter = el('div', { class: 'meter', 'aria-hidden': 'true' });
const status = el('p', { role: 'status' });
const reason = el('div');
const live = el('div');
const below = el('div');
let session = null;

show(app, el('section', { class: 'card center stage' }, el('div', { class: 'pad small' }, meter, button), status,
  el('p', { class: 'dim small' }, t('companion.privacy')), reason), live, below);
set('idle');
await prepare();

async function prepare() {
  const missing = await missingMicrophone();
  if (missing) {
    button.disabled = true;
    show(reason, el('p', { class: 'note', data: { code: 'microphoneUnavailable' } }, t(`companion.mic-${missing}`)));
  }
  if (wanted) await about(wanted); else await list();
  // A page that was loaded again while it listened goes on.
  if (!missing && sessionStorage.getItem('companion-listens')) listen();
}

function set(state) {
  app.dataset.state = state;
  button.textContent = t(state === 'idle' ? 'companion.listen' : 'companion.stop');
  button.setAttribute('aria-pressed', state !== 'idle');
}

// MARK: What there is

async function list() {
  show(below, busy());
  try {
    const told = await ask('/v1/timelines?limit=200');
    if (!told.references.length) { show(below, el('p', { class: 'note' }, t('companion.none'))); return; }
    show(below, el('section', { class: 'card' }, el('h2', {}, t('companion.available')),
      el('ul', { class: 'plain' }, told.references.map((reference) => el('li', { class: 'item' }, el('div', { class: 'wide' },
        el('a', { href: address(reference.id) }, reference.title ?? reference.id),
        el('div', { class: 'dim small' }, [reference.subtitle, reference.artist, clock(reference.duration), counts(reference)].filter(Boolean).join(' · ')))))),
      told.total > told.references.length ? el('p', { class: 'dim' }, t('companion.more', { count: number(told.total - told.references.length) })) : null));
  } catch (error) {
    show(below, faultBox(error, list));
  }
}

function address(id) { return `/companion/${encodeURIComponent(id)}`; }

function counts({ entries, questions, chapters }) {
  return [entries && t('companion.entries', { count: number(entries) }), questions && t('companion.questions', { count: number(questions) }),
    chapters && t('companion.chapters', { count: number(chapters) })].filter(Boolean).join(', ');
}

// The details of a reference, and what there is to come.
async function about(id) {
  show(below, busy());
  try {
    const content = await ask(`/v1/references/${encodeURIComponent(id)}/content`);
    show(below, el('section', { class: 'card' }, details(content)), overview(content), ways(content));
  } catch (error) {
    show(below, faultBox(error, () => about(id)), el('p', {}, el('a', { href: '/companion' }, t('companion.all'))));
  }
}

function details(content) {
  const rows = [[t('companion.artist'), content.artist], [t('companion.album'), content.album], [t('companion.duration'), clock(content.duration)],
    ...content.details.map((detail) => [detail.name, detail.value])].filter(([, value]) => value);
  return [el('h2', { id: 'heading', tabindex: '-1' }, content.title ?? content.id), content.subtitle && el('p', {}, content.subtitle),
    el('dl', { id: 'details' }, rows.map(([name, value]) => [el('dt', {}, name), el('dd', {}, value)]))];
}

function ways(content) {
  return el('p', { class: 'row' }, el('a', { href: '/companion' }, t('companion.all')),
    content.isEditable && el('a', { class: 'button second', href: `${address(content.id)}/edit` }, t('companion.edit')));
}

function overview(content) {
  const lines = [
    ...content.chapters.map((chapter) => [chapter.begin, [chapter.title, chapter.subtitle].filter(Boolean).join(' · ')]),
    ...entriesOf(content).map((entry) => [entry.start, kindOf(entry) === 'question' ? t('companion.questionAt', { title: entry.title }) : entry.title]),
  ].sort((a, b) => a[0] - b[0]);
  if (!lines.length) return null;
  return el('details', { class: 'card' }, el('summary', {}, t('companion.contents', { count: number(lines.length) })),
    el('ol', { class: 'plain' }, lines.slice(0, 500).map(([time, title]) => el('li', { class: 'row' }, el('span', { class: 'number dim' }, clock(time)), title))));
}

// MARK: Listening

async function listen() {
  const recorder = new Recorder('microphone', { keep: 12 });
  const current = { recorder, abort: new AbortController(), reference: null, line: null, screen: null, other: null, clip: 'first' };
  session = current;
  show(reason);
  set('asking');
  status.textContent = t('companion.asksMicrophone');
  try {
    await recorder.start();
    if (session !== current) { recorder.stop(); return; }
    sessionStorage.setItem('companion-listens', '1');
    current.lock = await navigator.wakeLock?.request('screen').catch(() => null);
    set('recording');
    status.textContent = t('companion.listening');
    draw(current);
    await follow(current);
  } catch (error) {
    if (session === current) stop();
    if (error.name !== 'AbortError') refused(error);
  }
}

function refused(error) {
  const named = { NotAllowedError: 'denied', NotFoundError: 'none', NotReadableError: 'taken', SecurityError: 'insecure' }[error.name];
  if (!named) { show(reason, faultBox(error, listen)); return; }
  const box = faultBox(new Failure(0, 'microphoneUnavailable', error.message), listen);
  box.firstChild.textContent = t(`companion.mic-${named}`);
  box.dataset.code = 'microphoneUnavailable';
  show(reason, box);
}

function stop() {
  session?.abort.abort(new DOMException('stopped', 'AbortError'));
  session?.recorder.stop();
  session?.lock?.release().catch(() => {});
  session = null;
  sessionStorage.removeItem('companion-listens');
  meter.style.setProperty('--level', 0);
  set('idle');
  status.textContent = '';
}

// Asks again and again what is heard, until it is stopped.
async function follow(current) {
  const { recorder, abort: { signal } } = current;
  while (session === current) {
    await wait(pause[current.clip], signal);
    const seconds = clips[current.clip];
    if (recorder.seconds < clips.short) continue;
    const samples = recorder.samples(seconds);
    const began = performance.now() - (samples.length / 16_000) * 1000;
    // Silence is nothing that anybody needs to be asked about.
    if (samples.every((sample) => Math.abs(sample) < 0.002)) continue;
    try {
      const told = await ask('/v1/recognitions?kind=stream&single=0&history=0', {
        method: 'POST', body: waveFile(samples), headers: { 'Content-Type': 'audio/wav' },
        signal: AbortSignal.any([signal, AbortSignal.timeout(10_000)]),
      });
      if (session !== current) return;
      current.isOffline = false;
      await heard(current, told.matches, began, samples.length / 16_000);
    } catch (error) {
      if (signal.aborted) throw error;
      if (ending.includes(error.code)) throw error;
      // Without an answer the position goes on as it was.
      current.isOffline = error.code === 'connectionFailed' || error.name === 'TimeoutError';
    }
  }
}

async function heard(current, matches, began, seconds) {
  const places = matches.map((match) => match.placement).filter(Boolean);
  const own = places.find((place) => place.reference === current.reference?.id);
  const place = own ?? places[0];
  if (!place) { if (current.line) current.clip = 'usual'; return; }
  // What matches the begin of the clip only is of before a jump.
  const isOld = place.queryEnd < seconds - 1.2 && current.clip !== 'short';
  if (isOld) { current.clip = 'short'; return; }
  if (!own) {
    // Another one takes over when it was heard twice, or nothing else is.
    const isAgreed = !current.line || current.line.isStale || current.other === place.reference;
    current.other = place.reference;
    if (!isAgreed) { current.clip = 'short'; return; }
    await begin(current, place.reference);
    if (!current.reference) return;
  }
  current.other = null;
  current.clip = current.line.take(place, began, began + seconds * 1000, current.clip === 'short') ? 'short' : 'usual';
}

async function begin(current, id) {
  const path = encodeURIComponent(id);
  const content = await ask(`/v1/references/${path}/content`, { signal: current.abort.signal });
  const told = content.trackID ? await ask(`/v1/tracks/${encodeURIComponent(content.trackID)}/lyrics`).catch(() => null) : null;
  const lyrics = (told?.lyrics ?? []).map((text) => text.lines.filter((line) => typeof line.start === 'number')).find((lines) => lines.length) ?? [];
  const key = `companion-answers ${id}`;
  current.reference = content;
  current.line = new PositionLine(content.duration);
  current.screen = new Screen(content, {
    lyrics, answers: JSON.parse(sessionStorage.getItem(key) ?? '[]'),
    keep: (answers) => sessionStorage.setItem(key, JSON.stringify(answers)),
  });
  current.time = el('span', { class: 'number' });
  current.bar = el('progress', { max: 1, value: 0, 'aria-label': t('companion.position') });
  show(live, el('section', { class: 'card now', 'aria-labelledby': 'heading' }, details(content),
    el('p', { class: 'row' }, current.time), current.bar, current.screen.node,
    entriesOf(content).length || content.chapters.length || lyrics.length ? null : el('p', { class: 'note' }, t('companion.noContent'))));
  show(below, overview(content), ways(content));
  history.replaceState(null, '', address(id));
  say(t('companion.found', { title: content.title ?? content.id }));
}

// Draws where playback is, many times a second.
function draw(current) {
  if (session !== current) return;
  meter.style.setProperty('--level', current.recorder.level.toFixed(3));
  const { line, screen } = current;
  if (current.isOffline && !line?.isKnown) status.textContent = t('companion.offline');
  if (line?.isKnown) {
    const { position, isStale, hasEnded } = line;
    screen.show(position, { isStale });
    current.time.textContent = `${clock(position)} / ${clock(current.reference.duration)}`;
    current.bar.value = Math.min(1, position / current.reference.duration);
    const sentence = t(current.isOffline ? 'companion.offline' : hasEnded ? 'companion.ended' : isStale ? 'companion.stale' : 'companion.following');
    if (status.textContent !== sentence) status.textContent = sentence;
    app.dataset.state = isStale ? 'waiting' : 'recording';
    // For who looks from outside whether it follows.
    app.dataset.position = position.toFixed(2);
  }
  setTimeout(() => draw(current), 100);
}
