// The albums of a folder: chosen, read, listened to, and shown as a proposal. The files stay where they are.
import { app, el, faultBox, say, show, t } from './page.js';
import { folderDrop } from './folder.js';
import { forget, keep, kept } from './kept.js';
import { begin, needsFiles, peak, work } from './collection-run.js';
import { showProposal } from './collection-view.js';

const key = 'collection';
const status = el('div', { role: 'status' });
const result = el('div', { id: 'result' });
const isListening = el('input', { type: 'checkbox', checked: true });
const choosing = el('section', { class: 'card' },
  el('p', {}, t('collection.help')),
  folderDrop(t('collection.drop'), (name, files) => chosen(name, files)),
  el('label', {}, isListening, t('collection.listen')));
const again = el('p', { class: 'row', hidden: true }, el('button', { class: 'second small', onclick: startAnew }, t('collection.anew')));

let run = null;
let abort = null;
let ended = Promise.resolve();
let timer = 0;
// The files by their paths, as long as the page has them.
let files = new Map();

show(app, choosing, status, again, result);
await restore();

async function startAnew() {
  await stop();
  // What is about to be kept would bring it back.
  clearTimeout(timer);
  await forget(key);
  location.reload();
}

async function restore() {
  const before = await kept(key);
  // A folder may have been chosen meanwhile.
  if (!before || run) return;
  run = before;
  if (run.isDone) { proposed(); return; }
  again.hidden = false;
  // What is left to do may need no file any more.
  if (needsFiles(run)) show(status, el('p', { class: 'note' }, t('collection.goOn', { name: run.folder })));
  else start();
}

async function chosen(name, list) {
  await stop();
  files = new Map(list.map(({ file, path }) => [path.join('/'), file]));
  const before = run && !run.isDone && run.folder === name ? run : null;
  run = begin(name, list, isListening.checked);
  // What was read before of files that are the same still counts.
  const known = new Map((before?.files ?? []).map((file) => [`${file.path.join('/')} ${file.size} ${file.modified}`, file]));
  run.files = run.files.map((file) => known.get(`${file.path.join('/')} ${file.size} ${file.modified}`) ?? file);
  if (!run.files.length) {
    run = null;
    show(status, el('p', { class: 'note' }, t('collection.empty')));
    return;
  }
  start();
}

function remember() {
  // Steps come quickly one after the other: none may put the keeping off for good.
  timer ||= setTimeout(() => {
    timer = 0;
    keep(key, JSON.parse(JSON.stringify(run)));
  }, 400);
}

async function stop() {
  abort?.abort(new DOMException('stopped', 'AbortError'));
  await ended;
}

// One identification at a time: another one begins when this one has ended.
function start() {
  abort = new AbortController();
  const { signal } = abort;
  const before = ended;
  ended = (async () => {
    await before;
    await go(signal);
  })();
}

async function go(signal) {
  const bar = el('progress', { max: 1, value: 0 });
  const step = el('p');
  choosing.hidden = true;
  again.hidden = false;
  show(result);
  show(status, el('section', { class: 'card' }, step, bar, el('p', {}, el('button', { class: 'second small', onclick: cancel }, t('collection.cancel')))));
  const report = (name, count, total) => {
    step.textContent = t(`collection.step-${name}`, { count, total });
    bar.setAttribute('aria-label', step.textContent);
    Object.assign(bar, { value: count, max: total });
    app.dataset.peak = peak();
    remember();
  };
  try {
    await work(run, (entry) => files.get(entry.path.join('/')), report, signal);
    await keep(key, JSON.parse(JSON.stringify(run)));
    proposed();
    say(t('collection.step-done'));
  } catch (failure) {
    if (failure.name === 'AbortError') return;
    show(status, faultBox(failure, start));
  }
}

async function cancel() {
  await stop();
  choosing.hidden = false;
  show(status, el('p', { class: 'row' }, t('collection.canceled'), el('button', { class: 'second small', onclick: start }, t('collection.resume'))));
}

function proposed() {
  choosing.hidden = true;
  again.hidden = false;
  show(status);
  showProposal(result, run, remember).focus();
}
