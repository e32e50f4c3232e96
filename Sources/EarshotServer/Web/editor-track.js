// Entries laid on the waveform: added, moved and resized with mouse, finger or keys. Each is a button that is placed by its time.
import { clock, el, t } from './page.js';
import { kindOf } from './timed-content.js';

const laneHeight = 40;
const waveHeight = 96;
const shortest = 0.1;
const round = (seconds) => Math.round(seconds * 100) / 100;

export class Track {
  #document; #duration; #on; #scale = 10; #wave = null; #nodes = new Map(); #at = null; #selected = null;
  #canvas = el('canvas', { class: 'wave', 'aria-hidden': 'true' });
  #head = el('div', { class: 'head', hidden: true, 'aria-hidden': 'true' });
  #inner = el('div', { class: 'inner' }, this.#canvas, this.#head);

  // `on` has `select(id)`, `seek(time)`, and `edit()` for going to the fields.
  constructor(document, duration, on) {
    [this.#document, this.#duration, this.#on] = [document, duration, on];
    this.#outer = el('div', { class: 'track', role: 'group', tabindex: '0', 'aria-label': t('companion-editor.track') }, this.#inner);
    this.#outer.addEventListener('scroll', () => this.#draw());
    new ResizeObserver(() => { if (!this.isFitted) this.fit(); this.#draw(); }).observe(this.#outer);
    matchMedia('(prefers-color-scheme: dark)').addEventListener('change', () => this.#draw());
    this.#canvas.addEventListener('click', (event) => on.seek(this.#timeAt(event)));
    this.#inner.addEventListener('dblclick', (event) => { if (event.target === this.#canvas) this.add(this.#timeAt(event)); });
  }

  #outer;
  get node() { return this.#outer; }
  get selected() { return this.#selected; }
  // The waveform as the service sends it.
  set wave(wave) { this.#wave = wave; this.#draw(); }

  // Shows all of the reference.
  fit() {
    if (!this.#outer.clientWidth) return;
    this.isFitted = true;
    this.zoom(0);
  }

  // From 0, all of the reference, to 1, a second in 100 pixels.
  zoom(share) {
    const middle = (this.#outer.scrollLeft + this.#outer.clientWidth / 2) / this.#scale;
    const least = (this.#outer.clientWidth - 2) / this.#duration;
    this.#scale = least * (Math.max(1, 100 / least) ** share);
    this.update();
    this.#outer.scrollLeft = middle * this.#scale - this.#outer.clientWidth / 2;
    this.#draw();
  }

  #timeAt(event) { return Math.max(0, Math.min(this.#duration, (event.clientX - this.#inner.getBoundingClientRect().left) / this.#scale)); }

  // Where playback is, in seconds; null for nowhere.
  set at(time) {
    this.#at = time;
    this.#head.hidden = time === null;
    if (time === null) return;
    this.#head.style.setProperty('left', `${time * this.#scale}px`);
    const x = time * this.#scale - this.#outer.scrollLeft;
    if (this.follows && (x < 0 || x > this.#outer.clientWidth * 0.9)) this.#outer.scrollLeft = time * this.#scale - this.#outer.clientWidth * 0.2;
  }
  get at() { return this.#at; }

  // Makes the buttons what the document is.
  update() {
    this.#inner.style.setProperty('width', `${Math.ceil(this.#duration * this.#scale)}px`);
    const entries = this.#document.entries;
    const lanes = 1 + Math.max(0, ...entries.map((entry) => Math.min(entry.lane ?? 0, 7)));
    this.#inner.style.setProperty('height', `${waveHeight + lanes * laneHeight + 8}px`);
    for (const [id, node] of this.#nodes) if (!this.#document.entry(id)) { node.remove(); this.#nodes.delete(id); }
    entries.forEach((entry, index) => {
      const node = this.#nodes.get(entry.id) ?? this.#make(entry.id);
      const end = this.#endOf(entry);
      node.style.setProperty('left', `${entry.start * this.#scale}px`);
      node.style.setProperty('width', `${Math.max(10, (end - entry.start) * this.#scale - 2)}px`);
      node.style.setProperty('top', `${waveHeight + Math.min(entry.lane ?? 0, 7) * laneHeight + 4}px`);
      const kind = kindOf({ payload: {}, ...entry });
      node.dataset.kind = kind;
      node.classList.toggle('open', entry.end === undefined);
      node.firstChild.textContent = entry.title || t(`companion-editor.kind-${kind}`);
      node.setAttribute('aria-label', t('companion-editor.entryLabel', {
        kind: t(`companion-editor.kind-${kind}`), title: entry.title ?? '', start: clock(entry.start), end: clock(end),
      }));
      node.setAttribute('aria-pressed', entry.id === this.#selected);
      // In order of time, for the keys too.
      if (this.#inner.children[index + 2] !== node) this.#inner.insertBefore(node, this.#inner.children[index + 2] ?? null);
    });
    this.at = this.#at;
    this.#draw();
  }

  #endOf(entry) {
    if (entry.end !== undefined) return entry.end;
    const next = this.#document.entries.find((other) => (other.lane ?? 0) === (entry.lane ?? 0) && other.start > entry.start);
    return Math.max(entry.start + shortest, next?.start ?? this.#duration);
  }

  select(id, { focus = false } = {}) {
    this.#selected = id;
    for (const [name, node] of this.#nodes) node.setAttribute('aria-pressed', name === id);
    const node = this.#nodes.get(id);
    if (focus && node) { node.focus(); node.scrollIntoView({ block: 'nearest', inline: 'nearest' }); }
  }

  // Adds an entry at a time, and selects it.
  add(time) {
    const id = this.#document.freeID();
    const start = round(Math.min(time, Math.max(0, this.#duration - shortest)));
    const length = Math.min(5, Math.max(1, this.#duration / 20));
    this.#document.change((value) => {
      value.entries.push({ id, title: '', start, end: round(Math.max(start + shortest, Math.min(start + length, this.#duration))) });
    });
    this.#on.select(id);
    this.select(id, { focus: true });
    return id;
  }

  remove(id) {
    const entries = this.#document.entries;
    const index = entries.findIndex((entry) => entry.id === id);
    const next = entries[index + 1] ?? entries[index - 1];
    this.#document.change((value) => value.entries.splice(index, 1));
    this.#on.select(next?.id ?? null);
    this.select(next?.id ?? null, { focus: true });
  }

  // MARK: Hands

  #make(id) {
    const node = el('button', { type: 'button', class: 'block' }, el('span', { class: 'name' }),
      el('span', { class: 'edge left', data: { edge: 'start' }, 'aria-hidden': 'true' }), el('span', { class: 'edge right', data: { edge: 'end' }, 'aria-hidden': 'true' }));
    node.addEventListener('pointerdown', (event) => this.#drag(event, id, node));
    node.addEventListener('keydown', (event) => this.#key(event, id));
    node.addEventListener('focus', () => { if (this.#selected !== id) { this.#on.select(id); this.select(id); } });
    node.addEventListener('dblclick', () => this.#on.edit());
    this.#nodes.set(id, node);
    this.#inner.append(node);
    return node;
  }

  #drag(event, id, node) {
    if (event.button !== 0) return;
    const entry = this.#document.entry(id);
    const edge = event.target.dataset.edge ?? 'all';
    const [from, began] = [{ ...entry, end: this.#endOf(entry) }, event.clientX];
    const merge = `drag ${id} ${event.timeStamp}`;
    let moved = false;
    node.setPointerCapture(event.pointerId);
    const move = (next) => {
      const by = (next.clientX - began) / this.#scale;
      // A finger trembles.
      if (!moved && Math.abs(next.clientX - began) < 4) return;
      moved = true;
      this.#shift(id, edge, by, from, merge);
    };
    const end = () => {
      node.removeEventListener('pointermove', move);
      this.#document.settle();
    };
    node.addEventListener('pointermove', move);
    node.addEventListener('pointerup', end, { once: true });
    node.addEventListener('pointercancel', end, { once: true });
  }

  // Moves an entry, or one of its edges, by seconds from where it was. What belongs to it moves along.
  #shift(id, edge, by, from, merge = null) {
    this.#document.change((value) => {
      const entry = value.entries.find((other) => other.id === id);
      const length = from.end - from.start;
      if (edge === 'all') {
        const start = round(Math.max(0, Math.min(this.#duration - Math.min(length, this.#duration), from.start + by)));
        const moved = start - from.start;
        entry.start = start;
        if (from.end !== undefined && entry.end !== undefined) entry.end = round(start + length);
        if (from.answerRange) entry.answerRange = from.answerRange.map((time) => round(time + moved));
        if (from.parts) entry.parts = from.parts.map((part) => ({ ...part, start: round(part.start + moved) }));
      } else if (edge === 'start') {
        entry.start = round(Math.max(0, Math.min(from.end - shortest, from.start + by)));
      } else {
        entry.end = round(Math.min(this.#duration, Math.max(from.start + shortest, from.end + by)));
      }
      fitInside(entry);
    }, merge);
  }

  #key(event, id) {
    const entry = this.#document.entry(id);
    const step = event.shiftKey ? 1 : 0.1;
    const from = { ...entry, end: this.#endOf(entry) };
    const by = { ArrowLeft: -step, ArrowRight: step }[event.key];
    if (by !== undefined) this.#shift(id, event.altKey ? 'end' : event.ctrlKey || event.metaKey ? 'start' : 'all', by, from);
    else if (event.key === 'Delete' || event.key === 'Backspace') this.remove(id);
    else if (event.key === 'Enter') this.#on.edit();
    else return;
    event.preventDefault();
  }

  // MARK: Picture

  #draw() {
    const [width, height] = [this.#outer.clientWidth, waveHeight];
    if (!width) return;
    const scale = devicePixelRatio || 1;
    const canvas = this.#canvas;
    [canvas.width, canvas.height] = [Math.round(width * scale), Math.round(height * scale)];
    canvas.style.setProperty('width', `${width}px`);
    canvas.style.setProperty('height', `${height}px`);
    const context = canvas.getContext('2d');
    context.scale(scale, scale);
    const style = getComputedStyle(canvas);
    const [ink, line, wave] = ['--dim', '--line', '--accent'].map((name) => style.getPropertyValue(name));
    const begin = this.#outer.scrollLeft / this.#scale;
    if (this.#wave) this.#drawWave(context, begin, width, wave);
    const step = [0.5, 1, 2, 5, 10, 30, 60, 120, 300, 600, 1800, 3600].find((seconds) => seconds * this.#scale > 56) ?? 7200;
    context.font = '11px system-ui, sans-serif';
    for (let time = Math.ceil(begin / step) * step; time <= Math.min(this.#duration, begin + width / this.#scale); time += step) {
      const x = (time - begin) * this.#scale;
      context.fillStyle = line;
      context.fillRect(x, 0, 1, height);
      context.fillStyle = ink;
      context.fillText(step < 1 ? time.toFixed(1) : clock(time), x + 3, height - 4);
    }
  }

  #drawWave(context, begin, width, color) {
    const { data, length, bits } = this.#wave;
    const full = 2 ** (bits - 1);
    const middle = (waveHeight - 14) / 2;
    const runs = length / this.#duration;
    context.fillStyle = color;
    for (let x = 0; x < width; x += 1) {
      const first = Math.floor((begin + x / this.#scale) * runs);
      const last = Math.max(first + 1, Math.floor((begin + (x + 1) / this.#scale) * runs));
      let [low, high] = [0, 0];
      for (let i = first; i < Math.min(last, length); i += 1) {
        low = Math.min(low, data[2 * i]);
        high = Math.max(high, data[2 * i + 1]);
      }
      const y = middle - (high / full) * middle;
      context.fillRect(x, y, 1, Math.max(1, ((high - low) / full) * middle));
    }
  }
}

// Keeps answers and parts within an entry's own time.
export function fitInside(entry) {
  const end = entry.end ?? Infinity;
  if (entry.answerRange) {
    const [from, to] = entry.answerRange;
    const start = Math.min(Math.max(from, entry.start), end - 0.05);
    entry.answerRange = [round(start), round(Math.min(Math.max(to, start + 0.05), end))];
  }
  if (entry.parts) entry.parts = entry.parts.filter((part) => part.start >= entry.start && part.start < end);
}
