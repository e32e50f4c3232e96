// The microphone as a growing recording of 16 kHz mono.

const rate = 16_000;

// Why this browser has no microphone to offer; null if it may have one.
export async function missingMicrophone() {
  if (!window.isSecureContext) return 'insecure';
  if (!navigator.mediaDevices?.getUserMedia || !window.AudioWorkletNode) return 'unsupported';
  // Before a page was given the microphone the list names one of each kind that there is.
  const devices = await navigator.mediaDevices.enumerateDevices().catch(() => null);
  if (devices && !devices.some((device) => device.kind === 'audioinput')) return 'none';
  const state = await navigator.permissions?.query({ name: 'microphone' }).then((s) => s.state).catch(() => null);
  return state === 'denied' ? 'denied' : null;
}

export class Recorder {
  #source; #keep; #context; #stream; #node; #blocks = []; #count = 0; #dropped = 0; #level = 0; #stopped = false;

  // `microphone`, or `tab` for what another page or window plays. With `keep` only the last seconds stay, so that it can go on for hours.
  constructor(source = 'microphone', { keep = Infinity } = {}) { this.#source = source; this.#keep = keep; }

  // Asks for the sound and begins. Throws a DOMException: NotAllowedError, NotFoundError, NotReadableError.
  async start() {
    const audio = { channelCount: 1, echoCancellation: false, noiseSuppression: false, autoGainControl: false };
    const devices = navigator.mediaDevices;
    this.#stream = this.#source === 'tab' ? await devices.getDisplayMedia({ audio, video: true }) : await devices.getUserMedia({ audio });
    if (this.#stopped) { this.stop(); return; }
    if (!this.#stream.getAudioTracks().length) { this.stop(); throw new DOMException('no sound was shared', 'NotFoundError'); }
    this.#stream.getVideoTracks().forEach((track) => { track.enabled = false; });
    this.#context = new AudioContext();
    await this.#context.audioWorklet.addModule(new URL('./recorder-worklet.js', import.meta.url));
    const source = this.#context.createMediaStreamSource(this.#stream);
    this.#node = new AudioWorkletNode(this.#context, 'earshot-recorder', { numberOfOutputs: 0, channelCount: 1, channelCountMode: 'explicit' });
    this.#node.port.onmessage = ({ data }) => {
      this.#blocks.push(data.samples);
      this.#count += data.samples.length;
      while (this.#count - this.#dropped - this.#blocks[0].length > this.#keep * this.#context.sampleRate) {
        this.#dropped += this.#blocks.shift().length;
      }
      this.#level = Math.max(data.level, this.#level * 0.7);
    };
    source.connect(this.#node);
    await this.#context.resume();
  }

  // The loudness now, from 0 to 1.
  get level() { return this.#level; }
  // The seconds of sound that were heard.
  get seconds() { return this.#context ? this.#count / this.#context.sampleRate : 0; }

  // The last seconds of the recording at 16 kHz; all that is kept unless stated.
  samples(seconds = Infinity) {
    const held = this.#count - this.#dropped;
    const wanted = Math.min(held, Math.round(seconds * this.#context.sampleRate));
    const all = new Float32Array(held);
    let place = 0;
    for (const block of this.#blocks) { all.set(block, place); place += block.length; }
    return resampled(all.subarray(held - wanted), this.#context.sampleRate);
  }

  // All of the recording as a WAVE file of 16 kHz.
  wave() { return waveFile(this.samples()); }

  stop() {
    this.#stopped = true;
    this.#stream?.getTracks().forEach((track) => track.stop());
    this.#node?.port.close();
    const context = this.#context;
    if (context && context.state !== 'closed') context.close();
  }
}

// Samples at 16 kHz: a windowed sinc that ends below the new half rate.
export function resampled(samples, from) {
  if (from === rate) return samples;
  const step = from / rate;
  const width = 16 * Math.max(1, step);
  const cut = Math.min(1, 1 / step) * 0.94;
  const count = Math.floor(samples.length / step);
  const result = new Float32Array(count);
  // The kernel repeats where the rates share a factor.
  const phases = new Map();
  for (let i = 0; i < count; i += 1) {
    const center = i * step;
    const first = Math.ceil(center - width);
    const phase = Math.round((center - first) * 4096) / 4096;
    let kernel = phases.get(phase);
    if (!kernel) {
      const taps = Math.floor(2 * width) + 1;
      kernel = new Float32Array(taps);
      let sum = 0;
      for (let k = 0; k < taps; k += 1) {
        const x = k - phase;
        if (Math.abs(x) > width) continue;
        const angle = Math.PI * x * cut;
        kernel[k] = (Math.abs(angle) < 1e-9 ? 1 : Math.sin(angle) / angle) * (0.5 + 0.5 * Math.cos((Math.PI * x) / width));
        sum += kernel[k];
      }
      for (let k = 0; k < taps; k += 1) kernel[k] /= sum;
      if (phases.size < 2048) phases.set(phase, kernel);
    }
    let value = 0;
    for (let k = 0; k < kernel.length; k += 1) {
      const at = first + k;
      if (at >= 0 && at < samples.length) value += kernel[k] * samples[at];
    }
    result[i] = value;
  }
  return result;
}

// A WAVE file of 16 bits, mono, 16 kHz.
export function waveFile(samples) {
  const view = new DataView(new ArrayBuffer(44 + samples.length * 2));
  const text = (at, letters) => [...letters].forEach((letter, i) => view.setUint8(at + i, letter.charCodeAt(0)));
  text(0, 'RIFF');
  view.setUint32(4, 36 + samples.length * 2, true);
  text(8, 'WAVEfmt ');
  view.setUint32(16, 16, true);
  view.setUint16(20, 1, true);
  view.setUint16(22, 1, true);
  view.setUint32(24, rate, true);
  view.setUint32(28, rate * 2, true);
  view.setUint16(32, 2, true);
  view.setUint16(34, 16, true);
  text(36, 'data');
  view.setUint32(40, samples.length * 2, true);
  for (let i = 0; i < samples.length; i += 1) {
    view.setInt16(44 + i * 2, Math.round(Math.max(-1, Math.min(1, samples[i])) * 32767), true);
  }
  return view.buffer;
}
