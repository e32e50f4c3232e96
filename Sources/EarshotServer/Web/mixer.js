// Several sounds that play in step, each as loud as is said: decoded where there is room for that, otherwise as streams that are kept together.
import { ask, wait } from './page.js';

// The most bytes of decoded sound.
const room = 300e6;
// How far a stream may be from the first one before it is put right, in seconds.
const tolerance = 0.04;

// A player of sounds of so many seconds, by their addresses.
export function mixer(addresses, seconds) {
  return seconds * addresses.length * 2 * 44_100 * 4 <= room ? new Decoded(addresses, seconds) : new Streamed(addresses, seconds);
}

class Mixer {
  constructor(addresses, seconds) {
    Object.assign(this, { addresses, duration: seconds, loop: null, isPlaying: false, levels: addresses.map(() => 1), buffers: [], ended: () => {} });
  }

  open() {
    if (this.context) return;
    this.context = new AudioContext();
    this.gains = this.addresses.map((_, place) => {
      const gain = this.context.createGain();
      gain.gain.value = this.levels[place];
      gain.connect(this.context.destination);
      return gain;
    });
  }

  setLevels(levels) {
    this.levels = levels;
    levels.forEach((level, place) => this.gains?.[place].gain.setTargetAtTime(level, this.context.currentTime, 0.01));
  }
}

class Decoded extends Mixer {
  // Loads and decodes all sounds. `report` is told how many are there.
  async load(report) {
    this.open();
    this.buffers = await Promise.all(this.addresses.map(async (address) => {
      const buffer = await this.decoded(address);
      report?.();
      return buffer;
    }));
    this.duration = this.buffers[0].duration;
    this.place = 0;
  }

  // A format that this browser does not decode is asked for as WAVE.
  async decoded(address) {
    const get = async (path) => (await ask(path, { raw: true })).arrayBuffer();
    try {
      return await this.context.decodeAudioData(await get(address));
    } catch (error) {
      if (error.status !== undefined) throw error;
      return this.context.decodeAudioData(await get(`${address}${address.includes('?') ? '&' : '?'}format=wave`));
    }
  }

  get time() {
    if (!this.isPlaying) return this.place ?? 0;
    const time = Math.max(0, this.context.currentTime - this.began);
    const [from, to] = this.loop ?? [0, 0];
    return this.loop && time > to ? from + ((time - from) % (to - from)) : Math.min(time, this.duration);
  }

  async play() {
    if (!this.buffers.length) await this.load();
    await this.context.resume();
    this.halt();
    const start = this.context.currentTime + 0.03;
    let from = this.place >= this.duration - 0.01 ? 0 : this.place;
    if (this.loop && from >= this.loop[1]) [from] = this.loop;
    this.sources = this.buffers.map((buffer, place) => {
      const source = this.context.createBufferSource();
      source.buffer = buffer;
      if (this.loop) Object.assign(source, { loop: true, loopStart: this.loop[0], loopEnd: this.loop[1] });
      source.connect(this.gains[place]);
      source.start(start, Math.min(from, buffer.duration));
      return source;
    });
    this.sources[0].onended = () => { if (this.isPlaying) { this.pause(); this.place = 0; this.ended(); } };
    this.began = start - from;
    this.isPlaying = true;
  }

  halt() {
    for (const source of this.sources ?? []) { source.onended = null; source.stop(); source.disconnect(); }
    this.sources = null;
  }

  pause() {
    this.place = this.time;
    this.isPlaying = false;
    this.halt();
  }

  async seek(time) {
    const place = Math.min(this.duration, Math.max(0, time));
    const wasPlaying = this.isPlaying;
    if (wasPlaying) this.pause();
    this.place = place;
    // The end is the end, and no begin.
    if (wasPlaying && place >= this.duration - 0.01) this.ended();
    else if (wasPlaying) await this.play();
  }

  // All sounds are started at one moment of one clock.
  get drift() { return 0; }

  setLoop(loop) {
    const time = this.time;
    this.loop = loop;
    return this.seek(time);
  }
}

class Streamed extends Mixer {
  async load() {
    this.open();
    this.elements = this.addresses.map((address, place) => {
      const element = new Audio(address);
      element.preload = 'auto';
      this.context.createMediaElementSource(element).connect(this.gains[place]);
      return element;
    });
    this.elements[0].addEventListener('ended', () => { this.pause(); this.ended(); });
    await Promise.all(this.elements.map((element) => new Promise((done, fail) => {
      element.addEventListener('loadedmetadata', done, { once: true });
      element.addEventListener('error', () => fail(new Error('unplayable')), { once: true });
    })));
    this.duration = this.elements[0].duration;
  }

  get time() { return this.elements?.[0].currentTime ?? 0; }

  async play() {
    if (!this.elements) await this.load();
    await this.context.resume();
    this.isPlaying = true;
    await Promise.all(this.elements.map((element) => element.play()));
    this.align(true);
    this.follow();
  }

  async follow() {
    while (this.isPlaying) {
      await wait(200);
      if (this.loop && this.time >= this.loop[1]) this.seek(this.loop[0]);
      this.align();
    }
  }

  // Small differences are made up by a little more or less speed, large ones at once.
  align(isNow = false) {
    const { currentTime } = this.elements[0];
    for (const element of this.elements.slice(1)) {
      const late = currentTime - element.currentTime;
      if (element.ended) continue;
      if (isNow || Math.abs(late) > tolerance * 3) element.currentTime = currentTime;
      element.playbackRate = Math.abs(late) > tolerance / 4 ? 1 + Math.max(-0.05, Math.min(0.05, late)) : 1;
    }
  }

  get drift() {
    const times = (this.elements ?? []).map((element) => element.currentTime);
    return times.length ? Math.max(...times) - Math.min(...times) : 0;
  }

  pause() {
    this.isPlaying = false;
    for (const element of this.elements) element.pause();
  }

  async seek(time) {
    for (const element of this.elements ?? []) element.currentTime = time;
  }

  async setLoop(loop) { this.loop = loop; }
}
