// The cover of a piece: a picture of any size, of which a person chooses the square.
import { el, t } from './page.js';

export const side = 640;

let isWarned = false;

// Whether this browser can cut pictures. Without that no cover is chosen here, and the console says so once.
export function canCrop() {
  const isAble = typeof createImageBitmap === 'function' && Boolean(document.createElement('canvas').getContext?.('2d'))
    && typeof HTMLCanvasElement.prototype.toBlob === 'function';
  if (!isAble && !isWarned) {
    isWarned = true;
    console.warn('This browser cannot cut pictures: covers are not edited.');
  }
  return isAble;
}

export class CoverEditor {
  constructor(onChange) {
    this.picture = null;
    this.onChange = onChange;
    this.view = { zoom: 1, x: 0.5, y: 0.5 };
    this.canvas = el('canvas', { width: side, height: side, class: 'crop', role: 'img', 'aria-label': t('drop.cropped') });
    this.sliders = ['zoom', 'x', 'y'].map((name) => {
      const input = el('input', { type: 'range', min: name === 'zoom' ? 1 : 0, max: name === 'zoom' ? 5 : 1, step: 0.01, value: this.view[name],
        oninput: () => { this.view[name] = Number(input.value); this.draw(); }, onchange: () => this.onChange() });
      return [name, input];
    });
    this.input = el('input', { type: 'file', accept: 'image/*', class: 'sr', onchange: () => this.input.files[0] && this.choose(this.input.files[0]) });
    this.fault = el('p', { class: 'bad', role: 'alert' });
    this.tools = el('div', { class: 'split', hidden: true }, this.canvas,
      el('div', {}, el('p', { class: 'dim small' }, t('drop.cropHelp')),
        this.sliders.map(([name, input]) => el('label', {}, t(`drop.crop-${name}`), input)),
        el('button', { class: 'second small', type: 'button', onclick: () => this.clear() }, t('drop.noCover'))));
    this.node = el('div', {}, el('p', {}, el('label', { class: 'button second' }, this.input, t('drop.chooseCover'))), this.fault, this.tools);
    this.drag();
  }

  async choose(file) {
    this.fault.textContent = '';
    try {
      this.picture = await createImageBitmap(file);
    } catch {
      this.fault.textContent = t('drop.noPicture');
      return;
    }
    Object.assign(this.view, { zoom: 1, x: 0.5, y: 0.5 });
    this.tools.hidden = false;
    this.draw();
    this.onChange();
  }

  clear() {
    this.picture = null;
    this.input.value = '';
    this.tools.hidden = true;
    this.onChange();
  }

  // The square of the picture that is seen, in its own pixels.
  get square() {
    const { width, height } = this.picture;
    const size = Math.min(width, height) / this.view.zoom;
    return { size, x: (width - size) * this.view.x, y: (height - size) * this.view.y };
  }

  draw() {
    if (!this.picture) return;
    const { size, x, y } = this.square;
    const pen = this.canvas.getContext('2d');
    pen.imageSmoothingQuality = 'high';
    // Where a picture is transparent: JPEG has no other ground than black.
    pen.fillStyle = '#fff';
    pen.fillRect(0, 0, side, side);
    pen.drawImage(this.picture, x, y, size, size, 0, 0, side, side);
    for (const [name, input] of this.sliders) input.value = this.view[name];
  }

  drag() {
    let last = null;
    this.canvas.addEventListener('pointerdown', (event) => { last = event; this.canvas.setPointerCapture(event.pointerId); });
    this.canvas.addEventListener('pointermove', (event) => {
      if (!last || !this.picture) return;
      const { size } = this.square;
      const scale = size / this.canvas.clientWidth;
      this.move('x', (last.clientX - event.clientX) * scale, this.picture.width - size);
      this.move('y', (last.clientY - event.clientY) * scale, this.picture.height - size);
      last = event;
      this.draw();
    });
    for (const name of ['pointerup', 'pointercancel']) this.canvas.addEventListener(name, () => { if (last) this.onChange(); last = null; });
    this.canvas.addEventListener('wheel', (event) => {
      event.preventDefault();
      this.view.zoom = Math.min(5, Math.max(1, this.view.zoom * Math.exp(-event.deltaY / 500)));
      this.draw();
      this.onChange();
    }, { passive: false });
  }

  move(name, pixels, room) {
    if (room > 0) this.view[name] = Math.min(1, Math.max(0, this.view[name] + pixels / room));
  }

  // The square as a file; null without a picture.
  blob() {
    if (!this.picture) return Promise.resolve(null);
    return new Promise((done) => this.canvas.toBlob(done, 'image/jpeg', 0.9));
  }
}
