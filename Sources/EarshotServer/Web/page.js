// What all pages share: texts, requests to the service, and making elements. Text goes into the page as text only.

const language = document.documentElement.lang;
const texts = await (await fetch(new URL(`./texts-${language}.json`, import.meta.url))).json()
  .catch(() => ({}));
const standard = language === 'en' ? texts : await (await fetch(new URL('./texts-en.json', import.meta.url))).json();

// The text of a name such as 'recognize.title', with values in place of {their names}.
export function t(name, values = {}) {
  const [group, key] = name.split('.');
  const text = texts[group]?.[key] ?? standard[group]?.[key] ?? name;
  return text.replace(/\{(\w+)\}/g, (whole, value) => values[value] ?? whole);
}

// An element. Properties that begin with `on` are listeners, `data` and `aria` are groups of attributes, `class` is the class; others are
// attributes. Children are elements or text; null and false are left out.
export function el(name, properties = {}, ...children) {
  const node = document.createElement(name);
  for (const [key, value] of Object.entries(properties ?? {})) {
    if (value === null || value === undefined || value === false) continue;
    if (key.startsWith('on')) node.addEventListener(key.slice(2), value);
    else if (key === 'data' || key === 'aria') for (const [k, v] of Object.entries(value)) node.setAttribute(`${key}-${k}`, v);
    else if (key === 'value' || key === 'checked') node[key] = value;
    else node.setAttribute(key, value === true ? '' : value);
  }
  node.append(...children.flat(Infinity).filter((child) => child !== null && child !== undefined && child !== false));
  return node;
}

// The place of the page's own content.
export const app = document.getElementById('app');

// Puts elements in the place of what was there.
export function show(place, ...children) {
  place.replaceChildren(...children.flat(Infinity).filter((child) => child !== null && child !== undefined && child !== false));
}

// On a phone the name of this page may be beyond the edge.
const here = document.querySelector('.top nav [aria-current]');
if (here) here.parentElement.scrollLeft = here.offsetLeft - here.parentElement.offsetLeft - (here.parentElement.clientWidth - here.offsetWidth) / 2;

const announcer = el('div', { class: 'sr', role: 'status', 'aria-live': 'polite' });
document.body.append(announcer);

// Has a screen reader say a sentence.
export function say(sentence) { announcer.textContent = sentence; }

// What the service refused, by its code. Its wording is for programmers: pages have their own.
export class Failure extends Error {
  constructor(status, code, message, retryAfter, violations) {
    super(message);
    Object.assign(this, { status, code, retryAfter, violations });
  }
  // What a person can do about it.
  get advice() {
    const named = t(`errors.${this.code}`);
    return named.startsWith('errors.') ? t('errors.unknown', { code: this.code }) : named;
  }
  // Whether the next attempt would fail as well: a file that is too large stays so.
  get isFinal() { return this.code === 'uploadTooLarge'; }
}

let mark = document.querySelector('meta[name=earshot-mark]')?.content ?? '';

async function renewMark() {
  const answer = await fetch('/session');
  if (!answer.ok) return false;
  const told = (await answer.json()).mark;
  const isNew = told !== mark;
  mark = told;
  return isNew;
}

// Asks the service. Gives the answer's JSON, or the response itself with `raw`; throws a Failure. Connections that fail are tried again
// where nothing is changed, up to `tries` times.
export async function ask(path, { method = 'GET', body, json, headers = {}, signal, raw = false, tries } = {}) {
  const attempts = tries ?? (method === 'GET' ? 3 : 1);
  const all = { 'X-Earshot-Page': mark, ...headers };
  if (json !== undefined) { body = JSON.stringify(json); all['Content-Type'] = 'application/json'; }
  let renewed = false;
  for (let attempt = 1; ; attempt += 1) {
    let answer;
    try {
      answer = await fetch(path, { method, body, headers: all, signal });
    } catch (error) {
      if (error.name === 'AbortError') throw error;
      if (attempt < attempts) { await wait(400 * attempt, signal); continue; }
      throw new Failure(0, 'connectionFailed', String(error));
    }
    if (answer.ok) return raw ? answer : answer.status === 204 ? null : answer.json();
    // The page may be of before somebody signed in or out elsewhere.
    if ((answer.status === 401 || answer.status === 403) && !renewed) {
      renewed = true;
      if (await renewMark().catch(() => false)) { all['X-Earshot-Page'] = mark; attempt -= 1; continue; }
    }
    if ((answer.status === 503 || answer.status === 502) && attempt < attempts) { await wait(500 * attempt, signal); continue; }
    const told = await answer.json().catch(() => ({}));
    const retry = Number(answer.headers.get('Retry-After')) || undefined;
    throw new Failure(answer.status, told.error?.code ?? 'unknown', told.error?.message ?? '', retry, told.error?.violations);
  }
}

