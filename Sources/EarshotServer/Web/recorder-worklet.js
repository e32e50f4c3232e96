// Hands the microphone's samples to the page, a block of 2,048 at a time.
class EarshotRecorder extends AudioWorkletProcessor {
  #block = new Float32Array(2048);
  #count = 0;

  process([input]) {
    const samples = input[0];
    if (!samples) return true;
    for (const sample of samples) {
      this.#block[this.#count] = sample;
      this.#count += 1;
      if (this.#count === this.#block.length) this.#send();
    }
    return true;
  }

  #send() {
    let sum = 0;
    for (const sample of this.#block) sum += sample * sample;
    const decibels = 10 * Math.log10(sum / this.#block.length + 1e-9);
    const level = Math.max(0, Math.min(1, (decibels + 60) / 60));
    this.port.postMessage({ samples: this.#block, level }, [this.#block.buffer]);
    this.#block = new Float32Array(2048);
    this.#count = 0;
  }
}
registerProcessor('earshot-recorder', EarshotRecorder);
