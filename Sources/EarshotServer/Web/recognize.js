// One button: what is playing?
import { app, ask, clock, el, faultBox, Failure, fileDrop, say, show, t, wait } from './page.js';
import { missingMicrophone, Recorder, waveFile } from './recorder.js';
import { alternatives, answer, row, wanted } from './match.js';
import { isOperator, isSignedIn, keepPlace, keepsPlaces, locate, placeSwitch } from './place.js';
import { decoded, landmarkPicture } from './landmark-picture.js';
import { isSignature, Sending } from './uploads.js';

// The seconds of sound after which a clip is sent: the first answer wins.
const moments = [2, 4, 7, 12];
// For how long one question may take, in milliseconds; of a file from the end of its upload.
const patience = 20_000;
// A longer recording is likely to have more in it than its begin, in seconds.
const long = 900;
// Files that are recognized at the same time.
const together = 5;
const address = `/v1/recognitions?kind=stream&single=0&landmarks=1&${wanted}`;
const tips = ['tipNear', 'tipLong', 'tipReleased', 'tipVolume', 'tipSpeech'];

const button = el('button', { class: 'listen', onclick: press });
const meter = el('div', { class: 'meter', 'aria-hidden': 'true' });
const progress = el('progress', { max: moments.at(-1), value: 0, hidden: true, 'aria-label': t('recognize.remaining') });
const status = el('p', { class: 'center', role: 'status' });
const reason = el('p', { class: 'note', hidden: true });
const result = el('div', { id: 'result' });
const kept = el('p', { class: 'dim small', role: 'status', hidden: true });
const tab = el('button', { class: 'second small', onclick: () => listen('tab') }, t('recognize.tab'));
const drop = fileDrop(t('recognize.drop'), 'audio/*,video/*,.earsig', (files) => recognizeFiles(files), { multiple: true });

let state = 'idle';
let run = null;
let failures = 0;
// Why there is no microphone, as the name of a text; null where there is one.
let missing = null;

show(app,
  el('section', { class: 'card center stage' }, el('div', { class: 'pad' }, meter, button), status, progress,
    el('p', { class: 'dim', id: 'hint' }, t('recognize.hint')), reason,
    navigator.mediaDevices?.getDisplayMedia ? tab : null,
    isSignedIn ? placeSwitch() : null),
  result,
  el('details', { class: 'card' }, el('summary', {}, t('recognize.file')), drop));
app.querySelector('details').open = false;
// While it listens the demonstration of the help shows how.
app.querySelector('#hint').after(el('div', { class: 'shown', 'aria-hidden': 'true' }, document.querySelector('#help .demonstration')?.cloneNode(true)));

// A file may be dropped anywhere.
document.addEventListener('drop', (event) => {
  if (event.target.closest?.('.drop') || !event.dataTransfer.files.length) return;
  app.querySelector('details').open = true;
  recognizeFiles([...event.dataTransfer.files]);
});

await prepare();
if (isOperator) begins();

// Says to the operator of a service without recordings how to begin.
async function begins() {
  const told = await ask('/v1/references?limit=1').catch(() => null);
  if (told?.total !== 0) return;
  app.querySelector('#hint').after(el('p', { class: 'note' }, t('recognize.empty'), ' ', el('a', { href: '/admin/references' }, t('recognize.add'))));
}

// Says at once where there is no microphone.
async function prepare() {
  missing = await missingMicrophone();
  if (state === 'idle') set('idle');
  tellMissing();
  const again = async () => {
    missing = await missingMicrophone();
    if (state === 'idle') button.disabled = missing !== null;
    tellMissing();
  };
  navigator.mediaDevices?.addEventListener('devicechange', again);
  navigator.permissions?.query({ name: 'microphone' }).then((held) => { held.onchange = again; }).catch(() => null);
}

// Says why there is no microphone, and offers files.
function tellMissing() {
  reason.hidden = !missing;
  if (!missing) return;
  reason.textContent = t(`recognize.${missing}`);
  app.querySelector('details').open = true;
}

function set(next) {
  state = next;
  app.dataset.state = next;
  button.disabled = next === 'canceling' || next === 'file' || (next === 'idle' && missing !== null);
  const label = { idle: 'start', recording: 'cancel', asking: 'cancel', canceling: 'canceling', file: 'start' }[next];
  button.textContent = t(`recognize.${label}`);
  button.setAttribute('aria-pressed', next === 'recording' || next === 'asking');
  progress.hidden = next !== 'recording';
  tab.disabled = next !== 'idle';
  if (next === 'idle') { status.textContent = ''; meter.style.setProperty('--level', 0); }
}

function press() {
  if (state === 'idle') listen('microphone');
  else if (state === 'recording' || state === 'asking') cancel();
}

// Ends a recording. Until everything has ended another one cannot begin, and what still comes in is passed over.
async function cancel() {
  const ending = run;
  set('canceling');
  status.textContent = t('recognize.canceling');
  ending.abort.abort(new DOMException('canceled', 'AbortError'));
  ending.recorder.stop();
  await ending.done;
  if (run === ending) run = null;
  set('idle');
  status.textContent = t('recognize.canceled');
}

