// Stations of a monitor: the ways between their pages, and the page that the address names.
import { app, busy, el, show, t } from './page.js';

const sections = {
  now: './stations-wall.js', station: './stations-day.js', songs: './stations-songs.js', repeats: './stations-repeats.js',
  report: './stations-report.js', webhooks: './stations-webhooks.js', channels: './stations-channels.js',
};
const [, , named = 'now', id = ''] = location.pathname.split('/');
const section = Object.hasOwn(sections, named) ? named : 'now';
const place = el('div', { id: 'section' }, busy());

const ways = ['now', 'songs', 'repeats', 'report', 'webhooks', 'channels'].map((name) => el('a', {
  href: name === 'now' ? '/stations' : `/stations/${name}`,
  'aria-current': name === section ? 'page' : name === 'now' && section === 'station' ? 'true' : null,
}, t(`stations.way-${name}`)));
show(app, el('nav', { class: 'ways', 'aria-label': t('stations.ways') }, ways), place);

const page = await import(sections[section]);
await page.open(place, decodeURIComponent(id));
