// Who changed what: the latest changes first, by whom, what and day, and the whole log as a file.
import { el, t, ask, show, day, number } from './page.js';
import { field, form, heading, heads, table, parameters } from './admin-kit.js';

const limit = 100;

export async function open(place, { query, signal, go }) {
  const wanted = Object.fromEntries(['who', 'what', 'day'].map((name) => [name, query.get(name) ?? '']));
  const before = query.get('before') ?? '0';
  const filled = Object.entries(wanted).filter(([, value]) => value);
  const told = await ask(`/v1/admin/audit?${parameters({ before, limit, ...Object.fromEntries(filled) })}`, { signal });
  const inputs = {
    who: el('input', { type: 'search', value: wanted.who, maxlength: 200 }),
    what: el('input', { type: 'search', value: wanted.what, maxlength: 200 }),
    day: el('input', { type: 'date', value: wanted.day }),
  };
  const at = (more) => `/admin/audit?${parameters({ ...Object.fromEntries(filled), ...more })}`;
  const rows = told.entries.map((entry) => [
    el('time', { datetime: entry.date }, day(entry.date, { dateStyle: 'short', timeStyle: 'medium' })), entry.who, el('strong', {}, entry.what),
    el('ul', { class: 'plain' }, Object.entries(entry.target).map(([name, value]) => el('li', {}, el('span', { class: 'dim' }, `${name} `), value))),
    el('span', { class: entry.status >= 400 ? 'bad' : '' }, entry.status ?? t('admin.command')), el('span', { class: 'small dim' }, entry.address ?? '')]);
  const oldest = told.entries.at(-1)?.number;
  show(place,
    heading(t('admin.audit'), el('a', { class: 'button second', href: '/v1/admin/audit/file', download: true }, t('admin.downloadLog'))),
    el('p', { class: told.fault ? 'fault' : 'dim' }, told.fault ? t('admin.chainBroken', { line: number(told.fault) }) : t('admin.chainWhole', { count: number(told.count) })),
    el('details', {}, el('summary', {}, t('admin.digest')), el('p', {}, t('admin.digestHelp')), el('code', {}, told.digest)),
    form([field(t('admin.who'), inputs.who), field(t('admin.what'), inputs.what), field(t('admin.dayUTC'), inputs.day), el('button', { class: 'second' }, t('admin.search'))],
      () => go(`/admin/audit?${parameters(Object.fromEntries(Object.entries(inputs).map(([name, input]) => [name, input.value.trim()]).filter(([, value]) => value)))}`), { class: 'row filter', role: 'search' }),
    el('p', { class: 'dim', role: 'status' }, t('admin.entries', { count: number(told.matching) })),
    rows.length ? table(t('admin.audit'), heads('when', 'who', 'what', 'target', 'status', 'from'), rows) : el('p', {}, t('admin.noEntries')),
    el('p', { class: 'row' },
      before !== '0' && el('a', { class: 'button second', href: at({}) }, t('admin.newest')),
      told.entries.length === limit && oldest > 1 && el('a', { class: 'button second', href: at({ before: oldest }) }, t('admin.older'))));
}
