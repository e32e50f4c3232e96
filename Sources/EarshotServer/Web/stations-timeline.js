// A span of a station drawn from left to right, like the picture of `earshot playlog report`: the guide above, then programmes, music, and
// jingles and advertisements as marks, so that nothing long hides what is short. Zoomed and walked through by wheel, pointer and keys.
import { colors, hatch, ink, shade, sharp, time } from './stations-parts.js';

const margin = { top: 24, bottom: 6 };
const bands = { guide: 22, programme: 24, music: 56, mark: 20 };
const steps = [1, 5, 10, 30, 60, 120, 300, 600, 900, 1_800, 3_600, 7_200, 10_800, 21_600].map((seconds) => seconds * 1_000);
// The shortest span that is shown, in milliseconds.
const closest = 30_000;

const bandOf = (item) => item.airing ? 'guide' : item.gap ? 'all' : item.kind === 'programme' ? 'programme'
  : item.kind === 'jingle' || item.kind === 'advertisement' ? 'mark' : 'music';

export class Timeline {
  // `on.focus` is called with what the keys or a click have reached, `on.hover` with what the pointer is over or null, `on.view` when
  // somebody has chosen another span, and `on.enter` when the one that has the focus is to be read.
  constructor(canvas, on) {
    Object.assign(this, { canvas, on, items: [], focused: -1, hovered: null, heard: [], zone: 'UTC' });
    canvas.addEventListener('wheel', (event) => this.wheel(event), { passive: false });
    canvas.addEventListener('pointerdown', (event) => this.press(event));
    canvas.addEventListener('pointermove', (event) => this.move(event));
    canvas.addEventListener('pointerup', (event) => this.release(event));
    canvas.addEventListener('pointercancel', () => { this.drag = null; });
    canvas.addEventListener('pointerleave', () => { this.hovered = null; on.hover(null); this.draw(); });
    canvas.addEventListener('dblclick', (event) => this.zoom(0.4, this.instant(event.offsetX)));
    canvas.addEventListener('keydown', (event) => this.key(event));
    canvas.addEventListener('focus', () => this.draw());
    canvas.addEventListener('blur', () => this.draw());
    new ResizeObserver(() => this.draw()).observe(canvas.parentNode);
    matchMedia('(prefers-color-scheme: dark)').addEventListener('change', () => this.draw());
  }

  // Takes a day. What has the focus keeps it.
  set({ start, end, plays, breaks, heard, guide, zone, now }) {
    const focused = this.items[this.focused]?.key;
    const airings = guide.map((airing) => ({ ...airing, airing: true, from: Date.parse(airing.start), to: Date.parse(airing.end), key: `a${airing.start}` }));
    const counts = {};
    const played = plays.map((play) => {
      const item = { ...play, from: Date.parse(play.start), to: Date.parse(play.end), key: play.id };
      // Two neighbors of a band have two shades.
      item.number = counts[bandOf(item)] = (counts[bandOf(item)] ?? 0) + 1;
      return item;
    });
    const gaps = breaks.map((gap) => ({ ...gap, gap: true, from: Date.parse(gap.start), to: gap.end ? Date.parse(gap.end) : now, key: `g${gap.start}` }));
    Object.assign(this, { start, end, zone, now });
    this.airings = airings;
    this.heard = heard.map((span) => [Date.parse(span.start), Date.parse(span.end)]);
    this.items = [...played, ...gaps].sort((a, b) => a.from - b.from);
    this.focused = this.items.findIndex(({ key }) => key === focused);
    if (!this.from) [this.from, this.to] = this.fitted();
    this.draw();
  }

  // The part of the day in which anything was heard or missed, so that a quarter of an hour fills the picture.
  fitted() {
    const all = [...this.items.map(({ from, to }) => [from, to]), ...this.heard];
    if (!all.length) return [this.start, this.end];
    const from = Math.max(this.start, Math.min(...all.map(([first]) => first)));
    const to = Math.min(this.end, Math.max(...all.map(([, last]) => last)));
    const pad = Math.max(60_000, (to - from) * 0.02);
    return to - from > 0.8 * (this.end - this.start) ? [this.start, this.end] : this.bounded(from - pad, to + pad);
  }

  // Shows a span, which is brought into the day.
  show(from, to, isChosen = true) {
    [this.from, this.to] = this.bounded(from, to);
    this.draw();
    if (isChosen) this.on.view(this.from, this.to);
  }

  bounded(from, to) {
    const span = Math.min(this.end - this.start, Math.max(closest, to - from));
    const middle = (from + to) / 2;
    const first = Math.min(Math.max(this.start, middle - span / 2), this.end - span);
    return [first, first + span];
  }

  get isWhole() { return this.from <= this.start && this.to >= this.end; }

  zoom(factor, around = this.items[this.focused]?.from ?? (this.from + this.to) / 2) {
    const point = around >= this.from && around <= this.to ? around : (this.from + this.to) / 2;
    this.show(point - (point - this.from) * factor, point + (this.to - point) * factor);
  }

