// Plays one file of the media folders, or two that have audio in common by turns, at the same place of both.
import { el, t, ask, clock, say } from './page.js';
import { fault, parameters } from './admin-kit.js';

const rate = 22050;
const chunk = 20;

// Files are { asset, name, duration, offset, speed }: second s of the first one is second offset + speed * s of this one.
export class SamplePlayer {
  constructor(files, signal) {
    this.files = files.map((file) => ({ ...file, buffers: new Map(), gain: null }));
    this.current = 0;
    this.at = 0;
    this.duration = files[0].duration;
    this.isPlaying = false;
    this.sources = [];
    this.button = el('button', { type: 'button', onclick: () => this.toggle() }, t('admin.play'));
    this.slider = el('input', { type: 'range', min: 0, max: Math.floor(this.duration), step: 1, value: 0, 'aria-label': t('match.position'), oninput: () => this.seek(Number(this.slider.value)) });
    this.time = el('span', { class: 'number dim' }, `${clock(0)} / ${clock(this.duration)}`);
    this.messages = el('div', { 'aria-live': 'polite' });
    this.choices = files.length > 1 && files.map((file, index) => el('button', {
      type: 'button', class: 'second small', 'aria-pressed': String(index === 0), onclick: () => this.choose(index),
    }, `${'AB'[index]} · ${file.name}`));
    this.node = el('div', { class: 'player' },
      el('div', { class: 'row' }, this.button, this.choices || null, el('span', { class: 'wide' }), this.time), this.slider, this.messages);
    signal?.addEventListener('abort', () => this.stop(), { once: true });
  }

  // Which of both is heard. Both go on together, so that the change is heard at once.
  choose(index) {
    this.current = index;
    this.choices?.forEach((button, at) => button.setAttribute('aria-pressed', String(at === index)));
    this.files.forEach((file, at) => file.gain?.gain.setTargetAtTime(at === index ? 1 : 0, this.context.currentTime, 0.02));
    say(t('admin.heard', { name: this.files[index].name }));
  }

  toggle() { if (this.isPlaying) this.pause(); else this.play(); }

  async play() {
    this.messages.replaceChildren();
    this.context ??= new AudioContext({ sampleRate: rate });
    await this.context.resume();
    for (const file of this.files) {
      if (!file.gain) { file.gain = this.context.createGain(); file.gain.connect(this.context.destination); }
    }
    this.files.forEach((file, at) => { file.gain.gain.value = at === this.current ? 1 : 0; });
    this.isPlaying = true;
    this.button.textContent = t('admin.pause');
    this.run = Symbol('run');
    const { run } = this;
    try {
      // The first seconds of both, before either is heard.
      await this.schedule(run, this.at, null);
    } catch (error) {
      if (this.run === run) { this.pause(); this.messages.replaceChildren(fault(error, () => this.play())); }
    }
  }

  // Plays a stretch from a second on, and loads the next meanwhile.
  async schedule(run, begin, when) {
    const length = Math.min(chunk, this.duration - begin);
    if (length <= 0.01) return;
    const parts = await Promise.all(this.files.map((file) => this.load(file, begin, length).catch((error) => {
      // Where the other one has ended it is silent.
      if (error.status === 416) return null;
      throw error;
    })));
    if (this.run !== run || !this.isPlaying) return;
    const start = when ?? this.context.currentTime + 0.05;
    if (when === null) this.tick(run, begin, start);
    parts.forEach((buffer, index) => {
      if (!buffer) return;
      const file = this.files[index];
      const source = new AudioBufferSourceNode(this.context, { buffer, playbackRate: file.speed });
      const lead = Math.max(0, -(file.offset + file.speed * begin)) / file.speed;
      source.connect(file.gain);
      source.start(Math.max(start + lead, this.context.currentTime));
      this.sources.push(source);
    });
    const wait = Math.max(0, start + length - this.context.currentTime - 8) * 1000;
    setTimeout(() => {
      if (this.run !== run) return;
      this.schedule(run, begin + length, start + length).catch((error) => { if (this.run === run) { this.pause(); this.messages.replaceChildren(fault(error, () => this.play())); } });
    }, wait);
  }

  // Some seconds of a file as they are heard in the seconds of the first one.
  async load(file, begin, length) {
    const key = `${begin}+${length}`;
    if (file.buffers.has(key)) return file.buffers.get(key);
    const from = Math.max(0, file.offset + file.speed * begin);
    const until = Math.min(file.duration, file.offset + file.speed * (begin + length));
    const frames = Math.round((until - from) * rate);
    if (frames <= 0) return null;
    const answer = await ask(`/v1/assets/${encodeURIComponent(file.asset)}/samples?${parameters({ start: Math.round(from * rate), length: frames, rate, channels: 1, format: 'int16' })}`, { raw: true });
    const samples = new Int16Array((await answer.arrayBuffer()).slice(0, frames * 2));
    const buffer = this.context.createBuffer(1, Math.max(1, samples.length), rate);
    const channel = buffer.getChannelData(0);
    for (let at = 0; at < samples.length; at += 1) channel[at] = samples[at] / 32768;
    if (file.buffers.size > 8) file.buffers.clear();
    file.buffers.set(key, buffer);
    return buffer;
  }

  tick(run, begin, start) {
    const step = () => {
      if (this.run !== run || !this.isPlaying) return;
      this.at = Math.min(this.duration, begin + Math.max(0, this.context.currentTime - start));
      this.tell();
      if (this.at >= this.duration) { this.pause(); this.at = 0; this.tell(); return; }
      setTimeout(step, 200);
    };
    step();
  }

  tell() {
    this.slider.value = this.at;
    this.time.textContent = `${clock(this.at)} / ${clock(this.duration)}`;
    this.node.dataset.at = this.at.toFixed(1);
  }

  seek(second) {
    this.at = second;
    this.tell();
    if (!this.isPlaying) return;
    this.silence();
    this.play();
  }

  silence() {
    this.run = null;
    for (const source of this.sources) { try { source.stop(); } catch { /* It was not begun. */ } }
    this.sources = [];
  }

  pause() {
    this.silence();
    this.isPlaying = false;
    this.button.textContent = t('admin.play');
  }

  stop() {
    this.pause();
    this.context?.close();
    this.context = null;
  }
}