async function listen(source) {
  show(result);
  reason.hidden = true;
  const recorder = new Recorder(source);
  const current = { source, recorder, abort: new AbortController(), place: place() };
  run = current;
  set('recording');
  status.textContent = t('recognize.asksMicrophone');
  current.done = record(current).catch((error) => finishWithFault(current, error));
  await current.done;
}

// Records, and asks the service again and again with what was heard so far.
async function record(current) {
  const { recorder, abort } = current;
  await recorder.start();
  const heard = performance.now();
  if (abort.signal.aborted) { recorder.stop(); return; }
  status.textContent = t('recognize.listening');
  let last = null;
  let isAsking = false;
  let winner = null;
  let fault = null;
  let sent = 0;
  while (!winner && !abort.signal.aborted && sent < moments.length) {
    await wait(50);
    meter.style.setProperty('--level', recorder.level.toFixed(3));
    progress.value = Math.min(recorder.seconds, moments.at(-1));
    // One question at a time: two answers to one recording would be two entries of the history.
    if (recorder.seconds < moments[sent] || isAsking) continue;
    sent += 1;
    isAsking = true;
    const samples = recorder.samples();
    last = question(waveFile(samples), abort.signal).then(
      (told) => { if (told.matches.length) winner ??= { ...told, sound: () => samples }; },
      (error) => { if (error.name !== 'AbortError') fault = error; },
    ).finally(() => { isAsking = false; });
    if (fault && ['accessDenied', 'tokenRejected', 'quotaExceeded'].includes(fault.code)) break;
  }
  recorder.stop();
  if (abort.signal.aborted) return;
  completed();
  if (!winner) {
    set('asking');
    status.textContent = t('recognize.asking');
    await Promise.race([last, until(() => abort.signal.aborted)]);
  }
  if (abort.signal.aborted || run !== current) return;
  run = null;
  abort.abort(new DOMException('answered', 'AbortError'));
  set('idle');
  if (winner) {
    matched(winner, heard);
    keep(winner.historyEntry, current.place);
  } else if (fault) finishWithFault(current, fault);
  else nothing();
}

async function until(condition) { while (!condition()) await wait(50); }

// Asks the service what the microphone hears.
async function question(body, signal) {
  const limit = AbortSignal.timeout(patience);
  try {
    return await ask(address, { method: 'POST', body, headers: { 'Content-Type': 'audio/wav' }, signal: AbortSignal.any([signal, limit]), tries: 3 });
  } catch (error) {
    if (error.name === 'TimeoutError' || (limit.aborted && !signal.aborted)) throw new Failure(0, 'timedOut', 'The page waited long enough.');
    throw error;
  }
}

// Where the person is, looked for while the recording goes on; null where it is not wanted or not known.
async function place() {
  return await keepsPlaces() ? locate().catch(() => null) : null;
}

// Says that the answer is in the history, and puts the place with it.
async function keep(entry, placing) {
  if (!entry) return;
  kept.hidden = false;
  kept.textContent = t('history.kept');
  result.append(kept);
  const where = await placing;
  if (!where) return;
  const isKept = await keepPlace(entry, where).then(() => true, () => false);
  kept.textContent = t(isKept ? 'history.placeKept' : 'history.keptWithout');
}

async function recognizeFiles(files) {
  if (files.length === 1) { await recognizeFile(files[0]); return; }
  if (state !== 'idle') return;
  set('file');
  status.textContent = t('recognize.asking');
  const sendings = files.map((file) => new Sending(file));
  const name = ({ file }) => el('div', { class: 'dim small wide' }, file.name);
  const rows = sendings.map((sending) => el('li', { class: 'item' }, el('div', { class: 'wide column' }, name(sending), sending.bar)));
  const cancel = el('p', {}, el('button', { class: 'second', onclick: () => sendings.forEach((sending) => sending.cancel()) }, t('files.cancel')));
  show(result, el('section', { class: 'card' }, el('ul', { class: 'plain' }, rows), cancel));
  result.scrollIntoView({ block: 'nearest' });
  let [next, found] = [0, 0];
  const work = async () => {
    while (next < files.length) {
      const place = next;
      next += 1;
      const under = name(sendings[place]);
      try {
        const [match] = (await asked(sendings[place])).matches;
        rows[place].replaceWith(match ? row(match, under) : el('li', { class: 'item' }, el('div', { class: 'wide' }, t('recognize.nothing')), under));
        if (match) found += 1;
      } catch (error) {
        show(rows[place], error.name === 'AbortError' ? el('div', { class: 'wide dim' }, t('recognize.canceled'))
          : el('div', { class: 'wide bad' }, error.advice ?? t('errors.unknown', { code: error.name })), under);
      }
    }
  };
  await Promise.all(Array.from({ length: together }, work));
  cancel.remove();
  set('idle');
  status.textContent = t('recognize.done', { operation: t('recognize.fileRun'), count: found });
}