// Waits some milliseconds.
export function wait(milliseconds, signal) {
  return new Promise((done, fail) => {
    const timer = setTimeout(done, milliseconds);
    signal?.addEventListener('abort', () => { clearTimeout(timer); fail(signal.reason); }, { once: true });
  });
}

// A box that says what went wrong, with a way to try again and to copy what technical staff wants to know.
export function faultBox(failure, retry) {
  const details = JSON.stringify({ code: failure.code ?? failure.name, status: failure.status, message: failure.message });
  return el('div', { class: 'fault', role: 'alert' },
    el('p', {}, failure.advice ?? t('errors.unknown', { code: failure.name })),
    el('p', { class: 'row' },
      retry && !failure.isFinal && el('button', { class: 'second small', onclick: retry }, t('errors.retry')),
      el('button', {
        class: 'plain small',
        onclick: async (event) => {
          await navigator.clipboard?.writeText(details).catch(() => {});
          event.target.textContent = t('errors.copied');
        },
      }, t('errors.copy'))));
}

// A row that says that something is under way.
export function busy(sentence = t('frame.wait')) {
  return el('p', { class: 'row dim', role: 'status' }, el('span', { class: 'spin', 'aria-hidden': 'true' }), sentence);
}

// Seconds as 1:02:03 or 2:03.
export function clock(seconds) {
  const whole = Math.max(0, Math.floor(seconds));
  const [h, m, s] = [Math.floor(whole / 3600), Math.floor(whole / 60) % 60, whole % 60];
  const two = (number) => String(number).padStart(2, '0');
  return h ? `${h}:${two(m)}:${two(s)}` : `${m}:${two(s)}`;
}

// A date and time in the reader's language.
export function day(date, options = { dateStyle: 'medium', timeStyle: 'short' }) {
  return new Intl.DateTimeFormat(language, options).format(new Date(date));
}

// A number in the reader's language.
export function number(value, options = {}) { return new Intl.NumberFormat(language, options).format(value); }

// Bytes in the reader's language.
export function size(bytes) {
  const step = bytes < 1e3 ? ['byte', 1] : bytes < 1e6 ? ['kilobyte', 1e3] : bytes < 1e9 ? ['megabyte', 1e6] : ['gigabyte', 1e9];
  return number(bytes / step[1], { style: 'unit', unit: step[0], maximumFractionDigits: step[1] === 1 ? 0 : 1 });
}

// Events of the service by server-sent events: `on` is called with each one's name and JSON. Goes on after the connection was lost.
// Returns what ends it.
export function follow(path, names, on) {
  const source = new EventSource(path);
  for (const name of names) {
    source.addEventListener(name, (event) => on(name, event.data ? JSON.parse(event.data) : null));
  }
  return () => source.close();
}

// Events of the service by server-sent events, as `follow` has them, for those too who have not signed in: gives the JSON of each, and ends
// with the answer. Throws a Failure, and a TypeError when the connection is lost.
export async function* events(path, { signal } = {}) {
  const reader = (await ask(path, { raw: true, signal })).body.pipeThrough(new TextDecoderStream()).getReader();
  let text = '';
  try {
    for (let read = await reader.read(); !read.done; read = await reader.read()) {
      const blocks = (text + read.value).split('\n\n');
      text = blocks.pop();
      for (const block of blocks) {
        const data = block.split('\n').filter((line) => line.startsWith('data: ')).map((line) => line.slice(6)).join('\n');
        if (data) yield JSON.parse(data);
      }
    }
  } finally {
    reader.cancel().catch(() => {});
  }
}

