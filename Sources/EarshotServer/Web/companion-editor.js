// The editor of timed content: entries on the waveform of their reference, tried by a recording on this machine.
import { app, ask, busy, clock, el, faultBox, fileDrop, number, save, say, show, t } from './page.js';
import { EditedDocument } from './editor-document.js';
import { entryForm } from './editor-form.js';
import { Track } from './editor-track.js';
import { Screen } from './companion-screen.js';

const id = decodeURIComponent(location.pathname.split('/')[2] ?? '');
const path = `/v1/references/${encodeURIComponent(id)}/content`;

await load();

async function load() {
  show(app, busy());
  try {
    edit(await ask(path));
  } catch (error) {
    show(app, faultBox(error, load), el('p', {}, el('a', { href: '/companion' }, t('companion.all'))));
  }
}

function edit(content) {
  const stored = content.timeline ?? { version: 1, entries: [] };
  const status = el('p', { class: 'small', role: 'status' });
  const faults = el('div');
  const warnings = el('div');
  const fields = el('div');
  const preview = el('div');
  const list = el('ol', { class: 'plain' });
  const heading = el('summary');
  const sound = el('audio', { controls: true, 'aria-label': t('companion-editor.player') });
  const soundPlace = el('div');
  let screen = null;
  let isOwn = false;

  const edited = new EditedDocument(stored, `companion-draft ${id}`, () => changed());
  const track = new Track(edited, content.duration, { select, seek, edit: () => document.getElementById('field-text')?.focus() });
  const undo = el('button', { class: 'second small', onclick: () => edited.undo() }, t('companion-editor.undo'));
  const redo = el('button', { class: 'second small', onclick: () => edited.redo() }, t('companion-editor.redo'));
  const store = el('button', { class: 'small', onclick: () => put() }, t('companion-editor.save'));
  const zoom = el('input', { type: 'range', min: 0, max: 1, step: 0.01, value: 0, oninput: () => track.zoom(Number(zoom.value)) });

  function changed() {
    track.update();
    undo.disabled = !edited.canUndo;
    redo.disabled = !edited.canRedo;
    store.disabled = !edited.isChanged;
    status.textContent = t(edited.isChanged ? 'companion-editor.unsaved' : 'companion-editor.isSaved');
    drawList();
    // The fields know of their own changes: made anew they would lose who is in them.
    if (!isOwn) drawFields();
    screen = null;
    drawPreview();
  }

  function select(entry) {
    track.select(entry);
    drawFields();
    for (const item of list.children) if (item.dataset.entry === entry) item.setAttribute('aria-current', 'true'); else item.removeAttribute('aria-current');
  }

  function drawFields() {
    const entry = edited.entry(track.selected);
    show(fields, entry ? entryForm(edited, entry.id, content.duration, own, () => track.remove(entry.id)) : el('p', { class: 'dim' }, t('companion-editor.choose')));
  }

  function own(work) {
    isOwn = true;
    try { work(); } finally { isOwn = false; }
  }

  function drawList() {
    heading.textContent = t('companion-editor.list', { count: number(edited.entries.length) });
    show(list, edited.entries.map((entry) => el('li', { class: 'row', data: { entry: entry.id }, 'aria-current': entry.id === track.selected ? 'true' : null },
      el('span', { class: 'number dim' }, clock(entry.start)),
      el('button', { class: 'plain small', onclick: () => { select(entry.id); document.getElementById('field-text')?.focus(); } },
        entry.title || t('companion-editor.untitled')))));
  }

  function seek(time) {
    track.at = time;
    if (sound.src) sound.currentTime = time;
    drawPreview();
  }

  function drawPreview() {
    if (track.at === null) return;
    if (!screen) {
      screen = new Screen({ ...content, timeline: edited.value });
      show(preview, screen.node);
    }
    screen.show(track.at);
  }

  function listen(file) {
    if (sound.src) URL.revokeObjectURL(sound.src);
    sound.src = URL.createObjectURL(file);
    show(soundPlace, sound);
  }

  function tick() {
    if (sound.paused) return;
    track.at = sound.currentTime;
    drawPreview();
    requestAnimationFrame(tick);
  }
  sound.addEventListener('play', () => { track.follows = true; tick(); });
  sound.addEventListener('pause', () => { track.follows = false; });
  sound.addEventListener('seeked', () => { track.at = sound.currentTime; drawPreview(); });
  sound.addEventListener('error', () => { if (sound.src) show(soundPlace, el('p', { class: 'note' }, t('companion-editor.unplayable')), drop()); });

  async function put(text = null, type = 'application/json') {
    store.disabled = true;
    status.textContent = t('companion-editor.saving');
    try {
      const told = await ask(path, { method: 'PUT', body: text ?? JSON.stringify(clean(edited.value)), headers: { 'Content-Type': type }, tries: 2 });
      show(faults);
      show(warnings, told.warnings?.length ? el('ul', { class: 'note' }, told.warnings.map((warning) => el('li', {}, warning))) : null);
      if (text !== null) { sessionStorage.removeItem(`companion-draft ${id}`); edit(told); return; }
      edited.saved();
      say(t('companion-editor.isSaved'));
    } catch (error) {
      store.disabled = !edited.isChanged;
      status.textContent = t('companion-editor.unsaved');
      const box = faultBox(error, () => put(text, type));
      // What the service says of an entry is of use to who edits it.
      if (error.code === 'timelineInvalid') box.firstChild.textContent = `${t('companion-editor.refused')} ${error.message}`;
      show(faults, box);
    }
  }

  const drop = () => fileDrop(t('companion-editor.drop'), 'audio/*,video/*', ([file]) => listen(file));
  const chooseFile = el('input', {
    type: 'file', class: 'sr', accept: '.json,.vtt,.lrc,.csv,.tsv,.txt',
    onchange: async () => {
      const [file] = chooseFile.files;
      if (!file || (edited.entries.length && !confirm(t('companion-editor.replaceSure')))) return;
      await put(await file.text(), file.name.endsWith('.json') ? 'application/json' : 'text/plain');
    },
  });

  show(soundPlace, drop());
  show(app,
    el('p', { class: 'row' }, el('strong', {}, content.title ?? content.id), el('span', { class: 'dim' }, [content.artist, clock(content.duration)].filter(Boolean).join(' · ')),
      el('a', { href: `/companion/${encodeURIComponent(id)}` }, t('companion-editor.view'))),
    edited.isDraft ? el('p', { class: 'note' }, t('companion-editor.draft')) : null,
    el('div', { class: 'row tools' }, store, undo, redo,
      el('button', { class: 'second small', onclick: () => track.add(track.at ?? lastEnd(edited)) }, t('companion-editor.add')),
      el('label', { class: 'zoom' }, t('companion-editor.zoom'), zoom), status),
    faults, warnings, track.node, el('p', { class: 'dim small' }, t('companion-editor.keys')),
    el('div', { class: 'split' }, fields, el('div', { class: 'column' },
      el('section', { class: 'card column' }, el('h2', {}, t('companion-editor.preview')), soundPlace, preview),
      el('details', { class: 'card' }, heading, list),
      el('p', { class: 'row' },
        el('label', { class: 'button second' }, chooseFile, t('companion-editor.import')),
        el('button', { class: 'second', onclick: () => save('content.json', 'application/json', JSON.stringify(clean(edited.value), null, 1)) }, t('companion-editor.export'))))));
  changed();
  loadWave(content, track);

  window.onkeydown = (event) => {
    const isCommand = event.ctrlKey || event.metaKey;
    const isField = /^(INPUT|TEXTAREA|SELECT)$/.test(event.target.tagName);
    if (isCommand && event.key === 's') put();
    else if (isCommand && !isField && event.key === 'z' && !event.shiftKey) edited.undo();
    else if (isCommand && !isField && (event.key === 'y' || (event.key.toLowerCase() === 'z' && event.shiftKey))) edited.redo();
    else if (event.key === ' ' && event.target === document.body && sound.src) { if (sound.paused) sound.play(); else sound.pause(); } else return;
    event.preventDefault();
  };
  window.onbeforeunload = (event) => { if (edited.isChanged) event.preventDefault(); };
}

function lastEnd(edited) { return edited.entries.at(-1)?.end ?? edited.entries.at(-1)?.start ?? 0; }

// The document without what only the editor needs.
function clean(value) {
  return {
    ...value,
    entries: value.entries.map((entry) => {
      const payload = { ...entry.payload };
      if (!payload.picture) delete payload.picture;
      return Object.keys(payload).length ? { ...entry, payload } : (({ payload: none, ...rest }) => rest)(entry);
    }),
  };
}

// The waveform of the file that the reference was made of, where the service has it; otherwise the ruler alone.
async function loadWave(content, track) {
  if (!content.asset) return;
  const wave = await ask(`/v1/assets/${encodeURIComponent(content.asset)}/waveform?buckets=20000`).catch(() => null);
  if (wave) track.wave = wave;
}
