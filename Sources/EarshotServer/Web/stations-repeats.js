// Unknown audio that stations repeat: listened to, named, added as a reference, or dismissed.
import { ask, el, faultBox, number, say, show, t, wait } from './page.js';
import { audioName, dayTime, kindName, kindTag, length, query, showFault, table } from './stations-parts.js';

const kinds = ['advertisement', 'jingle', 'song', 'programme'];
let zone = 'UTC';
let names = new Map();
let place;

export async function open(section) {
  place = section;
  try {
    const stations = await ask('/v1/stations');
    zone = stations.timeZone;
    names = new Map(stations.stations.map((station) => [station.id, station.name]));
    draw(await ask('/v1/repeats'), stations.monitor === 'running');
  } catch (failure) {
    showFault(place, failure, () => open(section));
  }
}

function draw({ repeats, named }, isRunning) {
  show(place, el('h2', { tabindex: -1 }, t('stations.repeats')), el('p', { class: 'dim' }, t('stations.repeatsHelp')),
    !isRunning && repeats.some((one) => one.title || one.isDismissed) && el('p', { class: 'note' }, t('stations.waitsForMonitor')),
    repeats.length ? el('ol', { class: 'plain', id: 'repeats' }, repeats.map(card)) : el('p', { class: 'note' }, t('stations.noRepeats')),
    named.length > 0 && [el('h2', {}, t('stations.named')), el('div', { id: 'named' }, table(t('stations.named'), ['title', 'artist', 'kind', '#length'],
      named.map((one) => [one.title ?? one.id, one.artist ?? '', one.kind ? kindTag(one.kind) : '', length(one.length)])))]);
}

function card(audio) {
  const status = el('div', { role: 'status' });
  const heading = el('h3', { id: `${audio.id}-name`, tabindex: -1 }, t('stations.repeatTitle', { id: audio.id, length: length(audio.length) }));
  const waits = audio.title ? t('stations.waitsAs', { title: audio.title }) : audio.isDismissed ? t('stations.waitsDismissed') : null;
  return el('li', { class: 'card', 'aria-labelledby': heading.id, id: audio.id },
    el('div', { class: 'row' }, heading, audio.kind && el('span', { class: 'tag' }, audioName(audio.kind))),
    el('p', { class: 'dim' }, t('stations.heardTimes', {
      count: number(audio.count), stations: audio.stations.map((id) => names.get(id) ?? id).join(', '), first: dayTime(audio.firstHeard, zone), last: dayTime(audio.lastHeard, zone),
    })),
    audio.hasAudio ? el('audio', { controls: true, preload: 'none', src: `/v1/repeats/${encodeURIComponent(audio.id)}/audio`, 'aria-label': t('stations.recordingOf', { id: audio.id }) })
      : el('p', { class: 'dim small' }, t('stations.noRecording')),
    waits ? el('p', { class: 'note' }, waits) : form(audio, status), status);
}

function form(audio, status) {
  const field = (name, more = {}) => el('label', { for: `${audio.id}-${name}` }, t(`stations.col-${name}`), el('input', { id: `${audio.id}-${name}`, type: 'text', name, maxlength: 300, autocomplete: 'off', ...more }));
  const kind = el('select', { id: `${audio.id}-kind`, name: 'kind' }, kinds.map((one) => el('option', { value: one }, kindName(one))));
  const adds = el('input', { type: 'checkbox', name: 'adds', id: `${audio.id}-adds`, disabled: !audio.hasAudio });
  const dismissal = el('span', { class: 'row' });
  const offer = () => show(dismissal, el('button', { class: 'danger', type: 'button', onclick: confirm }, t('stations.dismiss')));
  // What is dismissed is offered no more: it takes two presses.
  const confirm = () => {
    const yes = el('button', { class: 'danger', type: 'button', onclick: () => act(audio, status, dismissal, () => ask(`/v1/repeats/${encodeURIComponent(audio.id)}`, { method: 'DELETE' }), t('stations.dismissed')) }, t('stations.dismissReally'));
    show(dismissal, el('span', {}, t('stations.dismissAsk')), yes, el('button', { class: 'plain', type: 'button', onclick: () => { offer(); dismissal.firstChild.focus(); } }, t('stations.keep')));
    yes.focus();
  };
  offer();
  return el('form', {
    class: 'st-name', onsubmit: (event) => {
      event.preventDefault();
      const values = new FormData(event.target);
      const title = values.get('title').trim();
      const artist = values.get('artist').trim();
      act(audio, status, event.target, async () => {
        await ask(`/v1/repeats/${encodeURIComponent(audio.id)}/name`, { method: 'PUT', json: { title, artist, kind: values.get('kind') } });
        if (adds.checked) await addToCatalog(audio, title, artist);
      }, t(adds.checked ? 'stations.namedAndAdded' : 'stations.namedNow', { title }));
    },
  }, el('div', { class: 'row st-fields' }, field('title', { required: true }), field('artist'), el('label', { for: kind.id }, t('stations.kind'), kind)),
  el('label', { for: adds.id }, adds, t('stations.addToCatalog')),
  el('div', { class: 'row' }, el('button', {}, t('stations.nameIt')), dismissal));
}

// The service's own catalog takes the recording as any upload: apps recognize it from then on.
async function addToCatalog(audio, title, artist) {
  const recording = await ask(`/v1/repeats/${encodeURIComponent(audio.id)}/audio`, { raw: true });
  await ask(`/v1/references?${query({ title, ...(artist ? { artist } : {}) })}`, { method: 'POST', body: await recording.blob(), headers: { 'Content-Type': 'audio/wav' } });
}

async function act(audio, status, form, work, done) {
  const all = [...form.querySelectorAll('button, input, select')].filter((one) => !one.disabled);
  for (const one of all) one.disabled = true;
  try {
    await work();
  } catch (failure) {
    for (const one of all) one.disabled = false;
    show(status, faultBox(failure));
    return;
  }
  say(done);
  await again(audio.id, done);
}

// The monitor takes up what is wished within seconds, where it runs.
async function again(id, done) {
  const running = (await ask('/v1/stations')).monitor === 'running';
  for (let turn = 0; ; turn += 1) {
    const list = await ask('/v1/repeats');
    const waits = list.repeats.some((one) => one.id === id);
    if (!waits || !running || turn === 5) {
      draw(list, running);
      const target = document.getElementById(`${id}-name`) ?? place.querySelector('h2');
      place.querySelector('h2').after(el('p', { class: 'note', id: 'done' }, done));
      target.focus();
      return;
    }
    if (turn === 0) draw(list, running);
    await wait(1_000);
  }
}
