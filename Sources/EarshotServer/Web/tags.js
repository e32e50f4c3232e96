// What music files say of themselves: ID3, Vorbis comments of FLAC and Ogg, MP4, AIFF. Only parts of a file are read, and no length in it is believed:
// whatever leads out of the file or of the part it stands in, ends the reading, and what was read before stays.

// The most bytes of a text, of a block of comments, and the most things of a kind that are looked at.
const longest = 4096;
const mostBytes = 1 << 20;
const most = 2000;
// The most bytes of a clip unless stated.
const enough = 24 << 20;

// Reads a file in windows.
class Source {
  constructor(blob) {
    this.blob = blob;
    this.size = blob.size;
    this.from = 0;
    this.window = new Uint8Array(0);
  }

  // Bytes at a place: fewer where the file ends.
  async bytes(at, count) {
    if (at < 0 || at >= this.size || count <= 0) return new Uint8Array(0);
    const end = Math.min(this.size, at + count);
    if (at < this.from || end > this.from + this.window.length) {
      this.from = at;
      this.window = new Uint8Array(await this.blob.slice(at, Math.max(end, Math.min(this.size, at + (64 << 10)))).arrayBuffer());
    }
    return this.window.subarray(at - this.from, end - this.from);
  }
}

const text = (bytes, from = 0, count = bytes.length - from) => String.fromCharCode(...bytes.subarray(from, from + Math.min(count, longest)));
const big = (bytes, at, count = 4) => { let value = 0; for (let i = 0; i < count; i += 1) value = value * 256 + (bytes[at + i] ?? 0); return value; };
const little = (bytes, at) => (bytes[at] ?? 0) + (bytes[at + 1] ?? 0) * 256 + (bytes[at + 2] ?? 0) * 65536 + (bytes[at + 3] ?? 0) * 16777216;
const safe = (bytes, at) => ((bytes[at] & 127) << 21) | ((bytes[at + 1] & 127) << 14) | ((bytes[at + 2] & 127) << 7) | (bytes[at + 3] & 127);

// A text without what cannot be seen at its ends; undefined for none.
const plain = (words) => words?.replace(/^[\s\0]+|[\s\0]+$/g, '').slice(0, 500) || undefined;

// A number and how many there are, as `3/12`.
function pair(words) {
  const [number, count] = (words ?? '').split('/').map((part) => Number.parseInt(part, 10));
  const held = (value) => (Number.isFinite(value) && value > 0 && value < 100_000 ? value : undefined);
  return [held(number), held(count)];
}

function put(tags, name, value) {
  if (value === undefined) return;
  if (name === 'track') [tags.trackNumber, tags.trackCount] = keepOld(tags.trackNumber, tags.trackCount, pair(value));
  else if (name === 'disc') [tags.discNumber, tags.discCount] = keepOld(tags.discNumber, tags.discCount, pair(value));
  else if (name === 'date') tags.date ??= value.match(/\d{4}(-\d{2}(-\d{2})?)?/)?.[0];
  else tags[name] ??= plain(value);
}

const keepOld = (number, count, [newNumber, newCount]) => [number ?? newNumber, count ?? newCount];

// Reads what a file says. Gives its tags, where its sound begins, and how long it is where that is said.
export async function readTags(blob) {
  const source = new Source(blob);
  const found = { tags: {}, kind: null, begin: 0, duration: undefined };
  try {
    await read(source, found);
  } catch (error) {
    // A fault in what is read here must not keep the other files from being looked at.
    found.fault = String(error);
  }
  const { tags } = found;
  for (const name of Object.keys(tags)) if (tags[name] === undefined) delete tags[name];
  return found;
}

// The first bytes of other files whose begin can be read without the rest: Matroska, Windows Media, AVI, Core Audio, Sun, WavPack.
const streams = [[0x1a, 0x45, 0xdf, 0xa3], [0x30, 0x26, 0xb2, 0x75], ...['RIFF', 'caff', '.snd', 'wvpk'].map((name) => [...name].map((letter) => letter.charCodeAt(0)))];

