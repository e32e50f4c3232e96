// Files that people give to pages: how much of one is sent, how large it may be, and what is shown meanwhile.
import { el, Failure, size, t, upload } from './page.js';

// The most bytes that the service takes, by its settings: `upload` for a recording, `tracklist` for one of which a tracklist is made.
const limits = Object.fromEntries([...(document.querySelector('meta[name=earshot-limits]')?.content ?? '').matchAll(/(\w+)=(\d+)/g)]
  .map(([, name, value]) => [name, Number(value)]));
// A file that is no larger is sent as it is: to cut it saves no time.
const small = 2 << 20;
// The seconds of a clip: the service looks at fewer. Of a film with much data a second fewer are enough.
const seconds = { seconds: 25, least: 4 };

export const isSignature = (file) => file.name.endsWith('.earsig');

// The type of a file as the service takes it.
export function mediaType(file) {
  if (isSignature(file)) return 'application/vnd.earshot.signature';
  return /^(audio|video)\//.test(file.type) ? file.type : 'application/octet-stream';
}

// The begin of a recording, as a file of its own, and how long all of it is where it was looked at. What cannot be cut is given whole.
async function beginning(file) {
  if (file.size <= small || isSignature(file)) return { body: file };
  const { clip, durationOf, readTags } = await import('./tags.js');
  await check(file);
  const found = await readTags(file);
  const duration = found.duration ?? await durationOf(file);
  return { body: clip(file, { ...found, duration }, { ...seconds, most: limits.upload }) ?? file, duration };
}

// A file that cannot be sent. Its advice names the file, and what to do.
class FileFailure extends Failure {
  constructor(status, code, message, advice) {
    super(status, code, message);
    this.sentences = advice;
  }

  get advice() { return this.sentences; }
  get isFinal() { return true; }
}

function tooLarge(file, limit, hint) {
  const values = { name: file.name, size: size(file.size), limit: limit && size(limit) };
  const advice = t(limit ? 'files.tooLarge' : 'files.tooLargeUnknown', values);
  return new FileFailure(413, 'uploadTooLarge', `The file has ${file.size} bytes; ${limit ?? 'fewer'} are taken.`, hint ? `${advice} ${t(`files.${hint}`)}` : advice);
}

// Refuses a file without bytes, and what cannot be read: a folder that was dropped, a file that was removed since. Sending would fail as if the
// service could not be reached.
async function check(file) {
  if (!file.size) throw new FileFailure(0, 'fileEmpty', 'The file has no bytes.', t('files.empty', { name: file.name }));
  try {
    await file.slice(0, 1).arrayBuffer();
  } catch (error) {
    throw new FileFailure(0, 'fileUnreadable', String(error), t('files.unreadable', { name: file.name }));
  }
}

// Sends a file, or a part of it, as `upload` does. What cannot be read, or is larger than the service takes, is not sent. `limit` names the limit,
// and `hint` the text of what to do instead.
export async function sendFile(path, file, { body = file, type = mediaType(file), limit, hint, ...options } = {}) {
  await check(file);
  if (body.size > limits[limit]) throw tooLarge(file, limits[limit], hint);
  try {
    return await upload(path, body, { type, ...options });
  } catch (error) {
    // The limit of the settings was kept: this one is of a proxy, or of signatures.
    throw error.code === 'uploadTooLarge' || error.status === 413 ? tooLarge(file, undefined, hint) : error;
  }
}

// Shows how much of a file was sent, with a button that ends it.
export class Sending {
  constructor(file) {
    this.abort = new AbortController();
    this.file = file;
    this.bar = el('progress', { max: 1, value: 0, 'aria-label': t('files.progress') });
    this.count = el('p', { class: 'number' });
    this.status = el('p', { role: 'status' }, t('files.preparing'));
  }

  get signal() { return this.abort.signal; }

  // A card with all of it.
  get card() {
    return el('section', { class: 'card column' }, el('h2', {}, this.file.name), this.status, this.bar, this.count,
      el('p', {}, el('button', { class: 'second', onclick: () => this.cancel() }, t('files.cancel'))));
  }

  cancel() { this.abort.abort(); }

  // Finds the begin of the recording, as a file of its own, and how long all of it is where it was looked at.
  begin() {
    const { signal } = this;
    return new Promise((done, fail) => {
      signal.addEventListener('abort', () => fail(signal.reason), { once: true });
      beginning(this.file).then(done, fail);
    });
  }

  // Sends the file as `sendFile` does.
  send(path, options) {
    const all = options.body?.size ?? this.file.size;
    const on = (share) => {
      this.bar.value = share;
      this.count.textContent = t('files.sent', { sent: size(share * all), all: size(all) });
      const sentence = t(share < 1 ? 'files.sending' : 'files.waiting');
      if (this.status.textContent !== sentence) this.status.textContent = sentence;
    };
    return sendFile(path, this.file, { ...options, signal: this.signal, on });
  }
}