  pan(share) { const by = (this.to - this.from) * share; this.show(this.from + by, this.to + by); }

  // Gives the focus to a play or a break, and brings it into sight.
  focus(index, isTold = true) {
    if (!this.items.length) return;
    this.focused = Math.min(this.items.length - 1, Math.max(0, index));
    const item = this.items[this.focused];
    if (item.from < this.from || item.from > this.to) {
      const half = (this.to - this.from) / 2;
      this.show(item.from - half, item.from + half);
    }
    this.draw();
    if (isTold) this.on.focus(item);
  }

  focusKey(key) { this.focus(this.items.findIndex((item) => item.key === key), false); }

  // MARK: - Input

  instant(x) { return this.from + (this.to - this.from) * x / this.width; }
  x(instant) { return this.width * (instant - this.from) / (this.to - this.from); }

  wheel(event) {
    const isSideways = Math.abs(event.deltaX) > Math.abs(event.deltaY) || event.shiftKey;
    // At the whole day the page scrolls on.
    if (!isSideways && event.deltaY > 0 && this.isWhole) return;
    event.preventDefault();
    if (isSideways) this.pan((event.deltaX || event.deltaY) / this.width);
    else this.zoom(Math.exp(Math.min(100, Math.max(-100, event.deltaY)) / 300), this.instant(event.offsetX));
  }

  press(event) {
    this.drag = { x: event.offsetX, from: this.from, to: this.to, moved: false };
    this.canvas.setPointerCapture(event.pointerId);
  }

  move(event) {
    if (this.drag) {
      const by = (this.drag.x - event.offsetX) * (this.drag.to - this.drag.from) / this.width;
      if (Math.abs(this.drag.x - event.offsetX) > 4) this.drag.moved = true;
      if (this.drag.moved) this.show(this.drag.from + by, this.drag.to + by);
      return;
    }
    const item = this.at(event.offsetX, event.offsetY);
    if (item === this.hovered) return;
    this.hovered = item;
    this.on.hover(item);
    this.draw();
  }

  release(event) {
    const wasDrag = this.drag?.moved;
    this.drag = null;
    if (wasDrag) return;
    const item = this.at(event.offsetX, event.offsetY);
    if (item && !item.airing) this.focus(this.items.indexOf(item));
  }

  key(event) {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const near = () => {
      const index = this.items.findIndex((item) => item.to > this.from);
      return index < 0 ? this.items.length - 1 : index;
    };
    const keys = {
      ArrowRight: () => event.shiftKey ? this.pan(0.2) : this.focus(this.focused < 0 ? near() : this.focused + 1),
      ArrowLeft: () => event.shiftKey ? this.pan(-0.2) : this.focus(this.focused < 0 ? near() : this.focused - 1),
      PageDown: () => this.pan(0.8), PageUp: () => this.pan(-0.8),
      Home: () => this.focus(0), End: () => this.focus(this.items.length - 1),
      '+': () => this.zoom(0.6), '=': () => this.zoom(0.6), '-': () => this.zoom(1 / 0.6), 0: () => this.show(this.start, this.end),
      Enter: () => this.items[this.focused] && this.on.enter(this.items[this.focused]),
    };
    if (!keys[event.key]) return;
    event.preventDefault();
    keys[event.key]();
  }

  // What stands at a place: marks before music, the guide only where nothing else is.
  at(x, y) {
    const hits = (item, slack) => x >= this.x(item.from) - slack && x <= this.x(item.to) + slack && y >= this.frame(item).y && y <= this.frame(item).y + this.frame(item).height;
    const all = [...this.items].reverse();
    return all.find((item) => !item.gap && hits(item, 0)) ?? all.find((item) => !item.gap && hits(item, 3))
      ?? all.find((item) => item.gap && hits(item, 2)) ?? this.airings?.find((item) => hits(item, 0)) ?? null;
  }

  // MARK: - Drawing

  get guideHeight() { return this.airings?.length ? bands.guide + 4 : 0; }
  get height() { return margin.top + this.guideHeight + bands.programme + bands.music + bands.mark + margin.bottom; }

  frame(item) {
    const band = bandOf(item);
    const top = margin.top + this.guideHeight;
    if (band === 'guide') return { y: margin.top, height: bands.guide };
    if (band === 'all') return { y: top, height: bands.programme + bands.music + bands.mark };
    const y = top + (band === 'programme' ? 0 : band === 'music' ? bands.programme : bands.programme + bands.music);
    return { y, height: bands[band] - (band === 'mark' ? 0 : 2) };
  }

  draw() {
    if (!this.from || this.pending) return;
    this.pending = true;
    requestAnimationFrame(() => { this.pending = false; this.paint(); });
  }

