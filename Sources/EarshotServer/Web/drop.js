// Publishes a piece: its sounds, what is said of it, its cover; how much of it has arrived, and what the service hears in it.
import { app, ask, busy, el, faultBox, fileDrop, number, say, show, size, t } from './page.js';
import { folderDrop } from './folder.js';
import { canCrop, CoverEditor } from './drop-cover.js';
import { draftOf, empty, keyOf, PieceForm, valuesOf } from './drop-form.js';
import { lengthOf, mix, readSound, sort } from './drop-sound.js';
import { forget, keep, kept } from './kept.js';
import { send } from './drop-upload.js';
import { sha256 } from './sha256.js';

const formats = 'audio/*,.wav,.ogg,.m4a,.mp3,.flac';
const parameters = new URLSearchParams(location.search);

// What was chosen. A sound is { blob, format, name, file }.
const state = { id: null, mix: null, stems: [], preview: null, attachment: null, cover: null, length: 0, parts: null, isStopped: false };
let abort = null;
let saved = '';

const status = el('div', { role: 'status' });
const sounds = el('div', { class: 'column' });
const transfer = el('section', { class: 'card', hidden: true, 'aria-labelledby': 'transfer' });
const actions = el('p', { class: 'row actions' });
const form = new PieceForm(empty(), () => { remember(); refresh(); });
const cover = canCrop() ? new CoverEditor(async () => { state.cover = await cover.blob(); remember(); }) : null;
const choosing = el('div', {},
  el('section', { class: 'card' }, el('h2', {}, t('drop.sound')), sounds),
  cover && el('section', { class: 'card' }, el('h2', {}, t('drop.cover')), cover.node));

// The key of what was not sent yet: at a shared browser everybody has their own.
let draft = null;

async function begin() {
  let author;
  try {
    author = await ask('/v1/author');
  } catch (failure) {
    show(app, failure.code === 'entityNotFound' ? el('p', { class: 'note' }, t('drop.noAuthor')) : faultBox(failure, begin));
    return;
  }
  const id = parameters.get('draft');
  // Before anything can be entered, which it would replace.
  draft = `drop-${author.name}`;
  const before = id ? null : await kept(draft);
  form.values.basedOn = parameters.get('basedOn') ?? '';
  form.render();
  show(app, el('p', { class: 'dim' }, t('drop.as', { name: author.name })), transfer, choosing,
    el('section', { class: 'card' }, el('h2', {}, t('drop.about')), form.node), status, actions);
  showSounds();
  showActions();
  if (id) await resume(id);
  else if (before) restore(before);
}

// Sounds.

function showSounds() {
  const row = (sound, role, clear) => el('li', { class: 'item' }, el('span', { class: 'tag' }, role),
    el('span', { class: 'wide' }, sound.name, el('br'), el('span', { class: 'dim small' }, [sound.file, size(sound.blob.size)].filter(Boolean).join(' · '))),
    el('button', { class: 'plain', type: 'button', 'aria-label': t('drop.removeNamed', { name: sound.name }), onclick: () => { clear(); showSounds(); remember(); } }, t('drop.remove')));
  const chosen = [
    state.mix && row(state.mix, t('drop.mix'), () => { state.mix = null; setLength(0); }),
    ...state.stems.map((stem) => row(stem, t('drop.stem'), () => { state.stems = state.stems.filter((other) => other !== stem); })),
    state.preview && row(state.preview, t('drop.preview'), () => { state.preview = null; }),
    state.attachment && row({ name: state.attachment.name, file: '', blob: state.attachment }, t('drop.attachment'), () => { state.attachment = null; }),
  ].filter(Boolean);
  show(sounds,
    chosen.length ? el('ul', { class: 'plain chosen' }, chosen) : null,
    state.mix ? el('audio', { controls: true, src: URL.createObjectURL(state.mix.blob), 'aria-label': t('drop.mix') }) : null,
    el('div', { class: 'split' },
      fileDrop(t('drop.dropMix'), formats, ([file]) => take(async () => { await setMix(await readSound(file), file.name); })),
      folderDrop(t('drop.dropFolder'), (name, files) => take(() => takeFolder(name, files)))),
    el('details', {}, el('summary', {}, t('drop.more')),
      fileDrop(t('drop.dropStems'), formats, (files) => take(async () => {
        for (const { file, name } of sort('', files.map((file) => ({ file, path: [file.name] }))).stems) await addStem(file, name);
      }), { multiple: true }),
      fileDrop(t('drop.dropAttachment'), '', ([file]) => { state.attachment = file; showSounds(); remember(); })));
}

