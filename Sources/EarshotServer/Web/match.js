// A match as people see it: the cover, who plays what, and where in the track it is now.
import { el, t, ask, clock, number, show } from './page.js';

// What a request for a match asks for besides its names.
export const wanted = 'coverArt=1&sizes=MEDIUM,LARGE,SMALL&mood=1&tempo=1&origin=1&artistImages=1';

// A picture in a square of its own; an empty square until it is there, and where there is none.
export function cover(image, name, kind = 'cover') {
  if (!image?.url) return el('div', { class: `${kind} empty`, 'aria-hidden': 'true' });
  return el('img', { class: kind, src: image.url, alt: t('match.coverOf', { name }), title: image.attribution ?? null, loading: 'lazy' });
}

export const title = (match) => match.trackTitle ?? match.albumTitle ?? match.artist ?? match.placement?.reference ?? t('match.untitled');

// A link to the page of something that has one.
export function link(kind, id, name) {
  return id && name ? el('a', { href: `/${kind}/${encodeURIComponent(id)}` }, name) : name ?? '';
}

// A match in a list.
export function row(match, ...more) {
  const kind = match.trackID ? 'tracks' : match.albumID ? 'albums' : 'artists';
  const id = match.trackID ?? match.albumID ?? match.artistID;
  const about = [match.trackTitle || match.albumTitle ? match.artist : null, match.trackTitle ? match.albumTitle : null, match.albumReleaseYear]
    .filter(Boolean).join(' · ');
  return el('li', { class: 'item' },
    cover(match.coverArt ?? match.contributorImage, title(match), 'thumb'),
    el('div', { class: 'wide' }, el('div', {}, link(kind, id, title(match))), el('div', { class: 'dim small' }, about)),
    more);
}

// The other matches of an answer, each with its number and its place, to choose from; null where there is one only. The first is shown at
// once: `on` is called with the match to show, and with its number as an element.
export function alternatives(matches, on) {
  const list = el('ul', { class: 'plain' });
  const choose = (chosen) => {
    const place = matches.indexOf(chosen) + 1;
    on(chosen, matches.length > 1 ? el('p', { class: 'dim small' }, t('match.numbered', { number: number(place), count: number(matches.length) })) : null);
    show(list, matches.map((match, index) => {
      if (match === chosen) return null;
      const item = row(match, el('span', { class: 'number dim small' }, match.placement ? clock(match.placement.offset) : ''), el('button', {
        class: 'second small', 'aria-label': t('match.choose', { name: title(match) }),
        onclick: () => { choose(match); document.getElementById('answer-title')?.focus(); },
      }, t('recognize.thisOne')));
      item.prepend(el('span', { class: 'number' }, `${index + 1}.`));
      return item;
    }));
  };
  choose(matches[0]);
  return matches.length > 1 ? el('details', { class: 'card' }, el('summary', {}, t('recognize.notThis')), list) : null;
}

// Where the track is now: it runs on with the music. `heard` is the time at which the recording began, by performance.now().
export class Position {
  constructor(match, heard) {
    const skew = match.placement?.speedSkew ?? 0;
    const begin = match.songPosition !== undefined ? match.songPosition / 1000 : match.placement?.offset ?? 0;
    this.duration = match.trackDuration;
    this.at = (now) => begin + ((now - heard) / 1000) * (1 + skew);
  }
  get now() { return this.at(performance.now()); }
}

