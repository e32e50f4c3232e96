// The proposal for a folder: its albums with what they lack, doubts and reasons, each to accept or to change; and the plan that comes of it.
import { el, number, save, show, t } from './page.js';
import { cover } from './match.js';

// From which confidence on a file is accepted, its album named, and its edition.
const [sure, albumSure, editionSure] = [0.8, 0.5, 0.5];
const names = ['title', 'artist', 'album', 'albumArtist', 'year', 'trackNumber', 'trackCount', 'discNumber', 'discCount'];
const numbers = ['trackNumber', 'trackCount', 'discNumber', 'discCount'];

// What is proposed for a file.
function proposal(decision, file) {
  const match = decision?.match;
  if (!match) return { isAccepted: false, identifiers: [], fields: { ...file.tags, year: file.tags.date?.slice(0, 4), date: undefined } };
  const fields = { title: match.trackTitle, artist: match.artist };
  const identifiers = [...(match.trackIdentifiers ?? [])];
  if (decision.albumConfidence >= albumSure) {
    Object.assign(fields, { album: match.albumTitle, albumArtist: match.albumArtist, trackNumber: match.trackNumber, trackCount: match.discTrackCount ?? match.albumTrackCount,
      discNumber: match.discNumber, discCount: match.discCount });
    if (decision.editionConfidence >= editionSure) {
      fields.year = match.albumReleaseYear;
      identifiers.push(...(match.albumIdentifiers ?? []));
    }
  }
  return { isAccepted: decision.confidence >= sure && !decision.isContradictedBySound, fields, identifiers };
}

export function showProposal(place, run, onChange) {
  run.choices ??= {};
  for (const [key, file] of run.files.entries()) run.choices[key] ??= proposal(run.decisions[key], file);
  const albums = new Map();
  const unknown = [];
  for (const key of run.files.keys()) {
    const decision = run.decisions[key];
    if (!decision?.match) { unknown.push(key); continue; }
    const album = decision.match.albumID ?? decision.match.albumTitle ?? '';
    albums.set(album, [...(albums.get(album) ?? []), key]);
  }
  const total = el('p', { class: 'row', role: 'status' });
  const count = () => {
    const accepted = Object.values(run.choices).filter((choice) => choice.isAccepted).length;
    show(total, t('collection.accepted', { count: accepted, total: run.files.length }));
    download.disabled = accepted === 0;
    onChange();
  };
  const download = el('button', { onclick: () => save('plan.json', 'application/json', JSON.stringify(plan(run), null, 1)) }, t('collection.download'));
  const heading = el('h2', { tabindex: '-1' }, t('collection.proposal', { albums: albums.size, files: run.files.length }));
  const context = { run, count };
  show(place, heading,
    run.noSound ? el('p', { class: 'note' }, t('collection.quota')) : null,
    el('section', { class: 'card' }, total, el('p', { class: 'row' }, download), el('p', { class: 'dim small' }, t('collection.apply')),
      el('pre', {}, `earshot library apply plan.json "${run.folder || 'FOLDER'}" --write`)),
    [...albums].map(([id, keys]) => albumCard(context, id, keys)),
    unknown.length ? unknownCard(context, unknown) : null);
  count();
  return heading;
}

const percent = (value) => number(Math.floor(value * 100) / 100, { style: 'percent' });

