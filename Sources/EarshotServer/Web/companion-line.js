// Where in a reference playback is, between the answers of the service.

// A correction up to so many seconds is one; beyond it playback has jumped.
const jump = 1;
// For so many seconds after it was heard last the position goes on; then it waits.
const patience = 10;

export class PositionLine {
  #duration; #clock; #line = null; #heard = 0;

  // `clock` tells the time in milliseconds.
  constructor(duration, clock = () => performance.now()) { [this.#duration, this.#clock] = [duration, clock]; }

  // Takes a place of a clip that began and ended at these times, in milliseconds. A jump is believed if the clip is sure to be of after it,
  // or nothing was heard lately. Returns whether it is in doubt.
  take(place, began, ended, isSure) {
    const next = { offset: place.offset, began, rate: 1 + (place.speedSkew ?? 0) };
    const by = this.isKnown ? Math.abs(this.#at(next, ended) - this.#at(this.#line, ended)) : Infinity;
    if (by > jump && this.isKnown && !isSure && !this.isStale) return true;
    this.#heard = ended;
    // What is within a tenth is as good as what was known.
    if (by >= 0.1) this.#line = next;
    return false;
  }

  get isKnown() { return this.#line !== null; }
  get isStale() { return this.#clock() - this.#heard > patience * 1000; }
  // In seconds, within the reference.
  get position() {
    const until = Math.min(this.#clock(), this.#heard + patience * 1000);
    return Math.max(0, Math.min(this.#duration, this.#at(this.#line, until)));
  }
  get hasEnded() { return this.isKnown && this.position >= this.#duration - 0.05; }

  #at(line, time) { return line.offset + ((time - line.began) / 1000) * line.rate; }
}
