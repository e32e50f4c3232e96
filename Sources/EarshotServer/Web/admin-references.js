// The references of the catalog: the list with a search, files that are added, and a reference with its media items.
import { el, t, ask, show, clock, number, fileDrop, say } from './page.js';
import { action, confirmed, done, fault, field, form, heading, heads, pager, table, parameters } from './admin-kit.js';
import { SendList, guard } from './admin-send.js';
import { sendFile } from './uploads.js';
import { readTags } from './tags.js';

const limit = 50;
// Files go on being sent while other sections are shown.
let sends = null;

export const address = (id) => `/admin/references/${encodeURIComponent(id)}`;

export async function open(place, view) {
  if (view.id !== null) await openOne(place, view); else await openList(place, view);
}

// The list.

async function openList(place, view) {
  const { query, signal, go } = view;
  const words = query.get('q') ?? '';
  const offset = Number(query.get('offset')) || 0;
  const told = await ask(`/v1/references?${parameters({ limit, offset, ...(words && { q: words }) })}`, { signal });
  const input = el('input', { type: 'search', value: words, maxlength: 400, 'aria-label': t('admin.searchReferences'), placeholder: t('admin.searchReferences') });
  const search = form([input, el('button', { class: 'second' }, t('admin.search'))],
    () => go(`/admin/references${input.value.trim() ? `?${parameters({ q: input.value.trim() })}` : ''}`), { class: 'row search', role: 'search' });
  const at = (other) => `/admin/references?${parameters({ ...(words && { q: words }), ...(other && { offset: other }) })}`;
  const rows = told.references.map((one) => [
    el('a', { href: address(one.id) }, one.title ?? one.id), one.artist, one.album,
    el('td', { class: 'number' }, clock(one.duration)), el('span', { class: 'small dim' }, one.title ? one.id : '')]);
  show(place,
    heading(t('admin.references'), el('a', { class: 'button second', href: '/admin/duplicates' }, t('admin.duplicates'))),
    adding(view, told.total === 0 && !words),
    search,
    el('p', { class: 'dim', role: 'status' }, words ? t('admin.found', { count: number(told.total), words }) : t('admin.referenceCount', { count: number(told.total) })),
    rows.length ? table(t('admin.references'), heads('trackTitle', 'artist', 'album', '#length', 'name'), rows)
      : el('p', {}, t(words ? 'admin.nothingFound' : 'admin.noReferences')),
    pager({ offset, limit, total: told.total, count: told.references.length }, at));
}

function adding(view, isOpen) {
  if (!sends) {
    sends = new SendList('references', add, { after: () => { if (location.pathname === '/admin/references' && !document.querySelector('dialog[open]')) refresh?.(); } });
    guard(sends);
  }
  refresh = view.reload;
  return el('details', { class: 'card', open: isOpen || sends.isRunning || sends.entries.length > 0 || sends.before.some((one) => !one.done) },
    el('summary', {}, t('admin.addReferences')),
    fileDrop(t('admin.dropReferences'), 'audio/*,video/*,.earsig', (files) => sends.add(files), { multiple: true }),
    sends.node);
}
let refresh = null;

// What a file says of itself; without tags its name does: `Artist - Title`, also with a number before it.
async function described(file) {
  const { tags } = await readTags(file);
  const parts = file.name.replace(/\.[^.]+$/, '').split(' - ').map((part) => part.trim());
  if (parts.length > 2 && /^\d+$/.test(parts[0])) parts.shift();
  const title = parts.length > 1 ? parts.slice(1).join(' - ') : parts[0].replace(/_/g, ' ');
  return {
    title: tags.title ?? title,
    artist: tags.artist ?? (tags.title === undefined && parts.length > 1 ? parts[0] : undefined),
    album: tags.album,
  };
}

async function add(file, { progress, signal }) {
  const told = await sendFile(`/v1/references?${parameters({ id: file.name, ...await described(file) })}`, file, { on: progress, signal, limit: 'upload', hint: 'tooLargeReference' });
  return [t('admin.added'), ' ', el('a', { href: address(told.id) }, told.title ?? told.id), ` · ${clock(told.duration)}`];
}

// One reference.