async function read(source, found) {
  let at = 0;
  // Several tags may stand one behind the other.
  for (let count = 0; count < 5; count += 1) {
    const head = await source.bytes(at, 10);
    if (head.length < 10 || text(head, 0, 3) !== 'ID3') break;
    await readID3(source, at, head, found.tags);
    at += 10 + safe(head, 6) + (head[5] & 16 ? 10 : 0);
  }
  found.begin = Math.min(at, source.size);
  const head = await source.bytes(at, 12);
  const magic = text(head, 0, 4);
  if (magic === 'fLaC') await readFLAC(source, at + 4, found);
  else if (magic === 'OggS') await readOgg(source, at, found);
  else if (text(head, 4, 4) === 'ftyp') await readMP4(source, found);
  else if (['RIFF', 'RF64', 'BW64'].includes(magic) && text(head, 8, 4) === 'WAVE') await readWave(source, found);
  else if (magic === 'FORM' && ['AIFF', 'AIFC'].includes(text(head, 8, 4))) await readAIFF(source, found);
  else if (streams.some((known) => known.every((byte, i) => head[i] === byte))) found.kind = 'stream';
  else if (at > 0 || (head[0] === 0xff && (head[1] & 0xe0) === 0xe0)) found.kind = 'mpeg';
  if (found.kind === 'mpeg') await readOldID3(source, found.tags);
}

// ID3v2.2 to 2.4 (id3.org).

const frames = {
  TIT2: 'title', TT2: 'title', TPE1: 'artist', TP1: 'artist', TPE2: 'albumArtist', TP2: 'albumArtist', TALB: 'album', TAL: 'album', TRCK: 'track', TRK: 'track',
  TPOS: 'disc', TPA: 'disc', TDRC: 'date', TYER: 'date', TYE: 'date', TDRL: 'date',
};

async function readID3(source, start, head, tags) {
  const version = head[3];
  if (version < 2 || version > 4) return;
  const [idSize, headSize] = version === 2 ? [3, 6] : [4, 10];
  const end = Math.min(source.size, start + 10 + safe(head, 6));
  let at = start + 10;
  let reader = source;
  // Of older versions the whole tag is undone at once; its sizes count what was there before.
  if (head[5] & 128 && version < 4) {
    const bytes = undo(await source.bytes(at, Math.min(end - at, mostBytes)));
    reader = new Source(new Blob([bytes]));
    return readFrames(reader, 0, bytes.length, version, idSize, headSize, tags, head[5] & 64);
  }
  return readFrames(reader, at, end, version, idSize, headSize, tags, head[5] & 64);
}

async function readFrames(source, begin, end, version, idSize, headSize, tags, hasExtension) {
  let at = begin;
  if (hasExtension && version > 2) {
    const size = await source.bytes(at, 4);
    at += version === 4 ? safe(size, 0) : 4 + big(size, 0);
  }
  for (let count = 0; count < most && at + headSize <= end; count += 1) {
    const head = await source.bytes(at, headSize);
    if (head.length < headSize || head[0] === 0) return;
    const id = text(head, 0, idSize);
    const size = version === 2 ? big(head, 3, 3) : version === 4 ? safe(head, 4) : big(head, 4);
    at += headSize;
    if (size > end - at) return;
    const name = frames[id];
    const flags = version === 2 ? 0 : head[9];
    const isPacked = version === 3 ? flags & 0xc0 : version === 4 ? flags & 0x0c : 0;
    if (name && !isPacked && size > 1) {
      let bytes = (await source.bytes(at, Math.min(size, longest))).slice();
      if (version === 3 && flags & 32) bytes = bytes.subarray(1);
      if (version === 4 && flags & 64) bytes = bytes.subarray(1);
      if (version === 4 && flags & 1) bytes = bytes.subarray(4);
      if (version === 4 && flags & 2) bytes = undo(bytes);
      put(tags, name, decoded(bytes));
    }
    at += size;
  }
}

