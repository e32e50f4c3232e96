// The page of a piece: a player in which stems can be silenced, its ancestry as a picture, and what its author can do. Without this script
// the page shows the same by the browser's own players and lists.
import { ask, busy, el, faultBox, say, show, t } from './page.js';
import { icon, pairsOf, Slider, symbolButton, Wave } from './player.js';
import { mixer } from './mixer.js';
import { showTree } from './piece-tree.js';

const page = document.getElementById('piece');
const { id } = page.dataset;
const loop = page.dataset.loop?.split(' ').map(Number) ?? null;
const base = `/v1/pieces/${encodeURIComponent(id)}`;

const stems = [...document.querySelectorAll('#stems > li')].map((row) => {
  const link = row.querySelector('a');
  return { name: link.textContent, address: link.getAttribute('href'), row, isMuted: false, isSolo: false, level: 1 };
});
// Without a preview of its own the mix is played; with stems it is the mix, so that both are the same.
const player = mixer([stems.length ? `${base}/audio` : `${base}/audio?kind=preview`, ...stems.map((stem) => stem.address)], Number(page.dataset.length));

const place = document.getElementById('player');
const status = el('div', { role: 'status' });
const slider = new Slider(t('piece.position'), (time) => seek(time));
const wave = new Wave((time) => seek(time));
wave.canvas.hidden = true;
const toggle = symbolButton('play', t('piece.play'), () => (player.isPlaying ? pause() : play()));
toggle.classList.add('main');
const repeat = loop && el('label', { class: 'small' }, el('input', { type: 'checkbox', onchange: (event) => player.setLoop(event.target.checked ? loop : null) }), t('piece.repeat'));

show(place, wave.canvas, el('div', { class: 'row transport' }, toggle, slider.node), repeat, status);
slider.set(0, player.duration);
player.ended = () => mark();
stems.forEach(showControls);
page.dataset.audible = 'mix';
document.querySelector('#own') && import('./piece-own.js').then(({ showOwn }) => showOwn(document.getElementById('own'), id));
showTree(document.getElementById('family'), id);
requestAnimationFrame(step);

async function play() {
  toggle.disabled = true;
  try {
    if (!player.context) {
      const count = stems.length + 1;
      let there = 0;
      const bar = el('progress', { max: count, value: 0, 'aria-label': t('piece.loading') });
      show(status, busy(t('piece.loading')), bar);
      await player.load(() => { there += 1; bar.value = there; });
      show(status);
      if (player.buffers.length) {
        wave.canvas.hidden = false;
        wave.set(pairsOf(player.buffers[0]), player.duration, { loop });
      }
      slider.set(player.time, player.duration);
    }
    await player.play();
  } catch (error) {
    player.context?.close();
    player.context = null;
    player.elements = null;
    show(status, faultBox(error, play));
  } finally {
    toggle.disabled = false;
    mark();
  }
}

function pause() {
  player.pause();
  mark();
}

async function seek(time) {
  if (!player.context) await play().then(pause);
  await player.seek(time);
}

function mark() {
  toggle.replaceChildren(icon(player.isPlaying ? 'pause' : 'play'));
  toggle.setAttribute('aria-label', t(player.isPlaying ? 'piece.pause' : 'piece.play'));
  toggle.title = toggle.getAttribute('aria-label');
}

function step() {
  if (player.context) {
    slider.set(player.time, player.duration);
    wave.move(player.time);
    page.dataset.drift = player.drift.toFixed(3);
  }
  requestAnimationFrame(step);
}

// Stems. As long as all of them are heard as they are, it is the mix that sounds: nothing else is exactly as its author left it.

function showControls(stem) {
  const mute = el('button', { class: 'second small', type: 'button', 'aria-pressed': 'false', 'aria-label': t('piece.muteNamed', { name: stem.name }), onclick: () => {
    stem.isMuted = !stem.isMuted;
    apply();
  } }, t('piece.mute'));
  const solo = el('button', { class: 'second small', type: 'button', 'aria-pressed': 'false', 'aria-label': t('piece.soloNamed', { name: stem.name }), onclick: () => {
    stem.isSolo = !stem.isSolo;
    apply();
  } }, t('piece.solo'));
  const level = el('input', { type: 'range', min: 0, max: 1, step: 0.01, value: 1, 'aria-label': t('piece.levelNamed', { name: stem.name }), oninput: () => {
    stem.level = Number(level.value);
    apply();
  } });
  stem.show = () => {
    mute.setAttribute('aria-pressed', stem.isMuted);
    solo.setAttribute('aria-pressed', stem.isSolo);
    stem.row.classList.toggle('silent', !isHeard(stem));
  };
  show(stem.row, el('span', { class: 'wide' }, stem.name), el('span', { class: 'row controls' }, mute, solo, level),
    el('a', { class: 'small', href: stem.address, download: true, 'aria-label': t('piece.downloadNamed', { name: stem.name }) }, t('piece.download')));
}

const isHeard = (stem) => !stem.isMuted && (stem.isSolo || !stems.some((other) => other.isSolo));

function apply() {
  const isMix = stems.every((stem) => isHeard(stem) && !stem.isSolo && stem.level === 1);
  player.setLevels([isMix ? 1 : 0, ...stems.map((stem) => (!isMix && isHeard(stem) ? stem.level : 0))]);
  for (const stem of stems) stem.show();
  const heard = stems.filter(isHeard).map((stem) => stem.name);
  page.dataset.audible = isMix ? 'mix' : heard.join('|');
  say(isMix ? t('piece.heardMix') : t('piece.heardStems', { names: heard.join(', ') || t('piece.nothing') }));
}
