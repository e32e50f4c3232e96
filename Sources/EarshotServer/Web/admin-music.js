// The store of music: tables and lyrics that are imported, and tracks that are looked for and edited.
import { el, t, ask, show, clock, number, fileDrop, follow, save } from './page.js';
import { done, fault, field, form, heading, heads, pager, table, parameters } from './admin-kit.js';
import { SendList, guard } from './admin-send.js';
import { sendFile } from './uploads.js';

const limit = 25;
let sends = null;

const address = (id) => `/admin/music/${encodeURIComponent(id)}`;

export async function open(place, view) {
  if (view.id !== null) await openTrack(place, view);
  else if (view.query.get('import')) await openReport(place, view);
  else await openList(place, view);
}

async function openList(place, { query, signal, go }) {
  const words = query.get('q') ?? '';
  const offset = Number(query.get('offset')) || 0;
  if (!sends) { sends = new SendList('music', send); guard(sends); goOn(); }
  const input = el('input', { type: 'search', value: words, maxlength: 400, 'aria-label': t('admin.searchTracks'), placeholder: t('admin.searchTracks') });
  const results = el('div', { 'aria-live': 'polite' });
  show(place, heading(t('admin.music')),
    el('details', { class: 'card', open: !words || sends.isRunning }, el('summary', {}, t('admin.importMusic')),
      el('p', { class: 'dim' }, t('admin.importHelp')),
      fileDrop(t('admin.dropMusic'), '.csv,.tsv,.txt,.jsonl,.ndjson,.json,.lrc', (files) => sends.add(files), { multiple: true }),
      el('label', {}, ignoring, t('admin.ignoreUnknown')), sends.node),
    form([input, el('button', { class: 'second' }, t('admin.search'))], () => go(`/admin/music${input.value.trim() ? `?${parameters({ q: input.value.trim() })}` : ''}`), { class: 'row search', role: 'search' }),
    results);
  if (!words) { show(results, el('p', { class: 'dim' }, t('admin.searchTracksHelp'))); return; }
  // One more tells whether there are others. Artists and albums are found by the same words, and are no tracks.
  const { matches } = await ask(`/v1/search?${parameters({ q: words, offset, limit: limit + 1 })}`, { signal });
  const tracks = matches.slice(0, limit).filter((match) => match.trackID);
  const rows = tracks.map((match) => [el('a', { href: address(match.trackID) }, match.trackTitle), match.artist, match.albumTitle, match.albumReleaseYear]);
  show(results, el('p', { class: 'dim' }, t('admin.foundTracks', { count: number(tracks.length), words })),
    rows.length ? table(t('admin.music'), heads('trackTitle', 'artist', 'album', 'year'), rows) : el('p', {}, t('admin.nothingFound')),
    pager({ offset, limit, total: offset + matches.length, count: Math.min(limit, matches.length) }, (other) => `/admin/music?${parameters({ q: words, ...(other && { offset: other }) })}`));
}

const ignoring = el('input', { type: 'checkbox' });

// Words of a song are there at once; a table is a job, which is followed to its end.
async function send(file, context) {
  const { progress, signal, arrived } = context;
  const isTable = !/\.lrc$/i.test(file.name) && !(/\.txt$/i.test(file.name) && !/[\t;,]/.test((await file.slice(0, 4096).text()).split('\n')[0]));
  if (!isTable) {
    const told = await sendFile(`/v1/admin/lyrics?${parameters({ name: file.name })}`, file, { on: progress, signal });
    return told.tracks.length ? [t('admin.lyricsOf', { artist: told.artist, title: told.title }), ' ', told.tracks.map((id) => el('a', { href: address(id) }, id))] : t('admin.lyricsWait', { artist: told.artist, title: told.title });
  }
  const job = await sendFile(`/v1/admin/imports?${parameters({ kind: 'importTable', name: file.name, ignoreUnknown: ignoring.checked ? '1' : '0' })}`, file, { on: (part) => progress(part / 2), signal });
  arrived();
  keepJobs([...keptJobs(), { id: job.id, name: file.name, size: file.size }]);
  return imported(job, context);
}

// Follows an import to its end, and gives what came of it.
async function imported(job, { signal, note, share }) {
  signal.addEventListener('abort', () => ask(`/v1/jobs/${job.id}`, { method: 'DELETE' }).catch(() => {}), { once: true });
  const over = await ended(job, (record) => { note(t('admin.importing', { share: number(record.progress, { style: 'percent' }) })); share(0.5 + record.progress / 2); });
  keepJobs(keptJobs().filter((one) => one.id !== job.id));
  const report = el('a', { href: `/admin/music?import=${encodeURIComponent(job.id)}` }, t('admin.report'));
  if (over.state !== 'done') throw Object.assign(new Error(over.error?.message ?? ''), { advice: t(over.state === 'cancelled' ? 'admin.canceled' : 'admin.importFailed') });
  const told = await ask(`/v1/admin/imports/${encodeURIComponent(job.id)}`);
  return [t('admin.imported', { lines: number(told.lines), changes: number(told.changes) }), ' ', el('span', { class: told.rejected ? 'warn' : '' }, t('admin.rejected', { count: number(told.rejected) })), ' ', report];
}

// Imports that are under way, remembered for as long as the window is open: after a reload the page goes on with them.
const jobsKey = 'earshot-music-jobs';

function keptJobs() {
  try { return JSON.parse(sessionStorage.getItem(jobsKey)) ?? []; } catch { return []; }
}

function keepJobs(jobs) {
  try { sessionStorage.setItem(jobsKey, JSON.stringify(jobs)); } catch { /* Full: a reload leaves the import to the list of jobs. */ }
}

