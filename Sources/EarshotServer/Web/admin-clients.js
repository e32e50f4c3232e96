// Clients: the list, a new one, and one with its entitlements, rights, quotas, users and recognitions by day.
import { el, t, ask, show, day, number, say } from './page.js';
import { action, choices, confirmed, copyable, done, fault, field, form, heading, heads, pager, table, parameters } from './admin-kit.js';
import { usageChart } from './admin-charts.js';

const entitlements = ['coverArt', 'artistImages', 'biographies', 'reviews', 'mood', 'tempo', 'links', 'works', 'guide', 'externalIdentifiers'];
const modules = ['music', 'monitoring'];
const rights = ['references', 'bundles', 'channels', 'media', 'exports'];
const places = ['archive', 'television', 'music'];
const userLimit = 100;

const address = (id) => `/admin/clients/${encodeURIComponent(id)}`;
// An identifier is told once: it is shown until somebody says that it is kept, also where the list is left meanwhile.
let told = null;

export async function open(place, view) {
  if (view.id !== null) await openOne(place, view); else await openList(place, view);
}

function secret(onkept) {
  if (!told) return null;
  const node = el('section', { class: 'note', role: 'status', 'aria-label': t('admin.identifier') },
    el('p', {}, t('admin.identifierHelp', { name: told.name || told.id })), copyable(told.identifier),
    el('button', { class: 'second small', type: 'button', onclick: () => { told = null; node.remove(); onkept?.(); } }, t('admin.kept')));
  return node;
}

async function openList(place, { signal, reload }) {
  const [clients, usage] = await Promise.all([ask('/v1/admin/clients', { signal }), ask('/v1/admin/usage?days=1', { signal }).catch(() => ({ clients: [] }))]);
  const today = Object.fromEntries(usage.clients.map((one) => [one.id, one.counts.at(-1)]));
  const name = el('input', { maxlength: 200, required: true });
  const wanted = choices(t('admin.rights'), rights, [], (right) => t(`admin.right-${right}`));
  const rows = clients.map((one) => [
    el('a', { href: address(one.id) }, one.name || one.id), one.id,
    el('span', { class: one.isEnabled ? 'good' : 'bad' }, t(one.isEnabled ? 'admin.enabled' : 'admin.disabled')),
    el('td', { class: 'number' }, number(today[one.id] ?? 0), one.quota ? ` / ${number(one.quota)}` : ''),
    one.rights.map((right) => t(`admin.right-${right}`)).join(', '), day(one.created, { dateStyle: 'medium' })]);
  show(place, heading(t('admin.clients')), el('p', { class: 'dim' }, t('admin.clientsHelp')), secret(),
    el('details', { class: 'card', open: clients.length < 2 && !told }, el('summary', {}, t('admin.addClient')),
      form([field(t('admin.clientName'), name, t('admin.clientNameHelp')), wanted.node, el('p', {}, el('button', {}, t('admin.addClient')))], async () => {
        told = await ask('/v1/admin/clients', { method: 'POST', json: { name: name.value.trim(), rights: wanted.chosen } });
        say(t('admin.clientMade'));
        reload();
      })),
    table(t('admin.clients'), heads('name', 'identifierShort', 'state', '#today', 'rights', 'made'), rows),
    el('h3', {}, t('admin.keys')), keys());
}

function keys() {
  const messages = el('div', { 'aria-live': 'polite' });
  const renew = (keep) => async () => {
    if (!keep && !await confirmed(t('admin.renewKeysSure'), t('admin.renewKeys'))) return;
    await ask(`/v1/admin/keys${keep ? '?keep=1' : ''}`, { method: 'POST' });
    done(messages, t('admin.keysRenewed'));
  };
  return el('div', { class: 'card' }, el('p', {}, t('admin.keysHelp')),
    el('p', { class: 'row' }, action(t('admin.rotateKeys'), { class: 'second' }, messages, renew(true)), action(t('admin.renewKeys'), { class: 'danger' }, messages, renew(false))), messages);
}

async function openOne(place, view) {
  const { id, signal, go, reload } = view;
  const path = `/v1/admin/clients/${encodeURIComponent(id)}`;
  const client = await ask(path, { signal });
  const messages = el('div', { 'aria-live': 'polite' });
  const usage = el('div');
  const users = el('div');
  show(place,
    heading(client.name || client.id, el('a', { class: 'button second', href: '/admin/clients' }, t('admin.allClients'))), secret(),
    el('dl', {}, el('dt', {}, t('admin.identifierShort')), el('dd', {}, client.id), el('dt', {}, t('admin.made')), el('dd', {}, day(client.created))),
    changeForm(client, path),
    el('h3', {}, t('admin.usage')), usage,
    el('h3', {}, t('admin.users')), users,
    el('h3', {}, t('admin.identifierAndRemoval')),
    el('p', { class: 'row' },
      action(t('admin.renewTag'), { class: 'second' }, messages, async () => {
        if (!await confirmed(t('admin.renewTagSure'), t('admin.renewTag'))) return;
        told = await ask(`${path}/tag`, { method: 'POST' });
        reload();
      }),
      action(t('admin.removeClient'), { class: 'danger' }, messages, async () => {
        if (!await confirmed(t('admin.removeClientSure', { name: client.name || client.id }), t('admin.removeClient'))) return;
        await ask(path, { method: 'DELETE' });
        say(t('admin.removed'));
        go('/admin/clients');
      })), messages);
  showUsage(usage, client, signal);
  showUsers(users, path, view);
}

