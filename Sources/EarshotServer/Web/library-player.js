// Plays files of the media folders: as they are, or decoded by the service where the browser does not play them.
import { ask, busy, clock, el, faultBox, number, say, show, t, wait } from './page.js';
import { pairs, Slider, symbolButton, icon, Wave } from './player.js';
import { queue } from './library-queue.js';

// How often a broken connection is tried again, and after how many milliseconds.
const retries = 20;
const pause = 1500;

const address = (asset) => `/v1/assets/${encodeURIComponent(asset)}`;

export class Playback {
  constructor() {
    this.audio = el('audio', { preload: 'metadata' });
    this.isWave = false;
    this.failures = 0;
    this.slider = new Slider(t('library.position'), (time) => this.seek(time));
    this.wave = new Wave((time) => this.seek(time));
    this.toggle = symbolButton('play', t('library.play'), () => (this.audio.paused ? this.play() : this.audio.pause()));
    this.title = el('h2', { id: 'now', tabindex: '-1' });
    this.about = el('p', { class: 'dim' });
    this.facts = el('div', { class: 'facts' });
    this.status = el('div', { role: 'status' });
    this.list = el('details', { class: 'queue' });
    this.even = el('input', { type: 'checkbox', onchange: () => this.level() });
    this.node = el('section', { class: 'card playing', 'aria-labelledby': 'now', hidden: true },
      this.title, this.about,
      this.wave.canvas, this.slider.node,
      el('p', { class: 'row' },
        symbolButton('previous', t('library.previous'), () => this.previous()), this.toggle,
        symbolButton('next', t('library.next'), () => this.next()),
        el('label', { class: 'small' }, this.even, t('library.even'))),
      this.status, this.facts, this.list, this.audio);
    this.listen();
  }

  listen() {
    const { audio } = this;
    audio.addEventListener('timeupdate', () => this.report());
    audio.addEventListener('durationchange', () => this.report());
    audio.addEventListener('play', () => this.mark());
    audio.addEventListener('pause', () => { this.mark(); queue.keep(); });
    audio.addEventListener('ended', () => { if (!this.next()) this.mark(); });
    audio.addEventListener('error', () => this.fail());
    audio.addEventListener('playing', () => { this.failures = 0; show(this.status); });
    addEventListener('pagehide', () => queue.keep());
    const session = navigator.mediaSession;
    if (!session) return;
    session.setActionHandler('previoustrack', () => this.previous());
    session.setActionHandler('nexttrack', () => this.next());
  }

  // The duration by the file itself; the library's own until that is known.
  get duration() {
    const { duration } = this.audio;
    return Number.isFinite(duration) && duration > 0 ? duration : queue.track?.duration ?? 0;
  }

  report() {
    const time = this.audio.currentTime;
    if (this.audio.readyState === 0) return;
    queue.time = time;
    this.slider.set(time, this.duration);
    this.wave.move(time);
    this.node.dataset.reports = Number(this.node.dataset.reports ?? 0) + 1;
  }

  mark() {
    const isPlaying = !this.audio.paused && !this.audio.ended;
    this.toggle.replaceChildren(icon(isPlaying ? 'pause' : 'play'));
    this.toggle.setAttribute('aria-label', t(isPlaying ? 'library.pause' : 'library.play'));
    this.toggle.title = t(isPlaying ? 'library.pause' : 'library.play');
  }

  // Goes on where it was before the page was loaded, without making a sound.
  restore() {
    if (queue.restore()) this.load(queue.time);
  }

  start() {
    this.load(0);
    this.play();
    this.title.focus({ preventScroll: true });
    this.node.scrollIntoView({ block: 'nearest' });
    say(`${queue.track.title}, ${queue.track.artist ?? ''}`);
  }

  async play() {
    try {
      await this.audio.play();
    } catch (error) {
      // A browser that plays nothing before somebody has pressed something: the button is there.
      if (error.name === 'NotAllowedError') this.mark();
    }
  }

  next() { return this.move(1); }

  previous() {
    if (this.audio.currentTime > 3 || !queue.tracks[queue.place - 1]) { this.seek(0); return true; }
    return this.move(-1);
  }

  move(step) {
    if (!queue.move(step)) return false;
    this.load(0);
    this.play();
    return true;
  }

  seek(time) {
    if (this.audio.readyState === 0) this.from = time;
    else this.audio.currentTime = time;
    queue.time = time;
    this.wave.move(time);
  }

  load(time) {
    const { track } = queue;
    this.node.hidden = false;
    Object.assign(this, { isWave: false, failures: 0 });
    this.title.textContent = track.title;
    this.about.textContent = [track.artist, track.album].filter(Boolean).join(' · ');
    this.slider.reset();
    this.slider.set(time, track.duration ?? 0);
    this.wave.set([], 0);
    show(this.status);
    show(this.facts);
    this.open(time);
    this.mark();
    this.showQueue();
    this.picture(track.asset);
    this.measure(track.asset);
    if (navigator.mediaSession && window.MediaMetadata) {
      navigator.mediaSession.metadata = new MediaMetadata({ title: track.title, artist: track.artist ?? '', album: track.album ?? '' });
    }
  }

  // Opens the file at a time. Formats that the browser does not play come decoded.
  open(time) {
    this.from = time;
    this.audio.src = `${address(queue.track.asset)}/audio${this.isWave ? '?format=wave' : ''}`;
    this.audio.addEventListener('loadedmetadata', () => { if (this.from > 0) this.audio.currentTime = this.from; }, { once: true });
  }