// Takes out the zeros that keep a tag from looking like sound.
function undo(bytes) {
  const result = new Uint8Array(bytes.length);
  let count = 0;
  for (let i = 0; i < bytes.length; i += 1) {
    result[count] = bytes[i];
    count += 1;
    if (bytes[i] === 0xff && bytes[i + 1] === 0) i += 1;
  }
  return result.subarray(0, count);
}

// The first text of a frame, by the encoding that its first byte names.
function decoded(bytes) {
  const [kind, rest] = [bytes[0], bytes.subarray(1)];
  let words;
  if (kind === 0) words = new TextDecoder('latin1').decode(rest);
  else if (kind === 3) words = new TextDecoder().decode(rest);
  else if (kind === 2) words = new TextDecoder('utf-16be').decode(rest);
  else if (kind === 1) words = new TextDecoder(rest[0] === 0xfe && rest[1] === 0xff ? 'utf-16be' : 'utf-16le').decode(rest);
  else return undefined;
  return plain(words.split('\0').find((part) => part.replace(/\ufeff/g, '')) ?? '')?.replace(/^\ufeff/, '');
}

// The tag of 128 bytes at the end, for what no other tag says.
async function readOldID3(source, tags) {
  const bytes = (await source.bytes(source.size - 128, 128)).slice();
  if (bytes.length !== 128 || text(bytes, 0, 3) !== 'TAG') return;
  const field = (from, count) => plain(new TextDecoder('latin1').decode(bytes.subarray(from, from + count)).split('\0')[0]);
  put(tags, 'title', field(3, 30));
  put(tags, 'artist', field(33, 30));
  put(tags, 'album', field(63, 30));
  put(tags, 'date', field(93, 4));
  if (bytes[125] === 0 && bytes[126]) put(tags, 'track', String(bytes[126]));
}

// Vorbis comments (xiph.org).

const comments = {
  TITLE: 'title', ARTIST: 'artist', ALBUM: 'album', ALBUMARTIST: 'albumArtist', 'ALBUM ARTIST': 'albumArtist', TRACKNUMBER: 'track', DISCNUMBER: 'disc', DATE: 'date', YEAR: 'date',
};
const totals = { TRACKTOTAL: 'trackCount', TOTALTRACKS: 'trackCount', DISCTOTAL: 'discCount', TOTALDISCS: 'discCount' };

function readComments(bytes, begin, tags) {
  let at = begin + 4 + little(bytes, begin);
  const count = Math.min(most, little(bytes, at));
  at += 4;
  const decoder = new TextDecoder();
  for (let i = 0; i < count && at + 4 <= bytes.length; i += 1) {
    const size = little(bytes, at);
    at += 4;
    if (size > bytes.length - at) return;
    if (size <= longest) {
      const [, key, value] = decoder.decode(bytes.subarray(at, at + size)).match(/^([^=]{1,80})=([^]*)$/) ?? [];
      const name = key?.toUpperCase();
      if (name in comments) put(tags, comments[name], value);
      else if (name in totals) tags[totals[name]] ??= pair(value)[0];
    }
    at += size;
  }
}

async function readFLAC(source, begin, found) {
  found.kind = 'flac';
  let at = begin;
  for (let count = 0; count < 128; count += 1) {
    const head = await source.bytes(at, 4);
    if (head.length < 4) return;
    const [kind, size] = [head[0] & 127, big(head, 1, 3)];
    const isLast = head[0] & 128;
    at += 4;
    if (size > source.size - at) return;
    if (kind === 0 && size >= 18) {
      const info = await source.bytes(at, 18);
      const rate = big(info, 10, 3) >>> 4;
      const total = (info[13] & 15) * 2 ** 32 + big(info, 14);
      if (rate > 0 && total > 0) found.duration = total / rate;
    }
    if (kind === 4) readComments((await source.bytes(at, Math.min(size, mostBytes))).slice(), 0, found.tags);
    at += size;
    if (isLast) break;
  }
  found.begin = at;
}