async function goOn() {
  for (const job of keptJobs()) {
    try {
      await ask(`/v1/jobs/${encodeURIComponent(job.id)}`);
    } catch (error) {
      // A job that is gone is not waited for.
      if (error.code === 'entityNotFound') keepJobs(keptJobs().filter((one) => one.id !== job.id));
      continue;
    }
    sends.goOn({ name: job.name, size: job.size }, (_, context) => { context.arrived(); return imported(job, context); });
  }
}

// The record of a job once it is over.
function ended(job, on) {
  return new Promise((answer) => {
    const end = follow(`/v1/jobs/${encodeURIComponent(job.id)}/events`, ['job'], (_, record) => {
      on(record);
      if (['done', 'failed', 'cancelled'].includes(record.state)) { end(); answer(record); }
    });
  });
}

// The result of an import: the lines that were skipped, each with its reason. Reasons are sentences of the importer, which quote the line.
async function openReport(place, { query, signal, reload }) {
  const id = query.get('import');
  const back = el('a', { class: 'button second', href: '/admin/music' }, t('admin.music'));
  const job = await ask(`/v1/jobs/${encodeURIComponent(id)}`, { signal }).catch(() => null);
  if (job && !['done', 'failed', 'cancelled'].includes(job.state)) {
    const bar = el('progress', { max: 1, value: job.progress, 'aria-label': t('admin.working') });
    show(place, heading(t('admin.reportOf'), back), el('p', { role: 'status' }, t('admin.job-running')), bar);
    ended(job, (record) => { bar.value = record.progress; }).then(() => { if (!signal.aborted) reload(); });
    return;
  }
  const told = await ask(`/v1/admin/imports/${encodeURIComponent(id)}`, { signal });
  const isMerge = job?.kind === 'mergeCatalog';
  const rows = told.rejects.map((one) => [el('td', { class: 'number' }, number(one.line)), el('span', { lang: 'en' }, one.reason), el('code', { class: 'small' }, one.content ?? '')]);
  const unknown = Object.entries(told.unknown).map(([kind, counts]) => el('li', {}, el('strong', {}, kind), ' ', Object.entries(counts).sort((a, b) => b[1] - a[1]).slice(0, 20).map(([text, count]) => `${text} (${number(count)})`).join(', ')));
  show(place, heading(t('admin.reportOf'), back),
    job?.error && el('p', { class: 'fault', lang: 'en' }, job.error.message),
    el('dl', { class: 'card' }, [['lines', told.lines], [isMerge ? 'referencesAdded' : 'entriesWritten', told.changes], [isMerge ? 'thereAlready' : 'passedOver', told.rejected]].map(([name, count]) => [el('dt', {}, t(`admin.${name}`)), el('dd', {}, number(count))])),
    unknown.length ? [el('h3', {}, t('admin.unknownNames')), el('p', { class: 'dim' }, t('admin.unknownHelp')), el('ul', {}, unknown)] : null,
    rows.length ? [el('h3', {}, t('admin.passedOver')),
      el('p', {}, el('button', { class: 'second small', type: 'button', onclick: () => save('rejects.jsonl', 'application/jsonl', told.rejects.map((one) => JSON.stringify(one)).join('\n') + '\n') }, t('admin.download'))),
      table(t('admin.passedOver'), heads('#line', 'reason', 'content'), rows)] : null);
}

async function openTrack(place, { id, signal }) {
  const path = `/v1/admin/tracks/${encodeURIComponent(id)}`;
  const track = await ask(path, { signal });
  const inputs = {
    title: el('input', { value: track.title, maxlength: 1000, required: true }), artist: el('input', { value: track.artist, maxlength: 1000, required: true }),
    album: el('input', { value: track.album ?? '', maxlength: 1000 }), date: el('input', { value: track.date ?? '', maxlength: 10, pattern: '\\d{4}(-\\d\\d(-\\d\\d)?)?', placeholder: '1999-05-31' }),
    genres: el('input', { value: track.genres.join(', ') }),
  };
  const before = Object.fromEntries(Object.entries(inputs).map(([name, input]) => [name, input.value]));
  const shared = track.albumTracks > 1 ? t('admin.albumShared', { count: number(track.albumTracks) }) : undefined;
  const facts = [['name', track.id], ['length', track.duration && clock(track.duration)], ['number', track.number], ['identifiers', track.identifiers.join(', ')]].filter(([, value]) => value);
  show(place, heading(track.title, el('a', { class: 'button second', href: '/admin/music' }, t('admin.music'))),
    el('dl', {}, facts.map(([name, value]) => [el('dt', {}, t(`admin.${name}`)), el('dd', {}, value)])),
    form([field(t('admin.trackTitle'), inputs.title), field(t('admin.artist'), inputs.artist), field(t('admin.album'), inputs.album, shared),
      field(t('admin.date'), inputs.date, t('admin.dateHelp')), field(t('admin.genres'), inputs.genres, t('admin.genresHelp')), el('p', {}, el('button', {}, t('admin.save')))],
    async (messages) => {
      // What was not touched is not sent: an empty field is no wish to remove something.
      const changed = Object.fromEntries(Object.entries(inputs).filter(([name, input]) => input.value.trim() !== before[name]).map(([name, input]) => [name, input.value.trim()]));
      if ('genres' in changed) changed.genres = changed.genres.split(',').map((genre) => genre.trim()).filter(Boolean);
      const now = await ask(path, { method: 'PATCH', json: changed });
      place.querySelector('h2').textContent = now.title;
      const told = { title: now.title, artist: now.artist, album: now.album ?? '', date: now.date ?? '', genres: now.genres.join(', ') };
      for (const [name, input] of Object.entries(inputs)) { input.value = told[name]; before[name] = told[name]; }
      done(messages, t('admin.trackSaved', { title: now.title }));
    }, { class: 'card' }));
}