function changeForm(client, path) {
  const name = el('input', { value: client.name, maxlength: 200 });
  const isEnabled = el('input', { type: 'checkbox', checked: client.isEnabled });
  const count = (value) => el('input', { type: 'number', min: 0, max: 1e9, step: 1, value: value ?? '', placeholder: t('admin.unlimited') });
  const [quota, userQuota, limit] = [count(client.quota), count(client.userQuota), count(client.userLimit)];
  const groups = {
    entitlements: choices(t('admin.entitlements'), entitlements, client.entitlements, (one) => t(`admin.entitlement-${one}`)),
    modules: choices(t('admin.modules'), modules, client.modules, (one) => t(`admin.module-${one}`)),
    rights: choices(t('admin.rights'), rights, client.rights, (one) => t(`admin.right-${one}`)),
  };
  // Where is looked for what is on, in this order: a place each, of which the last may be none.
  const order = places.map((_, at) => el('select', {}, (at ? ['', ...places] : places).map((one) => el('option', { value: one, selected: client.searchOrder[at] === one || (!one && !client.searchOrder[at]) }, one ? t(`admin.place-${one}`) : t('admin.nowhere')))));
  return form([
    el('div', { class: 'split' }, el('div', {}, field(t('admin.clientName'), name), el('label', {}, isEnabled, t('admin.isServed')),
      field(t('admin.quota'), quota), field(t('admin.userQuota'), userQuota), field(t('admin.userLimit'), limit)),
    el('div', {}, groups.modules.node, groups.rights.node), groups.entitlements.node,
    el('fieldset', {}, el('legend', {}, t('admin.searchOrder')), order.map((select, at) => field(t('admin.placeNumber', { number: at + 1 }), select)))),
    el('p', {}, el('button', {}, t('admin.save')))],
  async (messages) => {
    const changed = await ask(path, { method: 'PATCH', json: {
      name: name.value.trim(), isEnabled: isEnabled.checked, quota: Number(quota.value) || 0, userQuota: Number(userQuota.value) || 0, userLimit: Number(limit.value) || 0,
      ...Object.fromEntries(Object.entries(groups).map(([group, boxes]) => [group, boxes.chosen])), searchOrder: [...new Set(order.map((select) => select.value).filter(Boolean))],
    } });
    done(messages, t('admin.clientSaved', { name: changed.name || changed.id }));
  }, { class: 'card' });
}

async function showUsage(place, client, signal) {
  try {
    const usage = await ask('/v1/admin/usage', { signal });
    show(place, usageChart({ ...usage, clients: usage.clients.filter((one) => one.id === client.id) }, () => client.name || client.id));
  } catch (error) {
    if (!signal.aborted) show(place, fault(error, () => showUsage(place, client, signal)));
  }
}

async function showUsers(place, path, { id, query, signal }) {
  const offset = Number(query.get('users')) || 0;
  const messages = el('div', { 'aria-live': 'polite' });
  try {
    // One more tells whether there are others.
    const found = await ask(`${path}/users?${parameters({ offset, limit: userLimit + 1 })}`, { signal });
    const users = found.slice(0, userLimit);
    const rows = users.map((user) => {
      const row = el('tr', {}, [user.author ?? '', user.id, day(user.created, { dateStyle: 'medium' }), number(user.quota.used),
        action(t('admin.remove'), { class: 'danger small', 'aria-label': t('admin.removeUser', { name: user.author ?? user.id }) }, messages, async () => {
          if (!await confirmed(t('admin.removeUserSure', { name: user.author ?? user.id }), t('admin.remove'))) return;
          await ask(`${path}/users/${encodeURIComponent(user.id)}`, { method: 'DELETE' });
          row.remove();
          say(t('admin.removed'));
        })].map((cell) => el('td', {}, cell)));
      return row;
    });
    show(place, messages, rows.length ? table(t('admin.users'), heads('author', 'identifierShort', 'made', 'today', 'remove'), rows) : el('p', { class: 'dim' }, t('admin.noUsers')),
      pager({ offset, limit: userLimit, total: offset + found.length, count: users.length }, (other) => `${address(id)}${other ? `?users=${other}` : ''}`));
  } catch (error) {
    if (!signal.aborted) show(place, fault(error, () => showUsers(place, path, { id, query, signal })));
  }
}