// Does something with files that takes a while.
async function take(work) {
  show(status, busy(t('drop.reading')));
  try {
    await work();
    show(status);
  } catch (error) {
    show(status, el('p', { class: 'fault', role: 'alert' }, t(error instanceof DOMException ? 'drop.unreadable' : 'errors.unknown', { code: error.name })));
  }
  showSounds();
  showActions();
  remember();
}

async function setMix(sound, name) {
  state.mix = sound;
  setLength(await lengthOf(sound.blob));
  if (!form.values.title && name) form.set('title', sort(name.replace(/\.[^.]*$/, ''), []).title.slice(0, 50));
  form.render();
  form.showLength(state.length);
}

function setLength(seconds) {
  state.length = seconds;
  form.showLength(seconds);
}

async function addStem(file, name) {
  state.stems.push({ ...(await readSound(file)), name });
}

async function takeFolder(name, files) {
  const found = sort(name, files);
  state.stems = [];
  for (const stem of found.stems) await addStem(stem.file, stem.name);
  if (found.tempo) form.values.tempo = found.tempo;
  if (found.key) form.values.key = { ...found.key, scale: [] };
  form.values.title ||= [...found.title].slice(0, 50).join('');
  if (found.preview) state.preview = await readSound(found.preview);
  if (found.cover && cover) await cover.choose(found.cover);
  if (found.mix) await setMix(await readSound(found.mix));
  else if (state.stems.length) await setMix(await mix(state.stems));
  form.render();
  form.showLength(state.length);
}

// What is kept over a reload.

let timer = 0;
function remember() {
  timer ||= setTimeout(() => {
    timer = 0;
    const { mix: main, stems, preview, attachment, cover: picture, length, parts } = state;
    keep(state.id ?? draft, { values: form.values, mix: main, stems, preview, attachment, cover: picture, length, parts: parts?.map(({ report, ...part }) => part) });
  }, 150);
}

function restore(before) {
  takeBack(before);
  if (parameters.get('basedOn')) form.values.basedOn = parameters.get('basedOn');
  form.load(form.values);
  showSounds();
  showActions();
}

function takeBack(before) {
  const { values, ...rest } = before;
  Object.assign(state, rest);
  form.values = { ...empty(), ...values };
  form.showLength(state.length);
  if (cover && state.cover) cover.choose(state.cover);
}

// Sending.

function showActions() {
  if (!state.id) {
    show(actions, el('button', { disabled: !state.mix, onclick: start }, t('drop.send')), state.mix ? null : el('span', { class: 'dim' }, t('drop.needsMix')));
    return;
  }
  const isThere = state.parts?.every((part) => part.isComplete);
  show(actions,
    el('button', { disabled: !isThere, onclick: publish }, t('drop.publish')),
    el('button', { class: 'danger', onclick: giveUp }, t('drop.giveUp')),
    isThere ? null : el('span', { class: 'dim' }, t('drop.notYet')));
}

const identifier = () => {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  bytes[6] = (bytes[6] & 15) | 64;
  bytes[8] = (bytes[8] & 63) | 128;
  return [...bytes].map((byte, i) => ([4, 6, 8, 10].includes(i) ? '-' : '') + byte.toString(16).padStart(2, '0')).join('');
};

async function start() {
  show(status, busy(t('drop.looking')));
  for (const button of actions.querySelectorAll('button')) button.disabled = true;
  if (cover) state.cover = await cover.blob();
  const parts = [{ kind: 'stem', blob: state.mix.blob, format: state.mix.format, label: t('drop.mix') },
    ...state.stems.map((stem) => ({ kind: 'stem', name: stem.name, blob: stem.blob, format: stem.format, label: stem.name }))];
  if (state.preview) parts.push({ kind: 'preview', blob: state.preview.blob, format: state.preview.format, label: t('drop.preview') });
  if (state.cover) parts.push({ kind: 'cover', blob: state.cover, label: t('drop.cover') });
  if (state.attachment) parts.push({ kind: 'attachment', blob: state.attachment, fileName: state.attachment.name, label: t('drop.attachment') });
  try {
    for (const part of parts) part.sha256 = await sha256(part.blob);
    const created = await ask('/v1/pieces', { method: 'POST', json: {
      ...draftOf(form.values, state.length), id: identifier(),
      parts: parts.map(({ kind, name, blob, sha256: digest, format, fileName }) => ({ kind, name, size: blob.size, sha256: digest, format, fileName })),
    } });
    parts.forEach((part, place) => Object.assign(part, { upload: created.uploads[place].id, received: 0, isComplete: false }));
    Object.assign(state, { id: created.id, parts });
    await forget(draft);
    saved = JSON.stringify(draftOf(form.values, state.length));
    history.replaceState(null, '', `?draft=${created.id}`);
    remember();
    showWarnings(created.warnings);
    show(status);
    await transmit();
  } catch (failure) {
    refused(failure, start);
    showActions();
  }
}