// The whole answer to a recording.
export function answer(match, { heard, isFile = false } = {}) {
  const place = match.placement;
  const position = place && heard !== undefined ? new Position(match, heard) : null;
  const time = el('span', { class: 'number' });
  const bar = el('progress', { max: 1, value: 0, 'aria-label': t('match.position') });
  const picture = cover(match.coverArt, title(match));
  const box = el('section', { class: 'card answer', 'aria-labelledby': 'answer-title' },
    picture,
    el('div', { class: 'wide' },
      el('h2', { id: 'answer-title', tabindex: '-1' }, link('tracks', match.trackID, title(match))),
      el('p', {}, link('artists', match.artistID, match.artist)),
      match.albumTitle && el('p', { class: 'dim' }, link('albums', match.albumID, match.albumTitle), match.albumReleaseYear ? ` (${match.albumReleaseYear})` : ''),
      position && el('p', { class: 'row' }, t(isFile ? 'match.begins' : 'match.now'), time),
      position && !isFile && position.duration ? bar : null,
      facts(match),
      links(match)),
  );
  if (position) {
    const draw = () => {
      if (!box.isConnected && box.dataset.shown) return;
      if (box.isConnected) box.dataset.shown = '1';
      const now = isFile ? position.at(heard) : position.now;
      const whole = position.duration;
      const held = whole ? Math.min(now, whole) : now;
      time.textContent = whole ? `${clock(held)} / ${clock(whole)}` : clock(held);
      if (whole) bar.value = held / whole;
      if (!isFile) setTimeout(draw, 200);
    };
    draw();
  }
  const lyrics = el('div');
  box.lastElementChild.append(lyrics);
  if (match.trackID) showLyrics(match.trackID, lyrics, isFile ? null : position);
  if (match.trackID && !match.coverArt) showCover(match, picture);
  return box;
}

// Answers with several matches come without covers.
async function showCover(match, place) {
  const known = await ask(`/v1/tracks/${encodeURIComponent(match.trackID)}?${wanted}`).catch(() => null);
  const image = known?.matches?.[0]?.coverArt;
  if (image) place.replaceWith(cover(image, title(match)));
}

function facts(match) {
  const place = match.placement;
  const rows = [
    [t('match.sure'), place && number(place.confidence, { style: 'percent', maximumFractionDigits: place.confidence > 0.99 ? 2 : 0 })],
    [t('match.speed'), place && Math.abs(place.speedSkew) >= 0.002 && number(place.speedSkew, { style: 'percent', signDisplay: 'always', maximumFractionDigits: 1 })],
    [t('match.pitch'), place && Math.abs(place.pitchSkew) >= 0.002 && number(place.pitchSkew, { style: 'percent', signDisplay: 'always', maximumFractionDigits: 1 })],
    [t('match.genre'), match.trackGenre?.map((genre) => genre.name).join(', ')],
    [t('match.mood'), match.mood?.map((mood) => mood.name).join(', ')],
    [t('match.tempo'), match.tempo?.map((tempo) => tempo.name).join(', ')],
    [t('match.from'), match.origin?.map((origin) => origin.name).join(', ')],
  ].filter(([, value]) => value);
  return rows.length ? el('dl', {}, rows.map(([name, value]) => [el('dt', {}, name), el('dd', {}, value)])) : null;
}

function links(match) {
  const all = [...(match.trackLinks ?? []), ...(match.albumLinks ?? [])].filter((link) => /^https?:\/\//.test(link.address ?? ''));
  if (!all.length) return null;
  return el('p', { class: 'row' }, all.slice(0, 8).map((link) => el('a', { class: 'tag', href: link.address, rel: 'noopener noreferrer', target: '_blank' }, link.source)));
}

// The words of a track, the line that is sung now marked where lines have times.
async function showLyrics(track, place, position) {
  const told = await ask(`/v1/tracks/${encodeURIComponent(track)}/lyrics`).catch(() => null);
  const text = told?.lyrics?.[0];
  if (!text?.lines?.length) return;
  const lines = text.lines.map((line) => ({ time: line.start, node: el('li', {}, line.text ?? '') }));
  place.append(el('details', { class: 'lyrics', open: true }, el('summary', {}, t('match.lyrics')),
    el('ol', { class: 'plain' }, lines.map((line) => line.node)),
    text.attribution && el('p', { class: 'dim small' }, text.attribution)));
  const timed = lines.filter((line) => typeof line.time === 'number');
  if (!position || !timed.length) return;
  let shown = null;
  const step = () => {
    if (!place.isConnected) return;
    const now = position.now;
    const line = timed.findLast((candidate) => candidate.time <= now) ?? null;
    if (line !== shown) {
      shown?.node.removeAttribute('aria-current');
      line?.node.setAttribute('aria-current', 'true');
      const list = line?.node.parentElement;
      if (list) list.scrollTop = line.node.offsetTop - list.offsetTop - list.clientHeight / 2;
      shown = line;
    }
    setTimeout(step, 150);
  };
  step();
}