// The second packet of the first stream has the comments: it may go over many pages.
async function readOgg(source, begin, found) {
  found.kind = 'ogg';
  let at = begin;
  let serial = null;
  let packet = 0;
  const parts = [];
  let length = 0;
  for (let count = 0; count < most && length < mostBytes && packet < 2; count += 1) {
    const head = (await source.bytes(at, 27)).slice();
    if (head.length < 27 || text(head, 0, 4) !== 'OggS') return;
    const sizes = (await source.bytes(at + 27, head[26])).slice();
    if (sizes.length < head[26]) return;
    let place = at + 27 + sizes.length;
    serial ??= big(head, 14);
    const isOwn = big(head, 14) === serial;
    for (const size of sizes) {
      if (isOwn && packet === 1) {
        const bytes = (await source.bytes(place, size)).slice();
        if (bytes.length < size) return;
        parts.push(bytes);
        length += size;
      }
      place += size;
      if (isOwn && size < 255) packet += 1;
    }
    at = place;
  }
  const bytes = new Uint8Array(await new Blob(parts).arrayBuffer());
  if (text(bytes, 1, 6) === 'vorbis') readComments(bytes, 7, found.tags);
  else if (text(bytes, 0, 8) === 'OpusTags') readComments(bytes, 8, found.tags);
  else if ((bytes[0] & 127) === 4) readComments(bytes, 4, found.tags);
}

// MP4 (ISO/IEC 14496-12, and the names of iTunes).

const atoms = { '\u00a9nam': 'title', '\u00a9ART': 'artist', aART: 'albumArtist', '\u00a9alb': 'album', '\u00a9day': 'date' };

// The atoms between two places: their names, and where what is in them begins and ends.
async function* boxes(source, begin, end) {
  let at = begin;
  for (let count = 0; count < most && at + 8 <= end; count += 1) {
    const head = (await source.bytes(at, 16)).slice();
    if (head.length < 8) return;
    let [size, from] = [big(head, 0), 8];
    if (size === 1) [size, from] = [big(head, 8, 8), 16];
    if (size === 0) size = end - at;
    if (size < from || size > end - at) return;
    yield { name: text(head, 4, 4), start: at, begin: at + from, end: at + size };
    at += size;
  }
}

async function child(source, parent, name, skipped = 0) {
  if (!parent) return null;
  for await (const box of boxes(source, parent.begin + skipped, parent.end)) if (box.name === name) return box;
  return null;
}

async function readMP4(source, found) {
  found.kind = 'mp4';
  let movie = null;
  for await (const box of boxes(source, 0, source.size)) {
    if (box.name === 'moov') movie ??= box;
    if (box.name === 'mdat' && !found.media) Object.assign(found, { begin: box.begin, isLate: movie === null, media: box });
  }
  found.movie = movie;
  const header = await child(source, movie, 'mvhd');
  if (header) {
    const bytes = await source.bytes(header.begin, 32);
    const [scale, length] = bytes[0] === 1 ? [big(bytes, 20), big(bytes, 24, 8)] : [big(bytes, 12), big(bytes, 16)];
    if (scale > 0 && length > 0 && length / scale < 1e6) found.duration = length / scale;
  }
  const meta = await child(source, await child(source, movie, 'udta'), 'meta');
  const list = await child(source, meta, 'ilst', 4);
  if (!list) return;
  for await (const box of boxes(source, list.begin, list.end)) {
    const isNumber = box.name === 'trkn' || box.name === 'disk';
    if (!(box.name in atoms) && !isNumber) continue;
    const data = await child(source, box, 'data');
    if (!data || data.end - data.begin < 8) continue;
    const bytes = (await source.bytes(data.begin + 8, Math.min(data.end - data.begin - 8, longest))).slice();
    if (isNumber) put(found.tags, box.name === 'trkn' ? 'track' : 'disc', `${big(bytes, 2, 2)}/${big(bytes, 4, 2)}`);
    else put(found.tags, atoms[box.name], new TextDecoder().decode(bytes));
  }
}