// Violations at their fields, and all else in a box.
function refused(failure, retry) {
  const violations = failure.code === 'unknownParent' ? [{ field: 'basedOn', code: 'unknownParent' }] : failure.violations;
  if (violations?.length) {
    const count = form.showViolations(violations);
    show(status, el('p', { class: 'fault', role: 'alert' }, t('drop.violations', { count })));
  } else {
    show(status, faultBox(failure, retry));
  }
}

function showWarnings(warnings) {
  for (const { code } of warnings ?? []) {
    form.mark(code === 'loopOffBeat' ? 'loop' : 'tonality', el('span', { class: 'warn' }, t(`drop.w-${code}`)));
  }
}

// Sends what is missing, part by part, and then asks what is heard.
async function transmit() {
  abort = new AbortController();
  choosing.hidden = true;
  transfer.hidden = false;
  const heading = el('h2', { id: 'transfer' }, t('drop.transfer'));
  const rows = state.parts.map((part) => {
    const bar = el('progress', { max: Math.max(1, part.size ?? part.blob?.size ?? 1), value: part.received, 'aria-label': part.label });
    const text = el('span', { class: 'number dim' });
    part.report = (received, isWaiting) => {
      if (received !== null) part.received = bar.value = received;
      text.textContent = isWaiting ? t('drop.waiting') : part.isComplete ? t('drop.there') : number(received / bar.max, { style: 'percent' });
    };
    part.report(part.isComplete ? bar.max : part.received, false);
    return el('li', { class: 'item' }, el('span', { class: 'part' }, part.label), bar, text);
  });
  show(transfer, heading, el('ul', { class: 'plain parts' }, rows), el('div', { id: 'heard' }));
  showActions();
  try {
    for (const part of state.parts) {
      if (part.isComplete) continue;
      await send({ id: part.upload }, part.blob, { signal: abort.signal, report: part.report });
      part.isComplete = true;
      part.report(part.blob.size, false);
      remember();
    }
  } catch (failure) {
    if (failure.name !== 'AbortError') refused(failure, transmit);
    return;
  }
  showActions();
  heading.textContent = t('drop.allThere');
  say(heading.textContent);
  await hear();
}

// What the service hears, beside what was said.
let isHearing = false;
async function hear() {
  if (isHearing) return;
  isHearing = true;
  const place = document.getElementById('heard');
  show(place, busy(t('drop.hearing')));
  try {
    const told = await ask(`/v1/pieces/${state.id}/heard`, { tries: 20 });
    // How long it is, is no matter of opinion.
    setLength(told.heard.length / 1e6);
    if (await save()) Object.assign(told, await ask(`/v1/pieces/${state.id}/heard`));
    show(place, el('p', {}, t('drop.heard')));
    compare(told);
  } catch (failure) {
    show(place, faultBox(failure, hear));
  } finally {
    isHearing = false;
  }
}

function compare({ heard, keyLabel, warnings }) {
  const differs = Object.fromEntries(warnings.map((warning) => [warning.code, warning]));
  const note = (field, code, text, isSaid, adopt) => form.mark(field, [
    el('span', { class: differs[code] ? 'warn' : isSaid ? 'good' : '' }, text, ' '),
    differs[code] || !isSaid ? el('button', { class: 'second small', type: 'button', onclick: async () => {
      adopt();
      form.load(form.values);
      form.controls[field][0].focus();
      await save();
      await hear();
    } }, t('drop.adopt')) : t('drop.agrees')]);
  if (heard.tempo) {
    const beats = Math.round(heard.tempo.beatsPerMinute * 10) / 10;
    note('tempo', 'tempoDiffers', t('drop.heardTempo', { number: number(beats) }), Boolean(form.values.tempo), () => { form.values.tempo = String(beats); });
  } else form.mark('tempo', el('span', { class: 'dim' }, t('drop.noTempoHeard')));
  if (heard.key) {
    note('tonality', 'keyDiffers', t('drop.heardKey', { key: keyLabel }), form.values.key.kind !== 'unknown', () => { form.values.key = keyOf(heard.key.tonality); });
  } else form.mark('tonality', el('span', { class: 'dim' }, t('drop.noKeyHeard')));
  const seams = ['seamLevel', 'seamPhase'].filter((code) => differs[code]);
  form.mark('loop', seams.length ? seams.map((code) => el('span', { class: 'warn' }, `${t(`drop.w-${code}`)} `)) : null);
}

