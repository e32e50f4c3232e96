// References that have audio in common, side by side. All references are compared, a few at a time; what was found is kept for as long as the
// window is open, and a comparison that a reload interrupts goes on.
import { el, t, ask, show, clock, number, say } from './page.js';
import { action, confirmed, fault, heading, parameters } from './admin-kit.js';
import { SamplePlayer } from './admin-player.js';
import { address } from './admin-references.js';

const key = 'earshot-duplicates';
const step = 10;
const batch = 25;
const ranks = ['identical', 'sameRecording', 'excerpt', 'extended', 'overlap'];

function remembered() {
  try { return JSON.parse(sessionStorage.getItem(key)); } catch { return null; }
}

export async function open(place, { signal }) {
  // next is the place of the first reference that is still to be compared; null when all are.
  let state = remembered() ?? { pairs: [], next: 0, total: 0, isRunning: false };
  const bar = el('progress', { max: 1, value: 0, 'aria-label': t('admin.comparing') });
  const status = el('p', { role: 'status' });
  const list = el('div', { class: 'column' });
  const buttons = el('p', { class: 'row' });
  const messages = el('div');
  const keep = () => { try { sessionStorage.setItem(key, JSON.stringify(state)); } catch { /* Full: a reload begins anew. */ } };
  const nodes = new Map();
  // Each pair may be told twice, once for each of both.
  const name = (pair) => [pair.reference.id, pair.other.id].sort().join('\n');
  let known = new Set(state.pairs.map(name));
  let shown = batch;
  const more = el('button', { class: 'second', type: 'button', onclick: () => { shown += batch; draw(); } });
  // The pairs in order, those of a kind as they were found. What is there already is not moved: somebody may be about to press a button in it.
  const draw = () => {
    const sorted = state.pairs.toSorted((one, other) => ranks.indexOf(one.relation) - ranks.indexOf(other.relation)).slice(0, shown);
    sorted.forEach((pair, at) => {
      const key = name(pair);
      if (!nodes.has(key)) nodes.set(key, card(pair, signal, remove));
      if (list.children[at] !== nodes.get(key)) list.insertBefore(nodes.get(key), list.children[at] ?? null);
    });
    while (list.children.length > sorted.length) list.lastElementChild.remove();
    more.hidden = state.pairs.length <= shown;
    more.textContent = t('admin.morePairs', { count: number(state.pairs.length - shown) });
  };
  const remove = (id) => {
    state.pairs = state.pairs.filter((pair) => pair.reference.id !== id && pair.other.id !== id);
    // Those behind it have moved up by one.
    if (state.next) state.next -= 1;
    keep();
    draw();
    tell();
  };
  const tell = () => {
    bar.value = state.next === null ? 1 : state.total ? state.next / state.total : 0;
    bar.hidden = !state.isRunning;
    status.textContent = state.next === null ? t(state.pairs.length ? 'admin.comparedAll' : 'admin.noDuplicates', { total: number(state.total), pairs: number(state.pairs.length) })
      : state.next || state.isRunning ? t('admin.compared', { done: number(state.next), total: number(state.total), pairs: number(state.pairs.length) }) : t('admin.duplicatesHelp');
    show(buttons,
      !state.isRunning && state.next !== null && el('button', { onclick: run }, t(state.next ? 'admin.goOn' : 'admin.compare')),
      state.isRunning && el('button', { class: 'second', onclick: () => { state.isRunning = false; keep(); tell(); } }, t('admin.stop')),
      !state.isRunning && (state.next === null || state.next > 0) && el('button', { class: 'second', onclick: () => { state = { pairs: [], next: 0, total: 0, isRunning: false }; known = new Set(); nodes.clear(); show(list); run(); } }, t('admin.compareAgain')));
  };
  async function run() {
    state.isRunning = true;
    show(messages);
    tell();
    try {
      while (state.isRunning && state.next !== null && !signal.aborted) {
        const told = await ask(`/v1/catalog/duplicates?${parameters({ offset: state.next, limit: step })}`, { signal });
        state.total = told.total;
        state.next = told.next ?? null;
        for (const pair of told.pairs) if (!known.has(name(pair))) { known.add(name(pair)); state.pairs.push(pair); }
        draw();
        if (state.next === null) state.isRunning = false;
        keep();
        tell();
      }
      if (state.next === null) say(status.textContent);
    } catch (error) {
      // Whoever leaves the section or loads it anew goes on where it was.
      if (signal.aborted) return;
      state.isRunning = false;
      tell();
      show(messages, fault(error, run));
    }
  }
  show(place, heading(t('admin.duplicates'), el('a', { class: 'button second', href: '/admin/references' }, t('admin.allReferences'))), status, bar, buttons, messages, list, el('p', {}, more));
  draw();
  tell();
  if (state.isRunning) run();
}

function card(pair, signal, onremove) {
  const percent = (share) => number(share, { style: 'percent', maximumFractionDigits: 0 });
  const messages = el('div', { 'aria-live': 'polite' });
  const side = (letter, one, coverage) => el('div', { class: 'side' },
    el('h3', {}, el('span', { class: 'tag' }, letter), ' ', el('a', { href: address(one.id) }, one.title ?? one.id)),
    el('p', { class: 'dim' }, [one.artist, one.album].filter(Boolean).join(' · ')),
    el('p', { class: 'small dim' }, `${one.id} · ${clock(one.duration)}`), el('p', { class: 'small' }, t('admin.coverage', { share: percent(coverage) })),
    el('p', { class: 'small dim' }, one.asset ?? t('admin.noSource')),
    action(t('admin.removeSide', { letter }), { class: 'danger small' }, messages, async () => {
      if (!await confirmed(t('admin.removeReference', { name: one.title ?? one.id }), t('admin.remove'))) return;
      await ask(`/v1/references/${encodeURIComponent(one.id)}`, { method: 'DELETE' });
      say(t('admin.removed'));
      onremove(one.id);
    }));
  const files = [{ asset: pair.reference.asset, name: pair.reference.title ?? pair.reference.id, duration: pair.reference.duration, offset: 0, speed: 1 },
    { asset: pair.other.asset, name: pair.other.title ?? pair.other.id, duration: pair.other.duration, offset: pair.offset, speed: pair.speed }];
  const begin = pair.offset >= 0 ? t('admin.beginsIn', { a: 'A', b: 'B', time: clock(pair.offset) }) : t('admin.beginsBefore', { a: 'A', b: 'B', time: clock(-pair.offset) });
  const node = el('article', { class: 'card', data: { relation: pair.relation } },
    el('p', {}, el('strong', {}, t(`admin.relation-${pair.relation}`)), ' ', pair.relation !== 'identical' && el('span', { class: 'dim' }, begin),
      Math.abs(pair.speed - 1) >= 0.001 && el('span', { class: 'dim' }, ` ${t('admin.speedOf', { speed: number(pair.speed, { style: 'percent', maximumFractionDigits: 1 }) })}`)),
    el('div', { class: 'split' }, side('A', pair.reference, pair.coverage), side('B', pair.other, pair.otherCoverage)),
    files.every((file) => file.asset) ? new SamplePlayer(files, signal).node : null, messages);
  return node;
}
