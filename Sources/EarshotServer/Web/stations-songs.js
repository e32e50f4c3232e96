// The songs that stations played, and all plays of one of them.
import { ask, el, number, show, t } from './page.js';
import { dayOf, dayTime, kindTag, length, query, showFault, stationAddress, table, titled } from './stations-parts.js';

const search = new URLSearchParams(location.search);
const spans = [1, 7, 30, 365];
const days = spans.includes(Number(search.get('days'))) ? Number(search.get('days')) : 30;
const from = new Date(Date.now() - days * 86_400_000).toISOString();
const pageSize = 100;

export async function open(place) {
  const reference = search.get('reference');
  try {
    if (reference) await song(place, reference);
    else await songs(place);
  } catch (failure) {
    showFault(place, failure, () => open(place));
  }
}

function form() {
  const span = el('select', { id: 'days', name: 'days' }, spans.map((count) => el('option', { value: count, selected: count === days }, t(`stations.span-${count}`))));
  return el('form', { class: 'row st-tools st-fields', role: 'search', method: 'get', action: '/stations/songs' },
    el('label', { for: 'q', class: 'wide' }, t('stations.songWords'), el('input', { type: 'search', id: 'q', name: 'q', value: search.get('q') ?? '' })),
    el('label', { for: 'days' }, t('stations.span'), span), el('button', {}, t('stations.search')));
}

async function songs(place) {
  const words = (search.get('q') ?? '').trim();
  const [found, zone] = await Promise.all([ask(`/v1/plays/songs?${query({ from, limit: 200, ...(words ? { q: words } : {}) })}`).then((answer) => answer.songs), ask('/v1/stations').then((list) => list.timeZone)]);
  const most = Math.max(1, ...found.map((one) => one.plays));
  const address = (one) => `/stations/songs?${new URLSearchParams({ reference: one.reference, days, ...(words ? { q: words } : {}) })}`;
  const row = (one) => {
    const bar = el('span', { class: 'st-bar', 'aria-hidden': 'true' });
    bar.style.setProperty('inline-size', `${Math.max(0.2, 6 * one.plays / most)}rem`);
    return [titled(one, el('a', { href: address(one) }, one.title || one.reference)), kindTag(one.kind),
      [el('span', { class: 'number' }, number(one.plays)), bar], length(one.seconds), number(one.stations), dayTime(one.last, zone)];
  };
  show(place, el('h2', {}, words ? t('stations.songsOf', { words }) : t('stations.mostPlayed')), form(),
    found.length ? table(t('stations.songs'), ['title', '-kind', '=plays', '-#heard', '-#stations', '=last'], found.map(row))
      : el('p', { class: 'note' }, words ? t('stations.noSongs', { words }) : t('stations.noPlays')));
}

async function song(place, reference) {
  const names = new Map((await ask('/v1/stations')).stations.map((station) => [station.id, station]));
  const body = el('tbody');
  const counts = el('ul', { class: 'row plain' });
  const more = el('button', { class: 'second', hidden: true, onclick: () => add() }, t('stations.more'));
  const heading = el('h2', {}, reference);
  const artist = el('p', { class: 'dim' });
  const status = el('p', { role: 'status' });
  const shown = new Map();
  let next = null;
  async function add() {
    const page = await ask(`/v1/plays?${query({ reference, from, limit: pageSize, ...(next ? { after: next } : {}) })}`);
    next = page.next ?? null;
    more.hidden = !next;
    for (const play of page.plays) {
      const station = names.get(play.station);
      const zone = station?.timeZone ?? 'UTC';
      shown.set(play.station, (shown.get(play.station) ?? 0) + 1);
      body.append(el('tr', {}, el('td', { class: 'st-line' }, el('a', { href: `${stationAddress(play.station, dayOf(play.start, zone))}` }, dayTime(play.start, zone))),
        el('td', {}, station?.name ?? play.station), el('td', { class: 'number' }, length(play.played), play.isOpen ? ' …' : ''), el('td', { class: 'st-less' }, kindTag(play.kind)),
        el('td', { class: 'number st-less' }, play.confidence === undefined ? '' : number(play.confidence, { style: 'percent' }))));
    }
    const first = page.plays[0];
    if (first && !artist.textContent) { heading.textContent = first.title || reference; artist.textContent = [first.artist, first.album].filter(Boolean).join(' · '); }
    show(counts, [...shown].map(([id, count]) => el('li', { class: 'tag' }, t('stations.playsOn', { station: names.get(id)?.name ?? id, count }))));
    status.textContent = body.rows.length ? t(next ? 'stations.playsSoFar' : 'stations.playsAll', { count: body.rows.length }) : t('stations.noPlaysOf');
  }
  const back = search.get('q') ? `/stations/songs?${new URLSearchParams({ q: search.get('q'), days })}` : `/stations/songs?days=${days}`;
  const list = table(t('stations.plays'), ['=when', 'station', '#length', '-kind', '-#certainty'], [], body);
  await add();
  show(place, el('p', {}, el('a', { href: back }, t('stations.backToSongs'))), heading, artist, spanLinks(reference), status, counts, list, more);
}

function spanLinks(reference) {
  return el('p', { class: 'row st-spans' }, spans.map((count) => el('a', {
    href: `/stations/songs?${new URLSearchParams({ reference, days: count })}`, 'aria-current': count === days ? 'true' : null,
  }, t(`stations.span-${count}`))));
}
