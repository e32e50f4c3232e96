// Jobs with how far they are, by server-sent events.
import { el, t, ask, show, day, follow, number } from './page.js';
import { action, every } from './admin-kit.js';

const shown = 30;
// A browser has some six connections to a service: more are not held for events.
const followed = 3;
const isOver = (job) => ['done', 'failed', 'cancelled'].includes(job.state);

// A list of jobs that keeps up. `onover` is called with each that comes to its end.
export class JobList {
  constructor(signal, onover) {
    this.signal = signal;
    this.onover = onover;
    this.rows = new Map();
    this.ends = new Map();
    this.messages = el('div', { 'aria-live': 'polite' });
    this.none = el('p', { class: 'dim' }, t('admin.noJobs'));
    this.list = el('ul', { class: 'plain jobs' });
    this.node = el('div', {}, this.messages, this.none, this.list);
    signal.addEventListener('abort', () => this.ends.forEach((end) => end()), { once: true });
  }

  // Reads the list, and goes on reading it: others submit jobs too.
  async start() {
    await this.read();
    every(5000, this.signal, () => this.read().catch(() => {}));
  }

  async read() {
    const jobs = (await ask('/v1/jobs', { signal: this.signal })).slice(0, shown);
    for (const job of jobs.toReversed()) this.put(job);
    const ids = new Set(jobs.map((job) => job.id));
    for (const [id, row] of this.rows) if (!ids.has(id)) { row.node.remove(); this.rows.delete(id); }
  }

  put(job) {
    let row = this.rows.get(job.id);
    if (!row) {
      row = { node: el('li', { class: 'job', data: { job: job.id } }), job: null };
      this.rows.set(job.id, row);
      this.list.prepend(row.node);
    }
    this.none.hidden = this.rows.size > 0;
    const before = row.job;
    if (before && before.state === job.state && before.progress === job.progress) return;
    row.job = job;
    this.fill(row, job);
    if (before && !isOver(before) && isOver(job)) this.onover?.(job);
    if (isOver(job)) { this.ends.get(job.id)?.(); this.ends.delete(job.id); } else this.follow(job.id);
  }

  follow(id) {
    if (this.ends.has(id) || this.ends.size >= followed) return;
    const end = follow(`/v1/jobs/${encodeURIComponent(id)}/events`, ['job'], (_, job) => job && this.put(job));
    this.ends.set(id, end);
  }

  fill(row, job) {
    const kind = t(`admin.kind-${job.kind}`);
    const words = { waiting: 'dim', running: '', done: 'good', failed: 'bad', cancelled: 'dim' };
    row.node.dataset.state = job.state;
    show(row.node,
      el('div', { class: 'row' }, el('strong', {}, kind), el('span', { class: words[job.state] }, t(`admin.job-${job.state}`)),
        el('span', { class: 'dim small wide' }, day(job.created)),
        ['importTable', 'mergeCatalog'].includes(job.kind) && job.state !== 'waiting' && isOver(job) ? el('a', { href: `/admin/music?import=${encodeURIComponent(job.id)}` }, t('admin.report')) : null,
        isOver(job) ? null : action(t('admin.cancel'), { class: 'plain small', 'aria-label': t('admin.cancelJob', { kind }) }, this.messages, () => ask(`/v1/jobs/${encodeURIComponent(job.id)}`, { method: 'DELETE' }))),
      job.state === 'running' && el('progress', { max: 1, value: job.progress || null, 'aria-label': t('admin.progressOf', { kind, share: number(job.progress, { style: 'percent' }) }) }),
      job.result && el('p', { class: 'small' }, job.result), job.error && el('p', { class: 'small bad' }, job.error.message));
  }
}
