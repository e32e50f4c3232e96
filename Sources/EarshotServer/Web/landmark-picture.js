// The picture of a recognition: the spectrogram of the recording with its landmarks as rings, filled where the reference has them too.
import { busy, el, number, show, t } from './page.js';

const rate = 16_000;
// Of the service's own axis: 180 Hz and five octaves above.
const [lowest, octaves] = [180, 4.98];
const frameSize = 2048;
// Levels this far below the loudest one are as dark as silence, in decibels.
const range = 66;
const marks = [250, 500, 1000, 2000, 4000];

// The samples at 16 kHz of a file that the browser can play; null for one that it cannot. Of a long one the first minute.
export async function decoded(file) {
  try {
    const context = new OfflineAudioContext(1, 1, rate);
    const sound = await context.decodeAudioData(await file.arrayBuffer());
    const all = new Float32Array(Math.min(sound.length, 60 * rate));
    for (let channel = 0; channel < sound.numberOfChannels; channel += 1) {
      const samples = sound.getChannelData(channel);
      for (let i = 0; i < all.length; i += 1) all[i] += samples[i] / sound.numberOfChannels;
    }
    return all;
  } catch {
    return null;
  }
}

// A part of the answer that is drawn when it is opened. `sound` gives the samples, or is null where there are none.
export function landmarkPicture(landmarks, sound) {
  const shared = landmarks.filter((mark) => mark.isShared).length;
  const counts = { shared: number(shared), all: number(landmarks.length), percent: number(shared / landmarks.length, { style: 'percent' }) };
  const place = el('div', {});
  const box = el('details', { class: 'card landmarks' }, el('summary', {}, t('landmarks.title')), place,
    el('p', { class: 'row small' },
      el('span', { class: 'legend' }, el('span', { class: 'ring full', 'aria-hidden': 'true' }), t('landmarks.shared', counts)),
      el('span', { class: 'legend' }, el('span', { class: 'ring', 'aria-hidden': 'true' }), t('landmarks.others', { count: number(landmarks.length - shared) }))),
    el('p', { class: 'dim small' }, t('landmarks.about')));
  box.addEventListener('toggle', async () => {
    if (!box.open || place.firstChild) return;
    show(place, busy());
    const samples = await sound?.();
    const until = samples ? samples.length / rate : landmarks.at(-1).time + 0.5;
    // The service may look at less than the file has.
    const seconds = Math.min(until, Math.max(4, landmarks.at(-1).time + 1));
    const canvas = el('canvas', { role: 'img', 'aria-label': t('landmarks.alternative', { ...counts, seconds: number(seconds, { maximumFractionDigits: 1 }) }) });
    show(place, canvas, samples ? null : el('p', { class: 'dim small' }, t('landmarks.noSound')));
    let levels = null;
    const draw = () => {
      if (!canvas.isConnected || !canvas.clientWidth) return;
      const columns = Math.min(canvas.clientWidth, 900);
      if (samples && levels?.columns !== columns) levels = spectrogram(samples, seconds, columns);
      paint(canvas, levels, landmarks, seconds);
    };
    new ResizeObserver(draw).observe(canvas);
    matchMedia('(prefers-color-scheme: dark)').addEventListener('change', draw);
  });
  return box;
}

// The levels from 0 to 1 of so many columns, each of 240 rows from low to high.
export function spectrogram(samples, seconds, columns, rows = 240) {
  const transform = new Transform(frameSize);
  const window = Float32Array.from({ length: frameSize }, (_, i) => 0.5 - 0.5 * Math.cos((2 * Math.PI * i) / frameSize));
  const levels = new Float32Array(columns * rows);
  const frame = new Float32Array(frameSize);
  const edges = Float32Array.from({ length: rows + 1 }, (_, row) => (lowest * 2 ** ((row * octaves) / rows) * frameSize) / rate);
  let loudest = -Infinity;
  for (let column = 0; column < columns; column += 1) {
    const begin = Math.round(((column + 0.5) / columns) * seconds * rate) - frameSize / 2;
    for (let i = 0; i < frameSize; i += 1) frame[i] = (samples[begin + i] ?? 0) * window[i];
    const powers = transform.powers(frame);
    for (let row = 0; row < rows; row += 1) {
      const level = 10 * Math.log10(mean(powers, edges[row], edges[row + 1]) + 1e-12);
      levels[column * rows + row] = level;
      if (level > loudest) loudest = level;
    }
  }
  for (let i = 0; i < levels.length; i += 1) levels[i] = Math.max(0, Math.min(1, 1 + (levels[i] - loudest) / range));
  return { levels, columns, rows };
}

// The mean of values between two places that need not be whole; between two values where the places are within one.
function mean(values, from, to) {
  if (to - from < 1) {
    const place = (from + to) / 2;
    const whole = Math.floor(place);
    return values[whole] + (values[whole + 1] - values[whole]) * (place - whole);
  }
  let sum = 0;
  for (let i = Math.floor(from); i < to; i += 1) sum += values[i] * (Math.min(to, i + 1) - Math.max(from, i));
  return sum / (to - from);
}

// The Fourier transform of real samples, of a length that is a power of two.
class Transform {
  constructor(size) {
    this.size = size;
    const bits = Math.log2(size);
    this.order = Uint16Array.from({ length: size }, (_, i) => {
      let [from, to] = [i, 0];
      for (let bit = 0; bit < bits; bit += 1) { to = (to << 1) | (from & 1); from >>= 1; }
      return to;
    });
    this.cos = Float32Array.from({ length: size / 2 }, (_, i) => Math.cos((2 * Math.PI * i) / size));
    this.sin = Float32Array.from({ length: size / 2 }, (_, i) => Math.sin((2 * Math.PI * i) / size));
    this.re = new Float32Array(size);
    this.im = new Float32Array(size);
  }

