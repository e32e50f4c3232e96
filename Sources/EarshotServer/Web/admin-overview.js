// How the service is: what it serves, what it works on, how long that takes; live.
import { el, t, ask, show, day, number, size, busy } from './page.js';
import { every, fault, heading, latency, span } from './admin-kit.js';
import { chart, usageChart } from './admin-charts.js';

const keptSamples = 180;

export async function open(place, { signal }) {
  const lost = el('div', { role: 'status' });
  const tiles = {};
  const tile = (name, href) => {
    tiles[name] = { value: el('dd', { class: 'value' }, '–'), detail: el('dd', { class: 'small dim' }) };
    return el('div', { class: 'tile' }, el('dt', {}, href ? el('a', { href }, t(`admin.${name}`)) : t(`admin.${name}`)), tiles[name].value, tiles[name].detail);
  };
  const whole = (value) => number(value, { maximumFractionDigits: 0 });
  const charts = {
    recognitions: chart(t('admin.chartRecognitions'), [{ name: '', color: '--c1' }], whole, { bars: true, least: 4 }),
    latency: chart(t('admin.chartLatency'), [{ name: t('admin.median'), color: '--c1' }, { name: t('admin.slow'), color: '--c4' }], latency, { least: 0.05 }),
    answers: chart(t('admin.chartAnswers'), [{ name: t('admin.answered'), color: '--c2' }, { name: t('admin.refused'), color: '--c3' }, { name: t('admin.failed'), color: '--c4' }], whole, { bars: true, least: 4 }),
    work: chart(t('admin.chartWork'), [{ name: t('admin.running'), color: '--c1' }, { name: t('admin.waiting'), color: '--c3' }], whole, { least: 4 }),
    memory: chart(t('admin.chartMemory'), [{ name: '', color: '--c5' }], size),
    processors: chart(t('admin.chartProcessors'), [{ name: '', color: '--c6' }], (value) => number(value, { maximumFractionDigits: 2 }), { least: 1 }),
  };
  const usage = el('div', {}, busy());
  const served = el('div', {}, busy());
  show(place,
    heading(t('admin.overview')), lost,
    el('dl', { class: 'tiles' }, tile('load'), tile('recognitionTime'), tile('answers'), tile('memory'), tile('disk'), tile('jobs', '/admin/catalogs'), tile('errors', '/admin/log?level=error'), tile('uptime')),
    el('h3', {}, t('admin.lastMinutes')), el('div', { class: 'charts' }, Object.values(charts)),
    el('h3', {}, t('admin.usage')), usage,
    el('h3', {}, t('admin.served')), served);

  let samples = [];
  const poll = async () => {
    try {
      const after = samples.at(-1)?.time;
      const state = await ask(`/v1/admin/state${after ? `?after=${encodeURIComponent(after)}` : ''}`, { signal, tries: 1 });
      // A service that was started anew begins with new samples.
      if (samples.length && new Date(state.began) > new Date(samples.at(-1).time)) samples = [];
      samples = [...samples, ...state.samples].slice(-keptSamples);
      lost.replaceChildren();
      tell(state, tiles);
      draw(samples, state.interval, charts);
      showServed(state.served, served);
    } catch (error) {
      if (signal.aborted) return;
      // The figures of before stay, and are marked as such.
      show(lost, samples.length && error.status === 0 ? el('p', { class: 'note' }, t('admin.lost')) : fault(error));
    }
  };
  const showUsage = async () => {
    try {
      const told = await ask('/v1/admin/usage', { signal });
      show(usage, usageChart(told, (client) => client.name || client.id));
    } catch (error) {
      if (!signal.aborted) show(usage, fault(error, showUsage));
    }
  };
  await Promise.all([poll(), showUsage()]);
  every(2000, signal, poll);
  // Redrawn, the table below the chart would be closed: not while somebody reads it.
  every(60_000, signal, () => usage.querySelector('details[open]') ? null : showUsage());
}

