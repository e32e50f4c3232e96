// Browsers in which somebody has signed in.
import { el, t, ask, show, day, say } from './page.js';
import { action, confirmed, heading, heads, table } from './admin-kit.js';

// The browser and the system in what a browser calls itself, which is long and says that it is all of them.
function browser(agent) {
  const name = [['Edg/', 'Edge'], ['OPR/', 'Opera'], ['Firefox/', 'Firefox'], ['Chrome/', 'Chrome'], ['Safari/', 'Safari']].find(([mark]) => agent.includes(mark))?.[1];
  const system = [['Android', 'Android'], ['iPhone', 'iPhone'], ['iPad', 'iPad'], ['Windows', 'Windows'], ['Mac OS', 'macOS'], ['Linux', 'Linux']].find(([mark]) => agent.includes(mark))?.[1];
  return [name, system].filter(Boolean).join(' · ') || agent || t('admin.unknownBrowser');
}

export async function open(place, { signal }) {
  const sessions = await ask('/v1/admin/sessions', { signal });
  const messages = el('div', { 'aria-live': 'polite' });
  const rows = sessions.map((session) => {
    const who = session.isOperator ? t('admin.operator') : session.name ?? session.user ?? '';
    const row = el('tr', {},
      el('td', {}, who, session.isCurrent && [' ', el('span', { class: 'tag' }, t('admin.thisBrowser'))]),
      el('td', {}, el('span', { title: session.agent }, browser(session.agent)), el('div', { class: 'small dim' }, session.address ?? '')),
      el('td', {}, day(session.began)), el('td', {}, day(session.used)), el('td', {}, day(session.ends, { dateStyle: 'medium' })),
      el('td', {}, action(t('admin.end'), { class: 'danger small', 'aria-label': t('admin.endOf', { name: who, browser: browser(session.agent) }) }, messages, async () => {
        if (!await confirmed(t(session.isCurrent ? 'admin.endOwnSure' : 'admin.endSure', { name: who, browser: browser(session.agent) }), t('admin.end'))) return;
        await ask(`/v1/admin/sessions/${encodeURIComponent(session.id)}`, { method: 'DELETE' });
        if (session.isCurrent) { location.assign('/'); return; }
        row.remove();
        say(t('admin.ended'));
      })));
    return row;
  });
  show(place, heading(t('admin.sessions')), el('p', { class: 'dim' }, t('admin.sessionsHelp')), messages,
    rows.length ? table(t('admin.sessions'), heads('who', 'browser', 'began', 'used', 'ends', 'end'), rows) : el('p', {}, t('admin.noSessions')));
}
