// Finds out what the files of a folder are: reads their tags, has the service listen to their begins, and asks it for the albums.
import { ask } from './page.js';
import { clip, durationOf, readTags } from './tags.js';

// The most requests that are pending, and the most files of one question.
const mostPending = 5;
const mostFiles = 100;
// How many files are read side by side.
const readers = 4;
const audible = /\.(mp3|flac|ogg|oga|opus|m4a|mp4|aac|wav|aiff?|wma|wv|ape|mka|mpc)$/i;

// Lets so many tasks run at a time; the next begins when one has ended.
export class Limiter {
  constructor(most) {
    Object.assign(this, { most, running: 0, waiting: [], peak: 0 });
  }

  async run(task) {
    // Whoever waits takes over the place of the one that ends, so that nobody comes between.
    if (this.running >= this.most) await new Promise((done) => this.waiting.push(done));
    else this.running += 1;
    this.peak = Math.max(this.peak, this.running);
    try {
      return await task();
    } finally {
      const next = this.waiting.shift();
      if (next) next();
      else this.running -= 1;
    }
  }
}

const limiter = new Limiter(mostPending);
export const peak = () => limiter.peak;

// Has something done with each of a list, so many at a time.
async function each(list, width, signal, work) {
  let next = 0;
  await Promise.all(Array.from({ length: width }, async () => {
    while (next < list.length && !signal.aborted) {
      next += 1;
      await work(list[next - 1]);
    }
  }));
  signal.throwIfAborted();
}

export function begin(folder, files, isListening) {
  const music = files.filter(({ path }) => audible.test(path.at(-1)));
  return {
    folder, isListening, others: files.length - music.length, decisions: {}, albums: {}, isDone: false, noSound: null,
    files: music.map(({ file, path }) => ({ path, size: file.size, modified: file.lastModified, tags: null })),
  };
}

// Whether files have to be at hand to go on.
export const needsFiles = (run) => run.files.some((file) => !file.tags || (run.isListening && !run.noSound && file.signature === undefined));

// Goes on with a run, from wherever it is. `at` gives the file of an entry; `report` is told of each step.
export async function work(run, at, report, signal) {
  const unread = run.files.filter((file) => !file.tags);
  let count = run.files.length - unread.length;
  await each(unread, readers, signal, async (entry) => {
    const file = at(entry);
    const found = await readTags(file);
    entry.tags = found.tags;
    entry.found = { kind: found.kind, begin: found.begin, duration: found.duration, isLate: found.isLate, media: found.media, movie: found.movie };
    entry.duration = found.duration ?? await durationOf(file);
    count += 1;
    report('reading', count, run.files.length);
  });
  if (run.isListening && !run.noSound) await listen(run, at, report, signal);
  await identify(run, report, signal);
  await enrich(run, report, signal);
  run.isDone = true;
  report('done', 1, 1);
}

// The begin of each file as a signature.
async function listen(run, at, report, signal) {
  const unheard = run.files.filter((file) => file.signature === undefined);
  let count = run.files.length - unheard.length;
  await each(unheard, mostPending, signal, async (entry) => {
    if (run.noSound) return;
    const bytes = clip(at(entry), { ...entry.found, duration: entry.duration });
    try {
      entry.signature = bytes ? await limiter.run(() => signature(bytes, signal)) : null;
    } catch (failure) {
      if (failure.code === 'quotaExceeded') { run.noSound = failure.code; return; }
      // One that cannot be decoded is known by its words alone.
      if (failure.status !== 422 && failure.status !== 413 && failure.status !== 415) throw failure;
      entry.signature = null;
      entry.isUnreadable = true;
    }
    count += 1;
    report('listening', count, run.files.length);
  });
}

async function signature(bytes, signal) {
  const answer = await ask('/v1/signatures', { method: 'POST', body: bytes, headers: { 'Content-Type': bytes.type || 'application/octet-stream' }, signal, raw: true, tries: 4 });
  const data = new Uint8Array(await answer.arrayBuffer());
  let text = '';
  for (let i = 0; i < data.length; i += 8192) text += String.fromCharCode(...data.subarray(i, i + 8192));
  return btoa(text);
}

// Files that are likely to be of one album: those of a folder with one album in their tags, the media of a box together.
export function groups(files) {
  const folders = new Map();
  for (const [place, file] of files.entries()) {
    const names = file.path.slice(0, -1);
    if (/^(cd|disc|disk|medium)[ _-]*\d+$/i.test(names.at(-1) ?? '')) names.pop();
    const key = names.join('/');
    folders.set(key, [...(folders.get(key) ?? []), place]);
  }
  const found = new Map();
  for (const [folder, places] of folders) {
    const albums = new Map();
    for (const place of places) {
      const album = (files[place].tags.album ?? '').toLowerCase();
      albums.set(album, [...(albums.get(album) ?? []), place]);
    }
    const large = [...albums].filter(([name, members]) => name && members.length >= 3);
    const rest = places.filter((place) => !large.some(([, members]) => members.includes(place)));
    if (large.length === 1) large[0][1].push(...rest);
    else if (rest.length) found.set(`folder ${folder}`, rest);
    for (const [name, members] of large) {
      const artist = files[members[0]].tags.albumArtist ?? '';
      const key = `album ${name} ${artist.toLowerCase()}`;
      found.set(key, [...(found.get(key) ?? []), ...members]);
    }
  }
  return [...found.values()].flatMap((members) => {
    const cut = [];
    for (let place = 0; place < members.length; place += mostFiles) cut.push(members.slice(place, place + mostFiles));
    return cut;
  });
}

// One question after the other. An answer that took long is waited for: no clock of the page ends it.
async function identify(run, report, signal) {
  const all = groups(run.files);
  let count = 0;
  for (const members of all) {
    signal.throwIfAborted();
    const open = members.filter((place) => !run.decisions[place]);
    if (open.length) {
      const told = await limiter.run(() => ask('/v1/albums/identifications', { method: 'POST', signal, tries: 4, json: {
        files: members.map((place) => question(run.files[place], place)),
      } }));
      for (const decision of told.files) run.decisions[decision.file] = decision;
    }
    count += 1;
    report('asking', count, all.length);
  }
}

function question(file, place) {
  return { id: String(place), path: file.path, duration: file.duration, signature: file.signature ?? undefined, ...file.tags };
}

// Cover and tracks, once an album.
async function enrich(run, report, signal) {
  const ids = [...new Set(Object.values(run.decisions).map((decision) => decision.match?.albumID).filter(Boolean))];
  const open = ids.filter((id) => !run.albums[id]);
  let count = ids.length - open.length;
  await each(open, mostPending, signal, async (id) => {
    const path = `/v1/albums/${encodeURIComponent(id)}`;
    const [cover, tracks] = await Promise.all([
      limiter.run(() => ask(`${path}?coverArt=1&genreArt=0&sizes=SMALL,MEDIUM`, { signal })).catch(optional),
      limiter.run(() => ask(`${path}/tracks`, { signal })).catch(optional),
    ]);
    run.albums[id] = {
      cover: cover?.matches?.[0]?.coverArt ?? null,
      tracks: (tracks?.matches ?? []).map((match) => ({ id: match.trackID, title: match.trackTitle, artist: match.artist, number: match.trackNumber, disc: match.discNumber })),
    };
    count += 1;
    report('loading', count, ids.length);
  });
}

// What is not known of an album holds nothing up.
function optional(failure) {
  if (failure.name === 'AbortError') throw failure;
  return null;
}