function albumCard(context, id, keys) {
  const { run } = context;
  const { match } = run.decisions[keys[0]];
  const known = run.albums[id] ?? { tracks: [] };
  const best = (name) => Math.max(...keys.map((key) => run.decisions[key][name]));
  const rows = new Map(keys.map((key) => [key, trackRow(context, key)]));
  const accept = (value) => {
    for (const key of keys) { run.choices[key].isAccepted = value; rows.get(key).refresh(); }
    context.count();
  };
  const found = new Set(keys.map((key) => run.decisions[key].match.trackID ?? key)).size;
  const whole = Math.max(known.tracks.length, match.albumTrackCount ?? 0);
  const doubts = [
    whole > found && t('collection.holes', { count: whole - found }),
    best('albumConfidence') < albumSure ? t('collection.otherAlbum') : best('editionConfidence') < editionSure && t('collection.otherEdition'),
    keys.some((key) => run.decisions[key].isContradictedBySound) && t('collection.contradicted'),
    keys.some((key) => run.decisions[key].duplicateOf !== undefined) && t('collection.copies'),
  ].filter(Boolean);
  const change = el('div', { hidden: true });
  return el('section', { class: 'card proposal', data: { album: id } },
    el('div', { class: 'row top-row' },
      cover(known.cover, match.albumTitle ?? '', 'thumb'),
      el('div', { class: 'wide' }, el('h3', {}, match.albumTitle ?? t('collection.noAlbum')),
        el('p', { class: 'dim' }, [match.albumArtist, match.albumReleaseYear, whole ? t('collection.extent', { found, whole }) : null, t('collection.albumSure', { share: percent(best('albumConfidence')) })].filter(Boolean).join(' · ')),
        doubts.length ? el('ul', { class: 'doubts' }, doubts.map((doubt) => el('li', { class: 'warn' }, doubt))) : null),
      el('div', { class: 'row' },
        el('button', { class: 'second small', onclick: () => accept(true) }, t('collection.acceptAll')),
        el('button', { class: 'second small', onclick: () => accept(false) }, t('collection.leaveAll')),
        el('button', { class: 'plain small', onclick: () => editAlbum(context, keys, rows, change) }, t('collection.changeAlbum')))),
    change,
    el('ol', { class: 'plain rows' }, ordered(run, keys, known.tracks, rows)));
}

// The rows in the order of the album, with a row for each track that no file has.
function ordered(run, keys, tracks, rows) {
  const left = new Set(keys);
  const list = [];
  const holes = [];
  for (const track of tracks) {
    const own = keys.filter((key) => run.decisions[key].match.trackID === track.id);
    for (const key of own) { list.push(rows.get(key).node); left.delete(key); }
    if (!own.length) {
      holes.push(el('li', { class: 'item hole' }, el('span', { class: 'number' }, track.number ?? ''), el('span', { class: 'wide' }, track.title ?? '', ' ', el('span', { class: 'tag' }, t('collection.missing')))));
      // A few stand where they are missing, and many of them are one line.
      if (tracks.length - keys.length <= 6) list.push(holes.at(-1));
    }
  }
  if (tracks.length - keys.length > 6 && holes.length) {
    list.push(el('li', { class: 'item' }, el('details', { class: 'small' }, el('summary', {}, t('collection.holes', { count: holes.length })), el('ol', { class: 'plain' }, holes))));
  }
  const place = (key) => { const { match } = run.decisions[key]; return (match.discNumber ?? 1) * 1000 + (match.trackNumber ?? 999); };
  return [...list, ...[...left].sort((a, b) => place(a) - place(b)).map((key) => rows.get(key).node)];
}

// A reason in the reader's language. A service that is too old to name its sentences gives English ones.
function sentence({ code, values = {}, text }) {
  const name = `collection.reason-${code}`;
  const words = t(name, { ...values, ...(values.seconds && { seconds: number(Number(values.seconds)) }) });
  return words === name ? el('span', { lang: 'en' }, text) : words;
}

