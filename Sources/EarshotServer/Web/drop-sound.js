// Sounds that become parts of a piece: what they are, and what the service does not take made into WAVE.

// The formats of pieces by how a file begins; null for others, which are decoded and sent as WAVE.
async function formatOf(file) {
  const bytes = new Uint8Array(await file.slice(0, 300).arrayBuffer());
  const has = (text, place = 0) => [...text].every((letter, i) => bytes[place + i] === letter.charCodeAt(0));
  if ((has('RIFF') || has('RF64')) && has('WAVE', 8)) return 'wave';
  if (has('OggS')) return has('\u0001vorbis', 27 + bytes[26]) ? 'oggVorbis' : null;
  return has('ftyp', 4) ? 'aacM4A' : null;
}

export async function decode(blob) {
  return new OfflineAudioContext(1, 1, 44_100).decodeAudioData(await blob.arrayBuffer());
}

// Sound as a WAVE file of 16 bits.
export function toWave(buffer) {
  const channels = Array.from({ length: Math.min(2, buffer.numberOfChannels) }, (_, place) => buffer.getChannelData(place));
  const size = buffer.length * channels.length * 2;
  const bytes = new DataView(new ArrayBuffer(44 + size));
  const text = (place, words) => [...words].forEach((letter, i) => bytes.setUint8(place + i, letter.charCodeAt(0)));
  text(0, 'RIFF'); bytes.setUint32(4, 36 + size, true); text(8, 'WAVEfmt '); bytes.setUint32(16, 16, true);
  bytes.setUint16(20, 1, true); bytes.setUint16(22, channels.length, true); bytes.setUint32(24, buffer.sampleRate, true);
  bytes.setUint32(28, buffer.sampleRate * channels.length * 2, true); bytes.setUint16(32, channels.length * 2, true);
  bytes.setUint16(34, 16, true); text(36, 'data'); bytes.setUint32(40, size, true);
  const samples = new Int16Array(bytes.buffer, 44);
  for (let frame = 0, place = 0; frame < buffer.length; frame += 1) {
    for (const channel of channels) { samples[place] = Math.round(Math.max(-1, Math.min(1, channel[frame])) * 32767); place += 1; }
  }
  return new Blob([bytes.buffer], { type: 'audio/wav' });
}

// A sound as a part. Throws where the browser cannot read it either.
export async function readSound(file) {
  const format = await formatOf(file);
  const name = file.name.replace(/\.[^.]*$/, '');
  return format ? { blob: file, format, name, file: file.name } : { blob: toWave(await decode(file)), format: 'wave', name, file: file.name };
}

// How long a sound is, in seconds.
export async function lengthOf(blob) {
  const audio = new Audio();
  const address = URL.createObjectURL(blob);
  try {
    const length = await new Promise((done, fail) => {
      audio.onloadedmetadata = () => done(audio.duration);
      audio.onerror = fail;
      audio.src = address;
    });
    if (Number.isFinite(length) && length > 0) return length;
  } catch { /* Then it is decoded. */ } finally {
    audio.src = '';
    URL.revokeObjectURL(address);
  }
  return (await decode(blob)).duration;
}

// Several stems in one sound, softer where they are too loud together.
export async function mix(stems) {
  const buffers = await Promise.all(stems.map((stem) => decode(stem.blob)));
  const context = new OfflineAudioContext(2, Math.max(...buffers.map((buffer) => buffer.length)), 44_100);
  for (const buffer of buffers) {
    const source = context.createBufferSource();
    source.buffer = buffer;
    source.connect(context.destination);
    source.start();
  }
  const sum = await context.startRendering();
  let peak = 0;
  for (let channel = 0; channel < sum.numberOfChannels; channel += 1) {
    for (const sample of sum.getChannelData(channel)) if (Math.abs(sample) > peak) peak = Math.abs(sample);
  }
  if (peak > 1) {
    for (let channel = 0; channel < sum.numberOfChannels; channel += 1) {
      const samples = sum.getChannelData(channel);
      for (let frame = 0; frame < samples.length; frame += 1) samples[frame] /= peak;
    }
  }
  return { blob: toWave(sum), format: 'wave', name: 'mix', file: '' };
}

const sounds = /\.(wave?|ogg|oga|opus|m4a|mp4|mp3|flac|aac|aiff?|webm)$/i;
const mixes = /^(mix|master|mixdown|stem)$/i;

// Which files of a folder are which parts, by their names as `earshot piece new` takes them.
export function sort(name, files) {
  const own = facts(name);
  const parts = { mix: null, preview: null, cover: null, stems: [], others: [], title: own.rest, tempo: own.tempo, key: own.key };
  for (const { file, path } of files) {
    if (path.length !== 1) continue;
    const base = facts(file.name.replace(/\.[^.]*$/, ''));
    if (/^cover$/i.test(base.rest) && /\.(png|jpe?g)$/i.test(file.name)) parts.cover = file;
    else if (!sounds.test(file.name)) { parts.others.push(file.name); continue; }
    else if (mixes.test(base.rest)) parts.mix ??= file;
    else if (/^preview$/i.test(base.rest)) parts.preview ??= file;
    else parts.stems.push({ file, name: base.rest });
    parts.tempo ??= base.tempo;
    parts.key ??= base.key;
  }
  if (!parts.mix && parts.stems.length === 1) parts.mix = parts.stems.pop().file;
  const seen = new Map();
  for (const stem of parts.stems) {
    const plain = [...stem.name.replace(/[\u0000-\u001f/\\:*?"<>|]/g, ' ').trim().replace(/\.+$/, '')].slice(0, 44).join('') || 'Stem';
    const count = (seen.get(plain.toLowerCase()) ?? 0) + 1;
    seen.set(plain.toLowerCase(), count);
    stem.name = count > 1 ? `${plain} ${count}` : plain;
  }
  return parts;
}

const notes = { c: 0, d: 2, e: 4, f: 5, g: 7, a: 9, b: 11 };

// What a name says of tempo and key, and the rest of it: `Night Loop 92bpm Am`.
function facts(name) {
  let rest = name;
  const take = (pattern) => {
    const found = rest.match(pattern);
    if (found) rest = `${rest.slice(0, found.index)} ${rest.slice(found.index + found[0].length)}`;
    return found;
  };
  const tempo = take(/(?<![\d.])(\d{2,3}(?:\.\d{1,3})?)[ _]?bpm(?![a-z])/i)?.[1] ?? null;
  const found = take(/(?<![A-Za-z])([A-G])([#♯b♭]?)[ _]?(minor|min|m|major|maj)(?![A-Za-z])/);
  const key = found && {
    kind: /^m(in|inor)?$/.test(found[3]) ? 'minor' : 'major',
    root: (notes[found[1].toLowerCase()] + ({ '#': 1, '♯': 1, b: 11, '♭': 11 }[found[2]] ?? 0)) % 12,
  };
  const left = rest.replace(/[ _]+/g, ' ').replace(/^[ \-–,]+|[ \-–,]+$/g, '');
  return { tempo, key, rest: left || name };
}
