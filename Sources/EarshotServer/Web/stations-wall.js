// All stations at once: what is on, since when, what follows by the guide, the level, the last break.
import { ask, clock, el, number, show, t } from './page.js';
import { audioName, caption, colors, hatch, kindName, kindTag, live, monitorNote, reasonName, shade, sharp, showFault, songLink, stationAddress, time } from './stations-parts.js';

const hour = 3_600_000;
const note = el('div', { role: 'status' });
const wall = el('div', { class: 'st-wall' });
const cards = new Map();
// How far the clock of the service is ahead of the browser's, in milliseconds.
let ahead = 0;

export async function open(place) {
  try {
    take(await ask('/v1/stations'));
  } catch (failure) {
    showFault(place, failure, () => open(place));
    return;
  }
  const lost = el('p', { class: 'fault', role: 'status', hidden: true }, t('stations.connectionLost'));
  show(place, lost, note, wall);
  live(take, (isConnected) => { lost.hidden = isConnected; wall.classList.toggle('st-stale', !isConnected); });
  setInterval(() => { for (const card of cards.values()) card.tick(); }, 1_000);
  matchMedia('(prefers-color-scheme: dark)').addEventListener('change', () => { for (const card of cards.values()) card.draw(); });
  new ResizeObserver(() => { for (const card of cards.values()) card.draw(); }).observe(wall);
}

function take(list) {
  ahead = Date.parse(list.date) - Date.now();
  const sentence = monitorNote(list);
  if (note.textContent !== (sentence?.textContent ?? '')) show(note, sentence);
  for (const station of list.stations) {
    if (!cards.has(station.id)) cards.set(station.id, new Card(station.id));
    cards.get(station.id).take(station, list.monitor === 'running');
  }
  for (const id of cards.keys()) if (!list.stations.some((station) => station.id === id)) cards.delete(id);
  // Elements are moved only where the stations are others: whoever reads one stays there.
  const nodes = list.stations.map(({ id }) => cards.get(id).node);
  if (nodes.length !== wall.children.length || nodes.some((node, index) => wall.children[index] !== node)) show(wall, nodes);
}

class Card {
  constructor(id) {
    this.name = el('a', { href: stationAddress(id) });
    this.state = el('span', { class: 'tag' });
    this.title = el('p', { class: 'st-on' });
    this.artist = el('p', {});
    this.since = el('p', { class: 'dim small number' });
    this.others = el('p', { class: 'dim small' });
    this.strip = el('canvas', { role: 'img' });
    this.guide = el('dd');
    this.next = el('dd');
    this.meter = el('meter', { min: -60, max: 0, low: -40, high: -1, optimum: -20, 'aria-label': t('stations.level') });
    this.level = el('span', { class: 'small number' });
    this.last = el('dd');
    this.node = el('article', { class: 'card station' },
      el('header', { class: 'row' }, el('h2', {}, this.name), this.state),
      el('div', { class: 'st-now' }, this.title, this.artist, this.since, this.others),
      el('div', { class: 'st-strip' }, this.strip),
      el('dl', {},
        el('dt', {}, t('stations.guideNow')), this.guide, el('dt', {}, t('stations.guideNext')), this.next,
        el('dt', {}, t('stations.level')), el('dd', { class: 'st-level' }, this.meter, this.level),
        el('dt', {}, t('stations.lastBreak')), this.last));
  }

  take(station, isRunning) {
    this.station = station;
    const zone = station.timeZone;
    this.name.textContent = station.name;
    this.state.className = `tag ${station.isLive ? 'good' : 'bad'}`;
    this.state.textContent = station.isLive ? t('stations.onAir')
      : station.lostSince ? t('stations.lostSince', { time: time(station.lostSince, zone) }) : isRunning ? t('stations.connecting') : t('stations.stateUnknown');
    this.state.title = station.fault ?? '';
    this.node.classList.toggle('st-lost', isRunning && !station.isLive);
    // What began last is what people hear; a programme goes on behind it.
    const playing = [...station.playing].sort((a, b) => (a.kind === 'programme') - (b.kind === 'programme') || Date.parse(b.start) - Date.parse(a.start));
    const [first, ...rest] = isRunning ? playing : [];
    this.first = first;
    this.artist.textContent = first?.artist ?? '';
    if (first) show(this.title, songLink(first));
    else show(this.title, el('span', { class: 'dim' }, station.isLive ? station.kind ? t('stations.nothingKnown', { kind: audioName(station.kind) }) : t('stations.nothing') : station.fault ?? t('stations.silent')));
    this.others.textContent = rest.map((play) => t('stations.also', { caption: caption(play), kind: kindName(play.kind) })).join('; ');
    this.others.hidden = !rest.length;
    show(this.guide, station.now ? `${station.now.title} ${t('stations.until', { time: time(station.now.end, zone) })}` : el('span', { class: 'dim' }, t('stations.noGuide')));
    show(this.next, station.next ? `${time(station.next.start, zone)} ${station.next.title}` : el('span', { class: 'dim' }, t('stations.noGuide')));
    const hasLevel = station.level !== undefined && station.level !== null;
    this.meter.value = hasLevel ? station.level : -60;
    this.level.textContent = hasLevel ? t('stations.decibels', { level: number(station.level, { minimumFractionDigits: 1, maximumFractionDigits: 1 }) }) : t('stations.noLevel');
    const gap = station.lastBreak;
    show(this.last, gap
      ? gap.end
        ? t('stations.breakWas', { from: time(gap.start, zone), to: time(gap.end, zone), length: clock((Date.parse(gap.end) - Date.parse(gap.start)) / 1000), reason: reasonName(gap.reason) })
        : t('stations.breakIs', { from: time(gap.start, zone), reason: reasonName(gap.reason) })
      : el('span', { class: 'dim' }, t('stations.noBreak')));
    this.strip.setAttribute('aria-label', t('stations.lastHour', { count: station.recent.length }));
    this.tick();
    this.draw();
  }

  tick() {
    const play = this.first;
    this.since.hidden = !play;
    if (!play) return;
    const seconds = (Date.now() + ahead - Date.parse(play.start)) / 1000;
    show(this.since, kindTag(play.kind), ` ${t('stations.since', { time: time(play.start, this.station.timeZone, true), length: clock(seconds) })}`);
  }

  // The last hour as a strip.
  draw() {
    const width = this.strip.parentNode.clientWidth;
    if (!width) return;
    const height = 34;
    const pen = sharp(this.strip, width, height);
    const color = colors();
    const end = Date.now() + ahead;
    const x = (date) => width * (1 - (end - Date.parse(date)) / hour);
    pen.fillStyle = color('soft');
    pen.fillRect(0, 0, width, height);
    pen.fillStyle = color('line');
    for (let quarter = 1; quarter < 4; quarter += 1) pen.fillRect(width * quarter / 4, 0, 1, height);
    this.station.recent.forEach((play, index) => {
      const left = Math.max(0, x(play.start));
      const right = Math.min(width, x(play.end));
      const isMark = play.kind === 'jingle' || play.kind === 'advertisement';
      const [top, tall] = play.kind === 'programme' ? [0, 6] : isMark ? [height - 8, 8] : [8, height - 18];
      pen.fillStyle = shade(play.kind, index);
      pen.fillRect(left, top, Math.max(1.5, right - left - 0.5), tall);
    });
    const gap = this.station.lastBreak;
    if (gap && (!gap.end || x(gap.end) > 0)) {
      const left = Math.max(0, x(gap.start));
      hatch(pen, left, 0, Math.max(2, (gap.end ? Math.min(width, x(gap.end)) : width) - left), height, color('bad'));
    }
  }
}