// Asks the service what a file is. Of a long one the begin is sent where it can be cut.
async function asked(sending) {
  sending.signal.throwIfAborted();
  const { body, duration } = await sending.begin();
  return { ...await sending.send(address, { body, limit: 'upload', hint: 'tooLargeRecognize', patience, tries: 3 }), body, duration };
}

async function recognizeFile(file) {
  if (state !== 'idle') return;
  set('file');
  const sending = new Sending(file);
  show(result, sending.card);
  result.scrollIntoView({ block: 'nearest' });
  status.textContent = '';
  try {
    const told = await asked(sending);
    set('idle');
    if (told.matches.length) {
      const sound = isSignature(file) ? null : () => decoded(told.body);
      matched({ ...told, sound }, performance.now(), true);
      // The recording may be of anywhere.
      keep(told.historyEntry, null);
    }
    else nothing(true, told.duration);
  } catch (error) {
    set('idle');
    if (error.name !== 'AbortError') { show(result, faultBox(error, () => recognizeFile(file))); return; }
    show(result);
    status.textContent = t('recognize.canceled');
    (missing ? drop.querySelector('input') : button).focus();
  }
}

// Says that the begin alone was searched, and leads to where all is. Nothing for a recording that is not long, and one of an unknown length.
function wholeFile(duration) {
  return duration > long && el('p', { class: 'note' }, t('recognize.long', { time: clock(duration) }), ' ', el('a', { href: '/tracklist' }, t('recognize.wholeFile')));
}

// A tone and a touch: the recording is over, and the phone can be taken down.
function completed() {
  navigator.vibrate?.(80);
  const context = new AudioContext();
  const tone = context.createOscillator();
  const gain = context.createGain();
  tone.frequency.value = 880;
  gain.gain.setValueAtTime(0.08, context.currentTime);
  gain.gain.exponentialRampToValueAtTime(0.0001, context.currentTime + 0.18);
  tone.connect(gain).connect(context.destination);
  tone.onended = () => context.close();
  tone.start();
  tone.stop(context.currentTime + 0.2);
  app.dataset.tones = Number(app.dataset.tones ?? 0) + 1;
}

function matched({ matches, landmarks, sound, duration }, heard, isFile = false) {
  failures = 0;
  status.textContent = t('recognize.done', { operation: t(isFile ? 'recognize.fileRun' : 'recognize.microphoneRun'), count: matches.length });
  const place = el('div');
  const others = alternatives(matches, (match, number) => show(place, number, answer(match, { heard, isFile })));
  show(result, place, wholeFile(duration), landmarks?.length ? landmarkPicture(landmarks, sound) : null, others);
  say(`${matches[0].trackTitle ?? ''}, ${matches[0].artist ?? ''}`);
  result.querySelector('h2')?.focus();
}

// Nothing was found: how to do better, and once more.
function nothing(isFile = false, duration = undefined) {
  failures += 1;
  status.textContent = t('recognize.done', { operation: t(isFile ? 'recognize.fileRun' : 'recognize.microphoneRun'), count: 0 });
  const tip = el('p', {}, t(`recognize.${tips[(failures - 1) % tips.length]}`));
  const sought = ['recording', 'humming', 'live', 'speech', 'game'];
  show(result, el('section', { class: 'card', role: 'status' },
    el('h2', { tabindex: '-1' }, t('recognize.nothing')),
    isFile ? wholeFile(duration) || el('p', {}, t('recognize.fileBegin'), ' ', el('a', { href: '/tracklist' }, t('recognize.wholeFile'))) : el('p', {}, t('recognize.hint')),
    tip,
    el('fieldset', {}, el('legend', {}, t('recognize.sought')),
      el('p', { class: 'row' }, sought.map((what) => el('button', {
        class: 'second small', onclick: () => { tip.textContent = t(`recognize.sought-${what}`); },
      }, t(`recognize.what-${what}`))))),
    el('p', { class: 'row' }, missing ? null : el('button', { onclick: () => listen('microphone') }, t('recognize.again')),
      el('a', { class: 'button second', href: '/search' }, t('recognize.searchInstead')))));
  result.querySelector('h2').focus();
}

function finishWithFault(current, error) {
  current.recorder.stop();
  if (run !== current && error.name === 'AbortError') return;
  if (current.abort.signal.aborted && state === 'canceling') return;
  run = null;
  const isTab = current.source === 'tab';
  if (!isTab && error.name === 'NotAllowedError') missing = 'denied';
  set('idle');
  if (isTab && ['NotAllowedError', 'NotFoundError'].includes(error.name)) {
    status.textContent = t(error.name === 'NotFoundError' ? 'recognize.tabSilent' : 'recognize.canceled');
    return;
  }
  const named = { NotAllowedError: 'denied', NotFoundError: 'none', NotReadableError: 'taken', SecurityError: 'insecure' }[error.name];
  if (named) {
    reason.textContent = t(`recognize.${named}`);
    reason.hidden = false;
    return;
  }
  show(result, faultBox(error, () => listen('microphone')));
}
