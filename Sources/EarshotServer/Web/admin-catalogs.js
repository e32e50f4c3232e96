// Catalogs that are published, merging, checks, backups, and the jobs that do these.
import { el, t, ask, show, day, number, size, faultBox, fileDrop } from './page.js';
import { action, copyable, done, field, form, heading, heads, table, parameters } from './admin-kit.js';
import { JobList } from './admin-jobs.js';
import { SendList, guard } from './admin-send.js';
import { sendFile } from './uploads.js';

let sends = null;
let list = null;

export async function open(place, { signal }) {
  const published = el('div');
  const backups = el('div');
  // A job may end while the service cannot be reached, as when it is restarted.
  const renew = (part, work) => work(part, signal).catch((failure) => {
    if (!signal.aborted) show(part, faultBox(failure, () => renew(part, work)));
  });
  list = new JobList(signal, (job) => {
    if (job.kind === 'publish') renew(published, showPublished);
    if (job.kind === 'backup') renew(backups, showBackups);
  });
  const jobs = list;
  const messages = el('div', { 'aria-live': 'polite' });
  const submit = async (json, place2 = messages) => {
    const job = await ask('/v1/jobs', { method: 'POST', json });
    jobs.put(job);
    done(place2, t('admin.accepted', { kind: t(`admin.kind-${job.kind}`) }));
    return job;
  };
  if (!sends) { sends = new SendList('catalogs', send); guard(sends); }
  const name = el('input', { pattern: '[A-Za-z0-9._\\-]{1,64}', required: true, maxlength: 64 });
  const url = el('input', { type: 'url', required: true, maxlength: 4000, placeholder: 'https://' });
  const title = el('input', { maxlength: 400 });
  show(place,
    heading(t('admin.catalogs')), el('h3', {}, t('admin.jobs')), jobs.node,
    el('h3', {}, t('admin.published')), published,
    el('div', { class: 'split' },
      form([el('h3', {}, t('admin.publish')), field(t('admin.catalogName'), name, t('admin.catalogNameHelp')), el('p', {}, el('button', {}, t('admin.publish')))],
        (at) => submit({ kind: 'publish', id: name.value.trim() }, at), { class: 'card' }),
      el('div', { class: 'card' }, el('h3', {}, t('admin.exportCatalog')), el('p', {}, t('admin.exportHelp')), el('p', {}, el('a', { class: 'button second', href: '/v1/catalog', download: 'catalog.earcat' }, t('admin.download')))),
      el('div', { class: 'card' }, el('h3', {}, t('admin.merge')), fileDrop(t('admin.dropCatalog'), '.earcat', (files) => sends.add(files), { multiple: true }), sends.node),
      form([el('h3', {}, t('admin.fetch')), el('p', { class: 'dim' }, t('admin.fetchHelp')), field(t('admin.url'), url), field(t('admin.trackTitle'), title), el('p', {}, el('button', {}, t('admin.fetch')))],
        (at) => submit({ kind: 'addReference', url: url.value.trim(), ...(title.value.trim() && { item: { title: title.value.trim() } }) }, at), { class: 'card' })),
    el('h3', {}, t('admin.care')), el('p', { class: 'dim' }, t('admin.careHelp')),
    el('p', { class: 'row' }, action(t('admin.check'), { class: 'second' }, messages, () => submit({ kind: 'check' })), action(t('admin.backUp'), {}, messages, () => submit({ kind: 'backup' }))), messages,
    el('h3', {}, t('admin.backups')), backups);
  await Promise.all([jobs.start(), showPublished(published, signal), showBackups(backups, signal)]);
}

async function send(file, { progress, signal }) {
  const job = await sendFile(`/v1/admin/imports?${parameters({ kind: 'mergeCatalog', name: file.name })}`, file, { on: progress, signal });
  if (!list?.signal.aborted) list?.put(job);
  return t('admin.mergeAccepted');
}

async function showPublished(place, signal) {
  const newest = await ask('/v1/catalogs', { signal });
  const all = await Promise.all(newest.map((one) => ask(`/v1/catalogs/${encodeURIComponent(one.name)}/versions`, { signal })));
  const rows = all.flatMap((versions) => versions.toReversed()).map((one) => [
    el('a', { href: `/v1/catalogs/${encodeURIComponent(one.name)}/versions/${one.version}`, download: `${one.name}-${one.version}.earcat` }, one.name),
    el('td', { class: 'number' }, one.version), el('td', { class: 'number' }, number(one.references)), el('td', { class: 'number' }, size(one.size)), el('code', { class: 'small' }, one.sha256.slice(0, 16))]);
  show(place, rows.length ? table(t('admin.published'), heads('name', '#version', '#references', '#size', 'checksum'), rows) : el('p', { class: 'dim' }, t('admin.nonePublished')));
}

async function showBackups(place, signal) {
  const backups = await ask('/v1/admin/backups', { signal });
  const rows = backups.map((one) => [one.name, one.date ? day(one.date) : '', el('td', { class: 'number' }, size(one.size)), el('td', { class: 'number' }, number(one.files))]);
  show(place, rows.length ? table(t('admin.backups'), heads('name', 'when', '#size', '#fileCount'), rows) : el('p', { class: 'dim' }, t('admin.noBackups')),
    el('p', {}, t('admin.restoreHelp')), copyable(`earshot admin restore backups/${backups[0]?.name ?? 'NAME'} --data . --yes`));
}