function tell(state, tiles) {
  const set = (name, value, detail = '') => {
    tiles[name].value.textContent = value;
    tiles[name].detail.textContent = detail;
  };
  const { current, latency: all, recognitionLatency: heard, answers, disk, jobs } = state;
  set('load', t('admin.runningValue', { count: number(current.running) }), [t('admin.waitingValue', { count: number(current.waiting) }),
    state.exports && t('admin.exportLoad', state.exports), state.analyses && t('admin.analysisLoad', state.analyses)].filter(Boolean).join(' · '));
  set('recognitionTime', latency(heard.median), heard.count ? t('admin.recognitionDetail', { count: number(heard.count), p95: latency(heard.p95), p99: latency(heard.p99) }) : t('admin.noRecognitions'));
  const sum = answers.reduce((total, count) => total + count, 0);
  set('answers', number(sum), t('admin.answersDetail', { refused: number(answers[3]), failed: number(answers[4]), p95: latency(all.p95) }));
  set('memory', current.memory ? size(current.memory) : '–', [t('admin.connections', { count: number(current.connections) }), current.files && t('admin.openFiles', { count: number(current.files) })].filter(Boolean).join(' · '));
  set('disk', disk ? size(Math.max(0, disk.free - disk.reserve)) : '–', disk ? t('admin.diskDetail', { free: size(disk.free), size: size(disk.size) }) : '');
  set('jobs', t('admin.runningValue', { count: number(jobs.running) }), t('admin.waitingValue', { count: number(jobs.waiting) }));
  set('errors', number(state.errors), t('admin.errorsDetail'));
  set('uptime', span((new Date(state.now) - new Date(state.began)) / 1000), t('admin.since', { date: day(state.began) }));
  tiles.errors.value.classList.toggle('bad', state.errors > 0);
  tiles.disk.value.classList.toggle('bad', Boolean(disk) && disk.free <= disk.reserve);
}

function draw(samples, interval, charts) {
  const from = t('admin.ago', { span: span(Math.max(interval, samples.length * interval)) });
  const lists = {
    recognitions: [samples.map((one) => one.recognitions)],
    latency: [samples.map((one) => one.median), samples.map((one) => one.slow)],
    answers: [samples.map((one) => one.answers[0] + one.answers[1] + one.answers[2]), samples.map((one) => one.answers[3]), samples.map((one) => one.answers[4])],
    work: [samples.map((one) => one.running), samples.map((one) => one.waiting)],
    memory: [samples.map((one) => one.memory)],
    processors: [samples.map((one) => one.processors)],
  };
  for (const [name, list] of Object.entries(lists)) charts[name].draw(list, from, t('admin.now'));
}

function showServed(served, place) {
  const { music } = served;
  const rows = [
    ['servedReferences', el('a', { href: '/admin/references' }, number(served.references)), t(served.isChangeable ? 'admin.isChangeable' : 'admin.isFixed', { size: size(served.catalogSize) })],
    ['servedMusic', el('a', { href: '/admin/music' }, t('admin.tracks', { count: number(music.tracks) })), t('admin.musicDetail', { artists: number(music.artists), albums: number(music.albums), lyrics: number(music.lyrics), pictures: number(music.pictures) })],
    ['servedMedia', served.mediaFolders.length ? served.mediaFolders.join(', ') : t('admin.none'), served.mediaFolders.length ? t('admin.files', { count: number(served.mediaFiles) }) : ''],
    ['servedCatalogs', el('a', { href: '/admin/catalogs' }, number(served.publishedCatalogs))],
    ['servedClients', el('a', { href: '/admin/clients' }, number(served.clients))],
  ];
  // What has not changed is not made anew: somebody may be about to press one of the links.
  const words = JSON.stringify(served);
  if (place.dataset.shown === words) return;
  place.dataset.shown = words;
  show(place, el('dl', { class: 'card' }, rows.map(([name, value, detail]) => [el('dt', {}, t(`admin.${name}`)), el('dd', {}, value, detail && el('span', { class: 'dim' }, ` · ${detail}`))])));
}
