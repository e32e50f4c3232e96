// Sends files one after the other, and tells how far each is. Which were sent is remembered for as long as the window is open: after a reload
// the same files can be chosen again, and those that are there already are passed over.
import { el, t, show, size, say } from './page.js';

// A list of files that are sent one after the other. `work` sends one and gives what to tell of it: text, or elements.
export class SendList {
  constructor(key, work, { after } = {}) {
    this.key = `earshot-${key}`;
    this.work = work;
    this.after = after;
    this.entries = [];
    this.isRunning = false;
    this.list = el('ul', { class: 'plain sends' });
    this.summary = el('p', { role: 'status', class: 'row' });
    this.node = el('div', { class: 'column' }, this.summary, this.list);
    this.before = this.remembered();
    this.tell();
  }

  // Of before a reload: the names of files that were sent, and of those that were not.
  remembered() {
    try { return JSON.parse(sessionStorage.getItem(this.key)) ?? []; } catch { return []; }
  }

  remember() {
    const now = this.entries.map(({ file, state }) => ({ name: file.name, size: file.size, done: state === 'done' }));
    const names = new Set(now.map((one) => one.name));
    try { sessionStorage.setItem(this.key, JSON.stringify([...this.before.filter((one) => !names.has(one.name)), ...now].slice(-2000))); } catch { /* Full: nothing is remembered. */ }
  }

  add(files) {
    for (const file of files) this.put(file, this.work, this.before.some((one) => one.done && one.name === file.name && one.size === file.size));
    this.before = this.before.filter((one) => one.done);
    this.remember();
    this.run();
  }

  // Goes on with a file that was sent before a reload, and that the service still works on. Of the file there is the name and the size.
  goOn(file, work) {
    this.before = this.before.filter((one) => one.name !== file.name);
    this.put(file, work, false);
    this.remember();
    this.run();
  }

  put(file, work, isDone) {
    const entry = { file, work, state: isDone ? 'done' : 'waiting' };
    entry.note = el('span', { class: 'dim small' }, isDone ? t('admin.sentBefore') : t('admin.sendWaiting'));
    entry.bar = el('progress', { max: 1, value: isDone ? 1 : 0, 'aria-label': file.name, hidden: isDone });
    entry.more = el('span', { class: 'row' });
    entry.node = el('li', {}, el('div', { class: 'row' }, el('span', { class: 'wide' }, file.name), el('span', { class: 'dim small number' }, size(file.size)), entry.more), entry.bar, entry.note);
    this.entries.push(entry);
    this.list.append(entry.node);
  }

  async run() {
    if (this.isRunning) return;
    this.isRunning = true;
    for (let entry; (entry = this.entries.find((one) => one.state === 'waiting'));) {
      entry.state = 'sending';
      entry.bar.hidden = false;
      entry.abort = new AbortController();
      show(entry.more, el('button', { class: 'plain small', onclick: () => entry.abort.abort() }, t('admin.cancel')));
      this.tell();
      try {
        const told = await entry.work(entry.file, {
          signal: entry.abort.signal,
          progress: (share) => { entry.bar.value = share * 0.9; entry.note.textContent = share < 1 ? t('admin.sending') : t('admin.working'); },
          note: (text) => { entry.note.textContent = text; },
          share: (share) => { entry.bar.value = share; },
          // From here on the service needs no page.
          arrived: () => { entry.hasArrived = true; },
        });
        entry.state = 'done';
        show(entry.note, told);
        show(entry.more);
      } catch (error) {
        entry.state = 'failed';
        const words = error.name === 'AbortError' ? t('admin.canceled') : [error.advice ?? String(error), error.message].filter(Boolean).join(' ');
        show(entry.note, el('span', { class: 'bad' }, words));
        show(entry.more, entry.file instanceof File ? el('button', { class: 'second small', onclick: () => this.again([entry]) }, t('errors.retry')) : null);
      }
      entry.bar.hidden = true;
      this.remember();
    }
    this.isRunning = false;
    this.tell();
    say(this.summary.textContent);
    this.after?.();
  }

  again(entries) {
    for (const entry of entries) { entry.state = 'waiting'; entry.hasArrived = false; entry.bar.value = 0; show(entry.note, t('admin.sendWaiting')); show(entry.more); }
    this.run();
  }

  tell() {
    const count = (state) => this.entries.filter((entry) => entry.state === state).length;
    const failed = this.entries.filter((entry) => entry.state === 'failed' && entry.file instanceof File);
    const missing = this.before.filter((one) => !one.done);
    show(this.summary,
      this.entries.length > 0 && t('admin.sendSummary', { done: count('done'), all: this.entries.length, failed: count('failed') }),
      failed.length > 0 && !this.isRunning ? el('button', { class: 'second small', onclick: () => this.again(failed) }, t('admin.retryFailed')) : null,
      missing.length ? el('span', { class: 'warn' }, t('admin.sendAgain', { count: missing.length, names: missing.slice(0, 5).map((one) => one.name).join(', ') })) : null);
  }
}

// A page that is left while files are sent would end that.
export function guard(list, signal) {
  window.addEventListener('beforeunload', (event) => { if (list.entries.some((entry) => entry.state === 'waiting' || (entry.state === 'sending' && !entry.hasArrived))) event.preventDefault(); }, { signal });
}
