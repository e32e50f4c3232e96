// What is played after what. It outlives a reload, as long as the tab is open.
const key = 'library-queue';

export const queue = {
  tracks: [],
  place: 0,
  time: 0,

  get track() { return this.tracks[this.place] ?? null; },

  replace(tracks, place = 0) {
    Object.assign(this, { tracks: [...tracks], place, time: 0 });
    this.keep();
  },

  // Goes on to another track; false where there is none.
  move(step) {
    const place = this.place + step;
    if (!this.tracks[place]) return false;
    return this.jump(place);
  },

  jump(place) {
    Object.assign(this, { place, time: 0 });
    this.keep();
    return true;
  },

  keep() {
    try {
      sessionStorage.setItem(key, JSON.stringify({ tracks: this.tracks, place: this.place, time: this.time }));
    } catch { /* A full or forbidden store: then a reload begins anew. */ }
  },

  restore() {
    try {
      const kept = JSON.parse(sessionStorage.getItem(key) ?? 'null');
      if (!Array.isArray(kept?.tracks)) return false;
      Object.assign(this, { tracks: kept.tracks.filter((track) => typeof track?.asset === 'string'), place: kept.place | 0, time: Number(kept.time) || 0 });
      return this.track !== null;
    } catch {
      return false;
    }
  },
};