let changes = 0;
// What was changed while parts were on their way goes to the service a little later.
function refresh() {
  if (!state.id || !state.parts?.every((part) => part.isComplete)) return;
  clearTimeout(changes);
  changes = setTimeout(async () => { if (await save().catch(() => false)) await hear(); }, 900);
}

// Says anew what the piece is to be. Gives whether there was something new.
async function save() {
  const draft = JSON.stringify(draftOf(form.values, state.length));
  if (draft === saved) return false;
  try {
    const told = await ask(`/v1/pieces/${state.id}/draft`, { method: 'PUT', json: JSON.parse(draft) });
    saved = draft;
    form.showViolations([]);
    show(status);
    showWarnings(told.warnings);
    return true;
  } catch (failure) {
    refused(failure, save);
    throw failure;
  }
}

async function publish() {
  clearTimeout(changes);
  for (const button of actions.querySelectorAll('button')) button.disabled = true;
  show(status, busy(t('drop.publishing')));
  try {
    await save();
    await ask(`/v1/pieces/${state.id}/publish`, { method: 'POST', tries: 3 });
    clearTimeout(timer);
    // Nothing is kept any more.
    timer = -1;
    await forget(state.id);
    location.assign(`/pieces/${state.id}`);
  } catch (failure) {
    if (!failure.violations?.length) show(status, faultBox(failure, publish));
    showActions();
  }
}

async function giveUp() {
  abort?.abort(new DOMException('given up', 'AbortError'));
  try {
    await ask(`/v1/pieces/${state.id}`, { method: 'DELETE', tries: 3 });
  } catch (failure) {
    if (failure.status !== 404 && failure.status !== 410) { show(status, faultBox(failure, giveUp)); return; }
  }
  await forget(state.id);
  location.assign('/drop');
}

// Going on after a reload: what the service has of the drop, and the files as the browser has kept them.

async function resume(id) {
  show(status, busy());
  let drop;
  try {
    drop = await ask(`/v1/pieces/${encodeURIComponent(id)}/draft`);
  } catch (failure) {
    show(status, failure.status === 404 || failure.status === 410 ? el('p', { class: 'note' }, t('drop.gone'), ' ', el('a', { href: '/drop' }, t('drop.anew'))) : faultBox(failure, () => resume(id)));
    show(actions);
    return;
  }
  if (drop.isPublished) { location.replace(`/pieces/${id}`); return; }
  const before = await kept(id);
  if (before) takeBack(before);
  state.id = drop.id;
  // What the service has counts, but for what was changed since.
  form.load(before ? form.values : valuesOf(drop));
  setLength(drop.draft.length / 1e6);
  saved = JSON.stringify(draftOf(valuesOf(drop), state.length));
  const files = new Map((before?.parts ?? []).map((part) => [part.upload, part]));
  state.parts = drop.uploads.map((upload) => ({
    kind: upload.kind, name: upload.name, label: upload.name ?? t(`drop.${upload.kind === 'stem' ? 'mix' : upload.kind}`), upload: upload.id, size: upload.size,
    received: upload.received, isComplete: upload.isComplete, blob: files.get(upload.id)?.blob ?? null,
  }));
  show(status);
  const missing = state.parts.filter((part) => !part.isComplete && !part.blob);
  if (missing.length) askAgain(missing);
  else await transmit();
}

// The browser has not kept the files: they are chosen again.
function askAgain(missing) {
  choosing.hidden = true;
  transfer.hidden = false;
  show(transfer, el('h2', { id: 'transfer' }, t('drop.again')), el('p', {}, t('drop.againHelp')), missing.map((part) => {
    const fault = el('p', { class: 'bad', role: 'alert' });
    return el('div', {}, fileDrop(t('drop.chooseAgain', { name: part.label, size: size(part.size) }), '', async ([file]) => {
      const blob = part.kind === 'stem' || part.kind === 'preview' ? (await readSound(file)).blob : file;
      if (blob.size !== part.size) { fault.textContent = t('drop.otherFile'); return; }
      part.blob = blob;
      const rest = missing.filter((other) => !other.blob);
      if (rest.length) askAgain(rest);
      else { remember(); transmit(); }
    }), fault);
  }));
  showActions();
}

await begin();
