// A tracklist as a picture: the recording runs from left to right in lines, like text; what overlaps stands above each other.
import { clock, el, number, t } from './page.js';

const [laneHeight, gap, scaleHeight] = [34, 14, 16];
const mostLanes = 3;

// A color for a reference: the same wherever it is played.
function hue(id) {
  let sum = 7;
  for (let i = 0; i < id.length; i += 1) sum = (sum * 31 + id.charCodeAt(i)) % 3600;
  return sum / 10;
}

export class Timeline {
  #lines; #duration; #canvas; #at = null; #observer; #boxes = []; #perLine = 1; #lanes = 1;

  // `seek` is called with the time that was clicked, in seconds.
  constructor(lines, duration, seek) {
    [this.#lines, this.#duration] = [lines, Math.max(1, duration)];
    this.#place();
    const count = lines.filter((line) => line.entry).length;
    this.#canvas = el('canvas', {
      class: 'timeline', role: 'img', 'aria-label': t('tracklist.picture', { count: number(count), time: clock(duration) }),
      onclick: (event) => seek(this.#time(event)),
    });
    this.#observer = new ResizeObserver(() => this.#draw());
    this.#observer.observe(this.#canvas);
    matchMedia('(prefers-color-scheme: dark)').addEventListener('change', this.#redraw);
  }

  get node() { return this.#canvas; }
  // Where playback is, in seconds.
  set at(time) { this.#at = time; this.#draw(); }

  close() {
    this.#observer.disconnect();
    matchMedia('(prefers-color-scheme: dark)').removeEventListener('change', this.#redraw);
  }

  #redraw = () => this.#draw();

  // Gives every line a lane in which nothing else is.
  #place() {
    const ends = [];
    this.#boxes = this.#lines.map((line) => {
      let lane = ends.findIndex((end) => end <= line.begin + 0.01);
      if (lane < 0) lane = Math.min(ends.length, mostLanes - 1);
      ends[lane] = line.end;
      return { ...line, lane, hue: hue(line.entry?.id ?? '') };
    });
    this.#lanes = Math.max(1, ends.length);
  }

  get #lineHeight() { return this.#lanes * laneHeight + scaleHeight + gap; }

  #time(event) {
    const rectangle = this.#canvas.getBoundingClientRect();
    const line = Math.max(0, Math.floor((event.clientY - rectangle.top) / this.#lineHeight));
    return Math.min(this.#duration, (line + (event.clientX - rectangle.left) / rectangle.width) * this.#perLine);
  }

  #draw() {
    const canvas = this.#canvas;
    const width = canvas.clientWidth;
    if (!width) return;
    const wanted = Math.max(60, width * 2.4, this.#duration / 10);
    this.#perLine = this.#duration <= wanted * 1.3 ? this.#duration : Math.ceil(wanted / 300) * 300;
    const count = Math.ceil(this.#duration / this.#perLine - 1e-6);
    const height = count * this.#lineHeight;
    canvas.style.setProperty('height', `${height}px`);
    const scale = devicePixelRatio || 1;
    [canvas.width, canvas.height] = [Math.round(width * scale), Math.round(height * scale)];
    const context = canvas.getContext('2d');
    context.scale(scale, scale);
    const isDark = matchMedia('(prefers-color-scheme: dark)').matches;
    const style = getComputedStyle(canvas);
    const ink = { text: style.getPropertyValue('--text'), dim: style.getPropertyValue('--dim'), line: style.getPropertyValue('--line'), mark: style.getPropertyValue('--bad') };
    for (let line = 0; line < count; line += 1) this.#drawLine(context, line, width, ink, isDark);
  }

  #drawLine(context, line, width, ink, isDark) {
    const [from, until] = [line * this.#perLine, Math.min(this.#duration, (line + 1) * this.#perLine)];
    const top = line * this.#lineHeight;
    const across = (time) => ((time - from) / this.#perLine) * width;
    context.font = '13px system-ui, sans-serif';
    context.textBaseline = 'middle';
    for (const box of this.#boxes) {
      if (box.end <= from || box.begin >= until) continue;
      const x = across(Math.max(box.begin, from));
      const w = Math.max(2, across(Math.min(box.end, until)) - x - 1);
      const y = top + box.lane * laneHeight;
      context.save();
      context.beginPath();
      context.roundRect(x, y + 1, w, laneHeight - 4, 4);
      if (box.entry) {
        context.fillStyle = `hsl(${box.hue} ${isDark ? '38% 30%' : '62% 82%'})`;
        context.fill();
      } else {
        context.strokeStyle = ink.line;
        context.setLineDash([4, 3]);
        context.stroke();
      }
      context.clip();
      const name = box.entry ? box.entry.title ?? box.entry.id : t('tracklist.unknown');
      if (w > 30) {
        context.fillStyle = box.entry ? ink.text : ink.dim;
        context.fillText(name, x + 6, y + laneHeight / 2 - 1);
      }
      context.restore();
    }
    const y = top + this.#lanes * laneHeight;
    const step = [60, 120, 300, 600, 900, 1800, 3600].find((seconds) => across(from + seconds) > 52) ?? 7200;
    context.fillStyle = ink.dim;
    context.font = '11px system-ui, sans-serif';
    for (let time = Math.ceil(from / step) * step; time < until; time += step) {
      const x = across(time);
      context.fillRect(x, y, 1, 4);
      context.fillText(clock(time), Math.min(x + 3, width - 30), y + 8);
    }
    if (this.#at !== null && this.#at >= from && this.#at < until) {
      context.fillStyle = ink.mark;
      context.fillRect(across(this.#at) - 1, top, 2, this.#lanes * laneHeight);
    }
  }
}