  paint() {
    this.width = this.canvas.parentNode.clientWidth;
    if (!this.width) return;
    const color = colors();
    const pen = sharp(this.canvas, this.width, this.height);
    const font = getComputedStyle(document.body).fontFamily;
    const whole = this.frame({ gap: true });
    const clipped = (from, to) => [Math.max(-2, this.x(from)), Math.min(this.width + 2, this.x(to))];
    pen.fillStyle = color('line');
    pen.fillRect(0, whole.y, this.width, whole.height);
    pen.fillStyle = color('soft');
    for (const [from, to] of this.heard) {
      const [left, right] = clipped(from, to);
      if (right > left) pen.fillRect(left, whole.y, right - left, whole.height);
    }
    this.ticks(pen, color, font, whole);
    const visible = (item) => item.to >= this.from && item.from <= this.to;
    // A text is smaller before it is cut, and left out where less than three letters of it would be seen.
    const text = (words, x, y, room, sizes, style, weight = '') => {
      let shown = words;
      for (const size of sizes) {
        pen.font = `${weight} ${size}px ${font}`;
        if (pen.measureText(words).width <= room) break;
      }
      if (pen.measureText(words).width > room) {
        let count = Math.floor(words.length * room / pen.measureText(words).width);
        while (count > 2 && pen.measureText(`${words.slice(0, count)}…`).width > room) count -= 1;
        if (count < 3) return false;
        shown = `${words.slice(0, count)}…`;
      }
      pen.fillStyle = style;
      pen.fillText(shown, x, y);
      return true;
    };
    pen.textBaseline = 'alphabetic';
    pen.textAlign = 'left';
    for (const airing of (this.airings ?? []).filter(visible)) {
      const [left, right] = clipped(airing.from, airing.to);
      const { y, height } = this.frame(airing);
      pen.fillStyle = color('card');
      pen.fillRect(left, y, Math.max(1, right - left - 1), height);
      pen.strokeStyle = color('line');
      pen.strokeRect(left + 0.5, y + 0.5, Math.max(1, right - left - 2), height - 1);
      if (right - left > 30) text(airing.title, Math.max(left, 0) + 5, y + 15, right - Math.max(left, 0) - 10, [12], color('dim'));
    }
    for (const item of this.items.filter(visible)) {
      const [left, right] = clipped(item.from, item.to);
      const { y, height } = this.frame(item);
      const width = Math.max(item.gap ? 2 : 1.5, right - left - (right - left > 4 ? 1 : 0));
      if (item.gap) { hatch(pen, left, y, width, height, color('bad')); continue; }
      pen.fillStyle = shade(item.kind, item.number);
      pen.fillRect(left, y, width, height);
      if (item.isOpen) {
        pen.strokeStyle = color('text');
        pen.setLineDash([4, 3]);
        pen.strokeRect(left + 0.5, y + 0.5, Math.max(1, width - 1), height - 1);
        pen.setLineDash([]);
      }
      const from = Math.max(left, 0) + 4;
      const room = Math.min(right, this.width) - from - 4;
      if (room < 18 || height < 20) continue;
      const title = item.title || item.reference || '';
      if (bandOf(item) === 'music') {
        const isShown = text(title, from, y + 23, room, [14, 12, 11], ink(item.kind), '600');
        if (isShown && item.artist) text(item.artist, from, y + 41, room, [12, 11], ink(item.kind));
      } else {
        text(title, from, y + height / 2 + 4, room, [11], ink(item.kind));
      }
    }
    for (const [item, style] of [[this.hovered, color('dim')], [this.items[this.focused], color('accent')]]) {
      if (!item || !visible(item)) continue;
      const [left, right] = clipped(item.from, item.to);
      const { y, height } = this.frame(item);
      pen.strokeStyle = style;
      pen.lineWidth = 3;
      pen.strokeRect(left - 1, y - 1, Math.max(4, right - left + 1), height + 2);
      pen.lineWidth = 1;
    }
    if (this.now > this.from && this.now < this.to) {
      pen.fillStyle = color('accent');
      pen.fillRect(this.x(this.now) - 1, margin.top - 4, 2, this.height - margin.top);
    }
  }

  // Times at round instants of the zone. Days begin where they do: the first of them is counted from.
  ticks(pen, color, font, whole) {
    const step = steps.find((one) => (this.to - this.from) / one <= Math.max(2, this.width / 70)) ?? steps.at(-1);
    pen.font = `12px ${font}`;
    pen.textAlign = 'center';
    for (let at = this.start + Math.ceil((this.from - this.start) / step) * step; at <= this.to; at += step) {
      const x = this.x(at);
      pen.fillStyle = color('line');
      pen.fillRect(x, margin.top - 4, 1, whole.y + whole.height - margin.top + 4);
      pen.fillStyle = color('dim');
      const label = at >= this.end ? '24:00' : time(at, this.zone, step < 60_000);
      const half = pen.measureText(label).width / 2;
      // At the edges a text would run into its neighbor.
      if (x > half - 8 && x < this.width - half + 8) pen.fillText(label, Math.min(this.width - half, Math.max(half, x)), margin.top - 9);
    }
  }
}
