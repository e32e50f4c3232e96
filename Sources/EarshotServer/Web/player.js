// Parts of players: symbols, a slider to seek with, and a picture of the sound.
import { clock, el } from './page.js';

const paths = {
  play: 'M7 4v16l13-8z', pause: 'M6 4h4v16H6zM14 4h4v16h-4z', next: 'M5 4v16l10-8zM16 4h3v16h-3z', previous: 'M19 4v16L9 12zM5 4h3v16H5z',
};

// An element of SVG, whose attributes are set as they are.
export function svg(name, attributes = {}, ...children) {
  const node = document.createElementNS('http://www.w3.org/2000/svg', name);
  for (const [key, value] of Object.entries(attributes)) {
    if (value === null || value === undefined || value === false) continue;
    if (key.startsWith('on')) node.addEventListener(key.slice(2), value);
    else node.setAttribute(key, value);
  }
  node.append(...children.flat(Infinity).filter((child) => child || child === 0));
  return node;
}

// A symbol, which says nothing to a screen reader: the button that has it has a name.
export function icon(name) {
  return svg('svg', { viewBox: '0 0 24 24', width: 22, height: 22, fill: 'currentColor', 'aria-hidden': 'true' }, svg('path', { d: paths[name] }));
}

// A round button with a symbol.
export function symbolButton(name, label, onclick) {
  return el('button', { class: 'symbol', type: 'button', 'aria-label': label, title: label, onclick }, icon(name));
}

// A slider over the time of a sound. While it is dragged, reports of the player do not move it; what is chosen is sought when it is let go.
export class Slider {
  constructor(label, onSeek) {
    this.isDragged = false;
    this.duration = 0;
    this.onSeek = onSeek;
    this.time = el('span', { class: 'number' }, clock(0));
    this.whole = el('span', { class: 'number' }, clock(0));
    this.input = el('input', {
      type: 'range', min: 0, max: 1, step: 'any', value: 0, 'aria-label': label, disabled: true,
      onpointerdown: () => { this.isDragged = true; },
      oninput: () => { this.isDragged = true; this.show(Number(this.input.value)); },
      onchange: () => this.seek(Number(this.input.value)),
      // A press that moves nothing is no change.
      onpointerup: () => setTimeout(() => { this.isDragged = false; }, 0),
      onpointercancel: () => { this.isDragged = false; },
      onkeydown: (event) => this.press(event),
    });
    this.node = el('div', { class: 'slider' }, this.time, this.input, this.whole);
  }

  // Where the player is. Without a duration there is nothing to slide over.
  set(time, duration) {
    if (!(duration > 0) || !Number.isFinite(duration)) return;
    if (duration !== this.duration) {
      this.duration = duration;
      this.input.max = duration;
      this.input.disabled = false;
      this.whole.textContent = clock(duration);
    }
    if (this.isDragged) return;
    this.input.value = time;
    this.show(time);
  }

  // Begins anew with another sound.
  reset() {
    Object.assign(this, { duration: 0, isDragged: false });
    this.input.value = 0;
    this.input.disabled = true;
    this.whole.textContent = clock(0);
    this.show(0);
  }

  show(time) {
    this.time.textContent = clock(time);
    this.input.setAttribute('aria-valuetext', `${clock(time)} / ${clock(this.duration)}`);
  }

  seek(time) {
    this.isDragged = false;
    this.onSeek(Math.min(this.duration, Math.max(0, time)));
  }

  press(event) {
    const now = Number(this.input.value);
    const to = { ArrowLeft: now - 5, ArrowDown: now - 5, ArrowRight: now + 5, ArrowUp: now + 5, PageDown: now - 30, PageUp: now + 30, Home: 0, End: this.duration }[event.key];
    if (to === undefined || event.altKey || event.ctrlKey || event.metaKey) return;
    event.preventDefault();
    const held = Math.min(this.duration, Math.max(0, to));
    this.input.value = held;
    this.show(held);
    this.seek(held);
  }
}

// The picture of a sound: its loudest samples, its beats, and how much of it was played. Clicking it seeks.
export class Wave {
  constructor(onSeek) {
    this.peaks = [];
    this.beats = [];
    this.share = 0;
    this.duration = 0;
    this.loop = null;
    this.canvas = el('canvas', {
      class: 'wave', 'aria-hidden': 'true',
      onclick: (event) => {
        const box = this.canvas.getBoundingClientRect();
        if (this.duration) onSeek(((event.clientX - box.left) / box.width) * this.duration);
      },
    });
    new ResizeObserver(() => this.draw()).observe(this.canvas);
    matchMedia('(prefers-color-scheme: dark)').addEventListener('change', () => this.draw());
  }

  // Pairs of the lowest and the highest sample, -1 to 1.
  set(peaks, duration, { beats = [], loop = null } = {}) {
    Object.assign(this, { peaks, duration, beats, loop, share: 0 });
    this.draw();
  }

  move(time) {
    const share = this.duration ? time / this.duration : 0;
    if (Math.abs(share - this.share) * this.canvas.clientWidth < 0.5) return;
    this.share = share;
    this.draw();
  }

  draw() {
    const { canvas, peaks } = this;
    const [width, height, scale] = [canvas.clientWidth, canvas.clientHeight, devicePixelRatio || 1];
    if (!width) return;
    if (canvas.width !== Math.round(width * scale)) canvas.width = Math.round(width * scale);
    if (canvas.height !== Math.round(height * scale)) canvas.height = Math.round(height * scale);
    const style = getComputedStyle(canvas);
    const [accent, plain, soft] = ['--accent', '--dim', '--soft'].map((name) => style.getPropertyValue(name));
    const pen = canvas.getContext('2d');
    pen.setTransform(scale, 0, 0, scale, 0, 0);
    pen.clearRect(0, 0, width, height);
    const place = (time) => (time / this.duration) * width;
    if (this.loop && this.duration) {
      pen.fillStyle = soft;
      pen.fillRect(place(this.loop[0]), 0, place(this.loop[1] - this.loop[0]), height);
    }
    const middle = height / 2;
    const bar = 3;
    const count = Math.floor(width / bar);
    for (let index = 0; index < count && peaks.length; index += 1) {
      const [from, to] = [Math.floor((index / count) * peaks.length), Math.max(1, Math.ceil(((index + 1) / count) * peaks.length))];
      let [low, high] = [0, 0];
      for (const [least, most] of peaks.slice(from, to)) { low = Math.min(low, least); high = Math.max(high, most); }
      pen.fillStyle = (index + 0.5) / count <= this.share ? accent : plain;
      pen.fillRect(index * bar, middle - high * middle, bar - 1, Math.max(1, (high - low) * middle));
    }
    pen.fillStyle = accent;
    for (const beat of this.beats) pen.fillRect(place(beat), height - 5, 1, 5);
  }
}

// The pairs of a waveform of the service.
export function pairs(told) {
  const full = 2 ** (told.bits - 1);
  return Array.from({ length: told.length }, (_, place) => [told.data[2 * place] / full, told.data[2 * place + 1] / full]);
}

// The pairs of decoded sound, so many of them.
export function pairsOf(buffer, count = 1000) {
  const channel = buffer.getChannelData(0);
  const step = Math.max(1, Math.floor(channel.length / count));
  return Array.from({ length: Math.floor(channel.length / step) }, (_, place) => {
    let [low, high] = [0, 0];
    for (let index = place * step; index < (place + 1) * step; index += 1) {
      if (channel[index] < low) low = channel[index];
      else if (channel[index] > high) high = channel[index];
    }
    return [low, high];
  });
}