async function openOne(place, { id, signal, go }) {
  const path = `/v1/references/${encodeURIComponent(id)}`;
  const [reference, list] = await Promise.all([ask(path, { signal }), ask(`${path}/items`, { signal })]);
  const messages = el('div', { 'aria-live': 'polite' });
  const player = el('div');
  if (reference.asset) {
    const { SamplePlayer } = await import('./admin-player.js');
    show(player, new SamplePlayer([{ asset: reference.asset, name: reference.title ?? reference.id, duration: reference.duration, offset: 0, speed: 1 }], signal).node);
  }
  show(place,
    heading(reference.title ?? reference.id, el('a', { class: 'button second', href: '/admin/references' }, t('admin.allReferences'))),
    el('dl', { class: 'card' }, [
      ['name', reference.id], ['length', clock(reference.duration)],
      ['source', reference.asset ?? t('admin.noSource')],
      ['track', reference.trackID && el('a', { href: `/admin/music/${encodeURIComponent(reference.trackID)}` }, reference.trackID)],
      ['signature', el('a', { href: `${path}/signature`, download: `${id.replace(/[/\\]/g, '-')}.earsig` }, t('admin.download'))],
    ].filter(([, value]) => value).map(([name, value]) => [el('dt', {}, t(`admin.${name}`)), el('dd', {}, value)])),
    player,
    el('h3', {}, t('admin.items')), el('p', { class: 'dim' }, t('admin.itemsHelp')),
    itemsForm(path, list.items),
    el('h3', {}, t('admin.removal')), messages,
    action(t('admin.remove'), { class: 'danger' }, messages, async () => {
      if (!await confirmed(t('admin.removeReference', { name: reference.title ?? reference.id }), t('admin.remove'))) return;
      await ask(path, { method: 'DELETE' });
      say(t('admin.removed'));
      go('/admin/references');
    }));
}

const texts = ['title', 'subtitle', 'artist', 'album', 'isrc', 'serviceID', 'storeID', 'webURL', 'artworkURL', 'videoURL', 'storeURL'];
const usual = ['title', 'artist', 'album', 'isrc', 'serviceID'];

function itemsForm(path, items) {
  const editors = [];
  const place = el('div', { class: 'column' });
  const put = (item) => {
    const editor = itemEditor(item, () => { editors.splice(editors.indexOf(editor), 1); show(place, editors.map((one) => one.node)); });
    editors.push(editor);
  };
  for (const item of items.length ? items : [{}]) put(item);
  show(place, editors.map((one) => one.node));
  return form([place, el('p', { class: 'row' },
    el('button', {}, t('admin.save')),
    el('button', { type: 'button', class: 'second', onclick: () => { put({}); show(place, editors.map((one) => one.node)); editors.at(-1).node.querySelector('input').focus(); } }, t('admin.addItem')))],
  async (messages) => {
    const told = await ask(`${path}/items`, { method: 'PUT', json: { items: editors.map((editor) => editor.value()) } });
    done(messages, t('admin.saved', { count: told.items.length }));
  });
}

// The properties of a media item: those that everybody knows have a field each, all others are JSON.
function itemEditor(item, onremove) {
  const inputs = Object.fromEntries(texts.map((name) => [name, el('input', { value: typeof item[name] === 'string' ? item[name] : '', maxlength: 2000 })]));
  const genres = el('input', { value: Array.isArray(item.genres) ? item.genres.join(', ') : '' });
  const isExplicit = el('input', { type: 'checkbox', checked: item.explicitContent === true });
  const known = new Set([...texts, 'genres', 'explicitContent']);
  const others = Object.fromEntries(Object.entries(item).filter(([name, value]) => !known.has(name) || (texts.includes(name) && typeof value !== 'string')));
  const rest = el('textarea', { class: 'code', rows: 6, spellcheck: 'false' });
  rest.value = Object.keys(others).length ? JSON.stringify(others, null, 1) : '';
  const one = (name) => field(t(`admin.item-${name}`), inputs[name]);
  const node = el('fieldset', {}, el('legend', {}, t('admin.item')),
    el('div', { class: 'split' }, usual.map(one), field(t('admin.item-genres'), genres, t('admin.genresHelp'))),
    el('details', { open: texts.some((name) => !usual.includes(name) && item[name]) || rest.value !== '' }, el('summary', {}, t('admin.moreProperties')),
      el('div', { class: 'split' }, texts.filter((name) => !usual.includes(name)).map(one)),
      el('label', {}, isExplicit, t('admin.item-explicitContent')),
      field(t('admin.otherProperties'), rest, t('admin.otherHelp'))),
    el('p', {}, el('button', { type: 'button', class: 'plain small', onclick: onremove }, t('admin.removeItem'))));
  return {
    node,
    value() {
      let value = {};
      if (rest.value.trim()) {
        try { value = JSON.parse(rest.value); } catch (error) { rest.focus(); throw Object.assign(new Error(String(error.message)), { code: 'mediaItemInvalid', advice: t('admin.notJSON') }); }
      }
      for (const name of texts) if (inputs[name].value.trim()) value[name] = inputs[name].value.trim();
      const list = genres.value.split(',').map((genre) => genre.trim()).filter(Boolean);
      if (list.length) value.genres = list;
      if (isExplicit.checked || item.explicitContent === false) value.explicitContent = isExplicit.checked;
      return value;
    },
  };
}