async function readWave(source, found) {
  found.kind = 'wave';
  let at = 12;
  let rate = 0;
  for (let count = 0; count < 64; count += 1) {
    const head = await source.bytes(at, 8);
    if (head.length < 8) return;
    const [name, size] = [text(head, 0, 4), little(head, 4)];
    if (name === 'fmt ') rate = little(await source.bytes(at + 16, 4), 0);
    if (name === 'data') {
      found.begin = at + 8;
      if (rate > 0) found.duration = Math.min(size, source.size - at - 8) / rate;
      return;
    }
    at += 8 + size + (size % 2);
  }
}

async function readAIFF(source, found) {
  found.kind = 'stream';
  let at = 12;
  for (let count = 0; count < 64; count += 1) {
    const head = (await source.bytes(at, 8)).slice();
    if (head.length < 8) return;
    const [name, size] = [text(head, 0, 4), big(head, 4)];
    if (name === 'COMM') {
      const bytes = await source.bytes(at + 8, 18);
      // The rate is a number of 80 bits: an exponent, and a mantissa of 64 bits.
      const rate = big(bytes, 10, 4) * 2 ** (big(bytes, 8, 2) - 16383 - 31);
      if (rate > 0 && rate < 1e6) found.duration = big(bytes, 2) / rate;
    }
    if (name === 'SSND') { found.begin = at + 8; return; }
    at += 8 + size + (size % 2);
  }
}

// How long a sound is, by the browser's own player; undefined for what it does not play.
export function durationOf(file) {
  return new Promise((done) => {
    const audio = new Audio();
    const address = URL.createObjectURL(file);
    const end = (value) => {
      clearTimeout(timer);
      audio.onloadedmetadata = audio.onerror = null;
      audio.removeAttribute('src');
      URL.revokeObjectURL(address);
      done(Number.isFinite(value) && value > 0 ? value : undefined);
    };
    const timer = setTimeout(end, 4000);
    audio.onloadedmetadata = () => end(audio.duration);
    audio.onerror = () => end();
    audio.preload = 'metadata';
    audio.src = address;
  });
}

// So much of a file that its first seconds can be heard. Where they have more than the most bytes, fewer seconds, but no fewer than the least; null
// where that is too much as well, and for a file that cannot be cut.
export function clip(blob, found, { seconds = 25, least = seconds, most = enough } = {}) {
  const { kind, begin, duration } = found;
  if (kind === 'mpeg') return blob.slice(begin, begin + (1300 << 10), 'audio/mpeg');
  if (kind === 'ogg') return blob.slice(0, 2 << 20, 'audio/ogg');
  const isLate = kind === 'mp4' && found.isLate;
  const room = most - begin - (isLate && found.movie ? found.movie.end - found.movie.start : 0);
  const share = (wanted) => (duration > wanted ? Math.ceil((blob.size - begin) * (wanted / duration) * 1.4) + (256 << 10) : blob.size - begin);
  const count = share(seconds) <= room ? share(seconds) : share(least) <= room ? room : ['stream', 'flac', 'wave'].includes(kind) ? Math.min(room, enough) : null;
  if (count !== null && count < blob.size - begin) return isLate ? lateClip(blob, found, count) : blob.slice(0, begin + count, blob.type || 'application/octet-stream');
  return blob.size <= most ? blob : null;
}

// The begin of an MP4 whose description stands behind its media: both in one file. Places in the description count from the begin of the file, and so
// they stay right.
function lateClip(blob, { media, movie }, count) {
  if (!movie) return null;
  const size = media.begin - media.start + Math.min(count, media.end - media.begin);
  const head = new DataView(new ArrayBuffer(media.begin - media.start));
  'mdat'.split('').forEach((letter, i) => head.setUint8(4 + i, letter.charCodeAt(0)));
  head.setUint32(0, head.byteLength === 16 ? 1 : size);
  if (head.byteLength === 16) head.setBigUint64(8, BigInt(size));
  return new Blob([blob.slice(0, media.start), head, blob.slice(media.begin, media.start + size), blob.slice(movie.start, movie.end)], { type: blob.type || 'video/mp4' });
}
