// The report of a day, for the screen, for paper, and as a table for other programs.
import { ask, el, number, show, t } from './page.js';
import { askedDay, dayBeside, dayOf, dayWords, kindTag, length, percent, query, reasonName, showFault, stationAddress, table, time, titled } from './stations-parts.js';

export async function open(place) {
  const search = new URLSearchParams(location.search);
  const station = search.get('station') ?? '';
  try {
    const [list, report] = await Promise.all([ask('/v1/stations'), ask(`/v1/stations/report?${query({ ...(askedDay() ? { day: askedDay() } : {}), ...(station ? { station } : {}) })}`)]);
    draw(place, list, report, station);
  } catch (failure) {
    showFault(place, failure, () => open(place));
  }
}

function draw(place, list, report, station) {
  const zone = report.timeZone;
  const heard = report.channels.reduce((sum, one) => sum + one.heardSeconds, 0);
  const known = report.channels.reduce((sum, one) => sum + one.identifiedSeconds, 0);
  const plays = report.channels.reduce((sum, one) => sum + one.total.plays, 0);
  const share = (a, b) => b > 0 ? percent(Math.min(1, a / b)) : '–';
  const moment = (date) => date ? time(date, zone, true) : '–';
  const address = (day) => `?${new URLSearchParams({ day, ...(station ? { station } : {}) })}`;
  const today = dayOf(list.date, zone);
  show(place,
    el('h2', {}, t('stations.reportOf', { day: dayWords(report.day) })),
    el('p', { class: 'dim' }, t('stations.reportSum', { plays: number(plays), heard: length(heard), share: share(known, heard) }), ` · ${zone}`),
    el('form', { class: 'row st-tools st-fields', method: 'get' },
      el('label', { for: 'day' }, t('stations.day'), el('input', { type: 'date', id: 'day', name: 'day', value: report.day, max: today, required: true })),
      el('label', { for: 'station' }, t('stations.station'), el('select', { id: 'station', name: 'station' }, el('option', { value: '' }, t('stations.allStations')),
        list.stations.map((one) => el('option', { value: one.id, selected: one.id === station }, one.name)))),
      el('button', {}, t('stations.go'))),
    el('p', { class: 'row st-tools' },
      el('a', { class: 'button second', href: address(dayBeside(report.day, -1)) }, t('stations.dayBefore')),
      report.day < today && el('a', { class: 'button second', href: address(dayBeside(report.day, 1)) }, t('stations.dayAfter')),
      el('a', { class: 'button second', href: `/v1/stations/report?${query({ day: report.day, format: 'csv', ...(station ? { station } : {}) })}`, download: '' }, t('stations.as-csv')),
      el('button', { class: 'second', type: 'button', onclick: () => print() }, t('stations.print'))),
    plays || report.gaps.length ? null : el('p', { class: 'note' }, t('stations.emptyDay')),
    part('byStation', ['station', '#plays', '-#played', '#heard', '#identified'], report.channels.map((one) => [
      el('a', { href: stationAddress(one.channel.id, report.day) }, one.channel.name), number(one.total.plays), length(one.total.seconds), length(one.heardSeconds), share(one.identifiedSeconds, one.heardSeconds)])),
    part('byKind', ['kind', '#plays', '#played'], report.kinds.map((one) => [kindTag(one.kind), number(one.total.plays), length(one.total.seconds)])),
    part('bySong', ['title', '#plays', '#played', '-#stations', '-#first', '-#last'], report.references.map((one) => [
      titled(one, el('a', { href: `/stations/songs?${new URLSearchParams({ reference: one.id })}` }, one.title || one.id)), number(one.total.plays), length(one.total.seconds), number(one.channels.length), moment(one.total.first), moment(one.total.last)])),
    part('breaks', ['station', '=begin', '=end', '#length', 'reason'], report.gaps.map((one) => [
      one.channel.name, moment(one.start), one.end ? moment(one.end) : t('stations.goesOn'), length((Date.parse(one.end ?? report.end) - Date.parse(one.start)) / 1000), reasonName(one.reason)])));
}

// A table under its heading; nothing where it has no rows.
function part(name, columns, rows) {
  return rows.length ? [el('h3', {}, t(`stations.${name}`)), table(t(`stations.${name}`), columns, rows)] : null;
}