  async fail() {
    const { error } = this.audio;
    const { asset } = queue.track ?? {};
    if (!error || !asset) return;
    const time = queue.time;
    const wasPlaying = !this.audio.paused;
    if (this.isGone) return;
    // Whether it is the file or the service, the service says.
    this.isGone = true;
    try {
      await ask(address(asset), { tries: retries });
    } catch (failure) {
      show(this.status, faultBox(failure, () => { this.open(time); this.play(); }));
      return;
    } finally {
      this.isGone = false;
    }
    if (queue.track?.asset !== asset) return;
    this.failures += 1;
    if (this.failures > 4) {
      show(this.status, el('p', { class: 'fault', role: 'alert' }, t('library.unplayable')));
      return;
    }
    if (error.code !== MediaError.MEDIA_ERR_NETWORK && this.failures > 1) this.isWave = true;
    if (this.failures > 2) await wait(pause);
    this.open(time);
    if (wasPlaying || this.failures === 1) this.play();
  }

  // What is known of the file.

  async picture(asset) {
    try {
      const told = await ask(`${address(asset)}/waveform?buckets=1200`);
      if (queue.track?.asset !== asset) return;
      const duration = (told.length * told.samples_per_pixel) / told.sample_rate;
      this.wave.set(pairs(told), duration, { beats: this.wave.beats });
      this.wave.move(this.audio.currentTime);
      this.node.dataset.wave = told.length;
    } catch { /* Without a picture it plays as well. */ }
  }

  async measure(asset) {
    try {
      const told = await ask(`${address(asset)}/analyses`);
      if (queue.track?.asset !== asset) return;
      const found = Object.fromEntries(told.analyses.map((entry) => [entry.analyser, entry.result]));
      this.loudness = found.loudness?.integrated;
      this.level();
      this.wave.beats = found.rhythm?.beats ?? [];
      this.wave.draw();
      const unit = (value, name) => `${number(value, { maximumFractionDigits: 1 })} ${name}`;
      const key = found.key ? t(`library.key-${found.key.mode}`, { note: t(`library.note-${found.key.tonic}`) }) : null;
      const rows = [
        [t('library.loudness'), found.loudness?.integrated !== undefined && unit(found.loudness.integrated, 'LUFS')],
        [t('library.peak'), found.loudness?.truePeak !== undefined && unit(found.loudness.truePeak, 'dBTP')],
        [t('library.tempo'), found.rhythm?.tempo && t('library.beats', { number: number(found.rhythm.tempo.beatsPerMinute, { maximumFractionDigits: 1 }) })],
        [t('library.key'), key],
        [t('library.silence'), found.silence && t('library.silenceRange', { leading: clock(found.silence.leading), trailing: clock(found.silence.trailing) })],
      ].filter(([, value]) => value);
      show(this.facts, rows.length ? el('dl', {}, rows.map(([name, value]) => el('div', {}, el('dt', {}, name), el('dd', {}, value))))
        : el('p', { class: 'row dim small' }, t('library.unmeasured'),
          el('button', { class: 'second small', onclick: () => this.analyze(asset) }, t('library.measure'))));
      this.goOn(asset);
    } catch { /* The facts are extras. */ }
  }

  // Has the folder of a file measured; the run goes on at the service, also while the page is loaded anew.
  async analyze(asset) {
    try {
      const folder = asset.slice(0, asset.lastIndexOf('/'));
      const run = await ask('/v1/library/analyses', { method: 'POST', json: { folder } });
      sessionStorage.setItem('library-run', JSON.stringify({ id: run.id, folder }));
      await this.goOn(asset);
    } catch (error) {
      show(this.facts, faultBox(error, () => this.analyze(asset)));
    }
  }

  async goOn(asset) {
    const run = JSON.parse(sessionStorage.getItem('library-run') ?? 'null');
    if (!run || !asset.startsWith(`${run.folder}/`)) return;
    const bar = el('progress', { max: 1, 'aria-label': t('library.measuring') });
    show(this.facts, this.facts.querySelector('dl'), busy(t('library.measuring')), bar);
    for (;;) {
      let told;
      try {
        told = await ask(`/v1/library/analyses/${run.id}`, { tries: retries });
      } catch { break; }
      if (told.total) bar.value = told.done / told.total;
      if (['done', 'failed', 'cancelled'].includes(told.state)) break;
      await wait(700);
    }
    sessionStorage.removeItem('library-run');
    if (queue.track?.asset.startsWith(`${run.folder}/`)) this.measure(queue.track.asset);
  }

  // Softens what is louder than others, by what ReplayGain aims at: -18 LUFS.
  level() {
    this.audio.volume = this.even.checked && this.loudness !== undefined ? Math.min(1, 10 ** ((-18 - this.loudness) / 20)) : 1;
  }

  showQueue() {
    const isOpen = this.list.open;
    show(this.list, el('summary', {}, t('library.queue', { place: queue.place + 1, count: queue.tracks.length })),
      el('ol', {}, queue.tracks.map((track, place) => el('li', { 'aria-current': place === queue.place ? 'true' : null },
        el('button', { class: 'plain', onclick: () => { queue.jump(place); this.load(0); this.play(); } }, track.title)))));
    this.list.open = isOpen;
  }
}