// Sends a file: `on` is called with the share that was sent, and with 1 when all was. The answer may take `patience` milliseconds from then on:
// how long a connection takes to send the file does not count. `tries` is as of `ask`. Gives the answer's JSON; throws a Failure.
export async function upload(path, body, { method = 'POST', type = 'application/octet-stream', signal, on, patience, tries = 1 } = {}) {
  const send = () => new Promise((done, fail) => {
    signal?.throwIfAborted();
    // Unlike fetch it tells how much was sent.
    const request = new XMLHttpRequest();
    const ended = new AbortController();
    let timer;
    const end = (finish, value) => { clearTimeout(timer); ended.abort(); finish(value); };
    request.open(method, path);
    request.setRequestHeader('X-Earshot-Page', mark);
    request.setRequestHeader('Content-Type', type);
    request.upload.onprogress = (event) => on?.(event.lengthComputable ? event.loaded / event.total : 0);
    request.upload.onload = () => {
      on?.(1);
      if (!patience) return;
      timer = setTimeout(() => {
        end(fail, new Failure(0, 'timedOut', 'The page waited long enough.'));
        request.abort();
      }, patience);
    };
    request.onload = () => end(done, request);
    request.onerror = () => end(fail, new Failure(0, 'connectionFailed', 'The upload was not finished.'));
    request.onabort = () => end(fail, new DOMException('canceled', 'AbortError'));
    signal?.addEventListener('abort', () => request.abort(), { signal: ended.signal });
    request.send(body);
  });
  let renewed = false;
  for (let attempt = 1; ; attempt += 1) {
    let answer;
    try {
      answer = await send();
    } catch (error) {
      if (error.code !== 'connectionFailed' || attempt >= tries) throw error;
      await wait(400 * attempt, signal);
      continue;
    }
    let told = {};
    try { told = JSON.parse(answer.responseText || '{}'); } catch { /* What is no JSON says nothing. */ }
    if (answer.status >= 200 && answer.status < 300) return told;
    // The page may be of before somebody signed in or out elsewhere, or the keys were replaced.
    if ([401, 403].includes(answer.status) && !renewed) {
      renewed = true;
      if (await renewMark().catch(() => false)) { attempt -= 1; continue; }
    }
    if ([502, 503].includes(answer.status) && attempt < tries) { await wait(500 * attempt, signal); continue; }
    const retry = Number(answer.getResponseHeader('Retry-After')) || undefined;
    throw new Failure(answer.status, told.error?.code ?? 'unknown', told.error?.message ?? '', retry, told.error?.violations);
  }
}

// Saves bytes as a file of the person's.
export function save(name, type, bytes) {
  const address = URL.createObjectURL(new Blob([bytes], { type }));
  const link = el('a', { href: address, download: name });
  document.body.append(link);
  link.click();
  link.remove();
  setTimeout(() => URL.revokeObjectURL(address), 10_000);
}

// A file that misses its place must not take the page away.
for (const name of ['dragover', 'drop']) {
  document.addEventListener(name, (event) => { if (event.dataTransfer?.types.includes('Files')) event.preventDefault(); });
}

// Makes a place take files that are dropped on it or chosen. `on` is called with a list of files.
export function fileDrop(sentence, accept, on, { multiple = false, folder = false } = {}) {
  const input = el('input', { type: 'file', accept, multiple, webkitdirectory: folder, class: 'sr', onchange: () => {
    const files = [...input.files];
    // The same file can be chosen once more.
    input.value = '';
    if (files.length) on(files);
  } });
  const place = el('div', { class: 'drop' },
    el('p', {}, sentence),
    el('label', { class: 'button second' }, input, t(folder ? 'frame.chooseFolder' : multiple ? 'frame.chooseFiles' : 'frame.chooseFile')));
  place.addEventListener('dragover', (event) => { event.preventDefault(); place.classList.add('over'); });
  place.addEventListener('dragleave', () => place.classList.remove('over'));
  place.addEventListener('drop', (event) => {
    event.preventDefault();
    place.classList.remove('over');
    if (event.dataTransfer.files.length) on([...event.dataTransfer.files]);
  });
  return place;
}