  // The power at each frequency up to half the rate.
  powers(samples) {
    const { size, order, cos, sin, re, im } = this;
    for (let i = 0; i < size; i += 1) { re[i] = samples[order[i]]; im[i] = 0; }
    for (let half = 1; half < size; half *= 2) {
      const step = size / (2 * half);
      for (let begin = 0; begin < size; begin += 2 * half) {
        for (let k = 0; k < half; k += 1) {
          const [c, s] = [cos[k * step], -sin[k * step]];
          const [a, b] = [begin + k, begin + k + half];
          const x = re[b] * c - im[b] * s;
          const y = re[b] * s + im[b] * c;
          re[b] = re[a] - x;
          im[b] = im[a] - y;
          re[a] += x;
          im[a] += y;
        }
      }
    }
    const powers = new Float32Array(size / 2 + 1);
    for (let i = 0; i < powers.length - 1; i += 1) powers[i] = re[i] * re[i] + im[i] * im[i];
    return powers;
  }
}

const ramps = {
  dark: [[18, 19, 23], [44, 40, 92], [86, 74, 170], [128, 150, 225], [208, 226, 255]],
  light: [[255, 255, 255], [222, 228, 250], [160, 178, 236], [86, 104, 190], [30, 34, 96]],
};

function color(ramp, level) {
  const place = level * (ramp.length - 1);
  const index = Math.min(ramp.length - 2, Math.floor(place));
  return ramp[index].map((value, i) => value + (ramp[index + 1][i] - value) * (place - index));
}

function paint(canvas, found, landmarks, seconds) {
  const isDark = matchMedia('(prefers-color-scheme: dark)').matches;
  const style = getComputedStyle(canvas);
  const value = (name) => style.getPropertyValue(name).trim();
  const scale = window.devicePixelRatio || 1;
  const [width, height] = [canvas.clientWidth, canvas.clientHeight];
  canvas.width = Math.round(width * scale);
  canvas.height = Math.round(height * scale);
  const context = canvas.getContext('2d');
  context.scale(scale, scale);
  const [left, bottom] = [44, 24];
  const area = { x: left, y: 4, width: width - left - 6, height: height - bottom - 4 };
  const ramp = ramps[isDark ? 'dark' : 'light'];
  if (found) {
    context.imageSmoothingEnabled = true;
    context.drawImage(picture(found, ramp), area.x, area.y, area.width, area.height);
  } else {
    context.fillStyle = `rgb(${ramp[0].join()})`;
    context.fillRect(area.x, area.y, area.width, area.height);
  }
  const across = (time) => area.x + (time / seconds) * area.width;
  const up = (frequency) => area.y + area.height * (1 - Math.log2(frequency / lowest) / octaves);
  const radius = Math.min(5, Math.max(2, Math.sqrt((area.width * area.height) / landmarks.length) * 0.14));
  context.save();
  context.beginPath();
  context.rect(area.x, area.y, area.width, area.height);
  context.clip();
  const ring = (mark, size) => {
    context.beginPath();
    context.arc(across(mark.time), up(mark.frequency), size, 0, 2 * Math.PI);
  };
  context.lineWidth = 1.2;
  context.strokeStyle = isDark ? 'rgba(255, 255, 255, .75)' : 'rgba(20, 20, 30, .7)';
  for (const mark of landmarks) if (!mark.isShared) { ring(mark, radius * 0.9); context.stroke(); }
  // Over the others, so that none is hidden.
  context.fillStyle = value('--mark') || '#ff8a1f';
  context.strokeStyle = isDark ? '#1a0d00' : '#fff';
  context.lineWidth = 1;
  for (const mark of landmarks) if (mark.isShared) { ring(mark, radius * 1.1); context.fill(); context.stroke(); }
  context.restore();
  axes(context, area, across, up, seconds, value('--dim'), value('--line'));
}

function axes(context, area, across, up, seconds, ink, line) {
  context.strokeStyle = line;
  context.strokeRect(area.x, area.y, area.width, area.height);
  context.fillStyle = ink;
  context.font = '12px system-ui, sans-serif';
  context.textAlign = 'right';
  context.textBaseline = 'middle';
  for (const frequency of marks) {
    context.fillText(frequency < 1000 ? `${frequency} Hz` : `${frequency / 1000} kHz`, area.x - 4, up(frequency));
  }
  const step = [0.5, 1, 2, 5, 10, 20].find((candidate) => (seconds / candidate) * 44 < area.width) ?? 30;
  context.textAlign = 'center';
  context.textBaseline = 'alphabetic';
  for (let time = 0; time <= seconds; time += step) {
    const x = across(time);
    context.fillText(`${number(time)} s`, Math.min(Math.max(x, area.x + 8), area.x + area.width - 14), area.y + area.height + 17);
  }
}

function picture({ levels, columns, rows }, ramp) {
  const canvas = new OffscreenCanvas(columns, rows);
  const context = canvas.getContext('2d');
  const image = context.createImageData(columns, rows);
  const colors = Array.from({ length: 256 }, (_, i) => color(ramp, i / 255));
  for (let column = 0; column < columns; column += 1) {
    for (let row = 0; row < rows; row += 1) {
      const rgb = colors[Math.round(levels[column * rows + row] * 255)];
      const place = ((rows - 1 - row) * columns + column) * 4;
      image.data.set(rgb, place);
      image.data[place + 3] = 255;
    }
  }
  context.putImageData(image, 0, 0);
  return canvas;
}