function trackRow(context, key) {
  const { run } = context;
  const [file, decision, choice] = [run.files[key], run.decisions[key], run.choices[key]];
  const title = el('span');
  const box = el('input', { type: 'checkbox', onchange: () => { choice.isAccepted = box.checked; refresh(); context.count(); } });
  const fields = el('div', { hidden: true });
  const toggle = el('button', { class: 'plain small', 'aria-expanded': 'false', onclick: () => {
    fields.hidden = !fields.hidden;
    toggle.setAttribute('aria-expanded', String(!fields.hidden));
    if (!fields.hidden) { show(fields, editor(choice, () => { choice.isAccepted = true; refresh(); context.count(); })); fields.querySelector('input').focus(); }
  } }, t('collection.change'));
  const notes = [
    decision?.isContradictedBySound && t('collection.soundDiffers'),
    decision?.duplicateOf !== undefined && t('collection.copyOf', { name: run.files[decision.duplicateOf]?.path.at(-1) ?? '' }),
    file.isUnreadable && t('collection.unreadable'),
  ].filter(Boolean);
  const reasons = decision?.reasons ?? [];
  const node = el('li', { class: 'item file' },
    el('label', { class: 'wide' }, box, title, el('br'), el('span', { class: 'dim small' }, file.path.join('/'))),
    decision?.match ? el('span', { class: `number ${decision.confidence >= sure ? 'good' : 'warn'}` }, percent(decision.confidence)) : null,
    toggle,
    el('div', { class: 'more' },
      notes.map((note) => el('p', { class: 'warn small' }, note)),
      reasons.length ? el('details', { class: 'small' }, el('summary', {}, t(decision.match ? 'collection.why' : 'collection.nearest')),
        el('ul', {}, reasons.map((reason) => el('li', { class: reason.weight < 0 ? 'warn' : '' }, { '-1': '− ', 1: '+ ' }[Math.sign(reason.weight)] ?? '', sentence(reason))))) : null,
      fields));
  function refresh() {
    const { fields: wanted } = choice;
    box.checked = choice.isAccepted;
    node.classList.toggle('left', !choice.isAccepted);
    title.textContent = [wanted.trackNumber ? `${wanted.trackNumber}. ` : '', wanted.title ?? t('collection.untitled'), wanted.artist ? ` – ${wanted.artist}` : ''].join('');
  }
  refresh();
  return { node, refresh };
}

// Fields for the wanted tags of one file.
function editor(choice, onChange) {
  return el('div', { class: 'split fields' }, names.map((name) => el('label', { class: 'small' }, t(`collection.${name === 'title' ? 'titleField' : name}`),
    el('input', { type: 'text', value: String(choice.fields[name] ?? ''), inputmode: numbers.includes(name) ? 'numeric' : null, oninput: (event) => {
      const words = event.target.value.trim();
      choice.fields[name] = numbers.includes(name) ? Number.parseInt(words, 10) || undefined : words || undefined;
      // What somebody has typed is no recording that the service knows by a number.
      if (name === 'title' || name === 'album') choice.identifiers = [];
      onChange();
    } }))));
}

// Fields for what all files of an album have in common.
function editAlbum(context, keys, rows, place) {
  place.hidden = !place.hidden;
  if (place.hidden) return;
  const { choices } = context.run;
  show(place, el('div', { class: 'split fields' }, ['album', 'albumArtist', 'year'].map((name) => el('label', { class: 'small' }, t(`collection.${name}`),
    el('input', { type: 'text', value: String(choices[keys[0]].fields[name] ?? ''), oninput: (event) => {
      for (const key of keys) {
        choices[key].fields[name] = event.target.value.trim() || undefined;
        if (name !== 'year') choices[key].identifiers = choices[key].identifiers.filter((text) => text.startsWith('isrc:'));
        rows.get(key).refresh();
      }
      context.count();
    } })))));
  place.querySelector('input').focus();
}

function unknownCard(context, keys) {
  return el('section', { class: 'card proposal' }, el('h3', {}, t('collection.unknown', { count: keys.length })), el('p', { class: 'dim' }, t('collection.unknownHelp')),
    el('ol', { class: 'plain rows' }, keys.map((key) => trackRow(context, key).node)));
}

// What `earshot library apply` takes: Docs/schemas/library-plan.schema.json.
export function plan(run) {
  const files = run.files.flatMap((file, key) => {
    const choice = run.choices[key];
    if (!choice?.isAccepted) return [];
    const wanted = Object.fromEntries(names.filter((name) => choice.fields[name]).map((name) => [name, choice.fields[name]]));
    return [{ file: file.path.join('/'), size: file.size, ...wanted, ...(choice.identifiers.length ? { identifiers: choice.identifiers } : {}) }];
  });
  return { format: 'earshot-library-plan', version: 1, folder: run.folder, files };
}
