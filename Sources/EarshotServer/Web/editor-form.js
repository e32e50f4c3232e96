// The fields of one entry of timed content.
import { clock, el, show, t } from './page.js';
import { kindOf, pictureAddress } from './timed-content.js';
import { fitInside } from './editor-track.js';

// The longest side of a picture that is put into the content, in pixels, and its most bytes.
const [pictureSide, pictureLimit] = [640, 200_000];

// Seconds of a text such as 1:02:03.5, 2:03 or 12.5; null for what is none.
export function secondsOf(text) {
  const parts = text.trim().replace(',', '.').split(':');
  if (parts.length > 3 || parts.some((part, i) => !/^\d+(\.\d+)?$/.test(part) || (i < parts.length - 1 && part.includes('.')))) return null;
  return Math.round(parts.reduce((sum, part) => sum * 60 + Number(part), 0) * 100) / 100;
}

// Seconds as a text that `secondsOf` reads, to the hundredth.
export function textOf(seconds) {
  const rest = Math.round((seconds % 1) * 100);
  return rest ? `${clock(seconds)}.${String(rest).padStart(2, '0').replace(/0$/, '')}` : clock(seconds);
}

const lines = (text) => text.split('\n').map((line) => line.trim()).filter(Boolean);

// The fields of the entry of a name. `own` does a change that comes from here, of which the fields know; `remove` takes the entry away.
export function entryForm(edited, id, duration, own, remove) {
  const entry = edited.entry(id);
  const refreshers = [];
  const kind = kindOf({ payload: {}, ...entry });
  const place = el('section', { class: 'card fields', 'aria-label': t('companion-editor.fields') });
  const change = (body) => {
    own(() => edited.change(() => {
      entry.payload ??= {};
      body(entry, entry.payload);
      if (!Object.keys(entry.payload).length) delete entry.payload;
      fitInside(entry);
    }));
    for (const refresh of refreshers) refresh();
  };
  const again = () => place.replaceWith(entryForm(edited, id, duration, own, remove));

  // A field whose value is what a function says, also after changes of others.
  const field = (name, value, on, more = {}) => {
    const note = el('span', { class: 'bad small', role: 'alert' });
    const input = el(more.rows ? 'textarea' : 'input', {
      type: more.rows ? null : 'text', value: value(), id: `field-${name}`, inputmode: more.time ? 'decimal' : null, ...more, time: null,
      onchange: () => { note.textContent = on(input.value) ?? ''; input.setAttribute('aria-invalid', Boolean(note.textContent)); },
    });
    refreshers.push(() => { if (input !== document.activeElement && !note.textContent) input.value = value(); });
    return el('label', { class: more.time ? 'time' : null }, t(`companion-editor.${name === 'title' ? 'text' : name}`), input, note);
  };
  const time = (name, value, on) => field(name, () => (value() === undefined ? '' : textOf(value())), (text) => {
    const seconds = text.trim() ? secondsOf(text) : undefined;
    if (seconds === null) return t('companion-editor.noTime');
    return on(seconds);
  }, { time: true });

  const kinds = el('select', {
    id: 'field-kind',
    onchange: (event) => {
      change((own, payload) => {
        if (event.target.value !== 'question') { delete own.requiresAnswer; delete own.answerRange; for (const key of ['choices', 'several', 'answer']) delete payload[key]; }
        if (event.target.value === 'text') delete payload.picture;
        if (event.target.value === 'question') { own.requiresAnswer = true; own.answerRange = [own.start, own.end ?? Math.min(duration, own.start + 10)]; }
        if (event.target.value === 'picture') payload.picture ??= '';
      });
      again();
      document.getElementById('field-kind')?.focus();
    },
  }, ['text', 'picture', 'question'].map((name) => el('option', { value: name, selected: name === (entry.payload?.picture === '' ? 'picture' : kind) }, t(`companion-editor.kind-${name}`))));

  const isPicture = kind === 'picture' || entry.payload?.picture !== undefined;
  place.append(
    el('h2', {}, t('companion-editor.fields')),
    field('text', () => entry.title ?? '', (text) => { change((own) => { own.title = text; }); }, { rows: 2, maxlength: 4000 }),
    el('div', { class: 'row' },
      time('start', () => entry.start, (seconds) => {
        if (seconds === undefined || seconds >= Math.min(entry.end ?? Infinity, duration)) return t('companion-editor.startLate');
        change((own) => { own.start = seconds; });
      }),
      time('end', () => entry.end, (seconds) => {
        if (seconds !== undefined && (seconds <= entry.start || seconds > duration + 0.5)) return t('companion-editor.endEarly');
        change((own) => { if (seconds === undefined) delete own.end; else own.end = seconds; });
      }),
      field('lane', () => String(entry.lane ?? 0), (text) => {
        if (!/^[0-7]$/.test(text.trim())) return t('companion-editor.noLane');
        change((own) => { own.lane = Number(text); if (!own.lane) delete own.lane; });
      }, { time: true })),
    el('label', {}, t('companion-editor.kind'), kinds),
    isPicture ? pictureFields(entry, change, field, again) : '',
    kind === 'question' ? questionFields(entry, change, field, time, again) : '',
    field('parts', () => (entry.parts ?? []).map((part) => `${textOf(part.start)} ${part.title ?? ''}`).join('\n'), (text) => {
      const parts = lines(text).map((line, index) => {
        const [, start, title] = line.match(/^(\S+)\s*(.*)$/);
        const known = entry.parts?.[index];
        return { ...known, id: known?.id ?? `p${index + 1}`, start: secondsOf(start), title };
      });
      if (parts.some((part) => part.start === null || part.start < entry.start || part.start >= (entry.end ?? duration))) return t('companion-editor.noParts');
      change((own) => { if (parts.length) own.parts = parts.map((part, i) => ({ ...part, id: `p${i + 1}` })); else delete own.parts; });
    }, { rows: 3 }),
    el('p', { class: 'row' }, el('button', { class: 'danger', onclick: remove }, t('companion-editor.remove'))));
  return place;
}

function questionFields(entry, change, field, time, again) {
  const { several } = entry.payload ?? {};
  const choices = () => entry.payload?.choices ?? [];
  const hasChoices = choices().length > 0;
  const type = hasChoices ? (several ? 'several' : 'one') : 'words';
  // Read anew each time: a change of one of them is known to the other.
  const from = () => entry.answerRange?.[0];
  const to = () => entry.answerRange?.[1];
  return el('fieldset', {}, el('legend', {}, t('companion-editor.question')),
    el('label', {}, t('companion-editor.type'), el('select', {
      id: 'field-type',
      onchange: (event) => {
        change((own, payload) => {
          delete payload.answer;
          if (event.target.value === 'words') { delete payload.choices; delete payload.several; return; }
          if (!payload.choices?.length) payload.choices = [t('companion-editor.choiceA'), t('companion-editor.choiceB')];
          if (event.target.value === 'several') payload.several = true; else delete payload.several;
        });
        again();
        document.getElementById('field-type')?.focus();
      },
    }, ['one', 'several', 'words'].map((name) => el('option', { value: name, selected: name === type }, t(`companion-editor.type-${name}`))))),
    hasChoices ? field('choices', () => choices().join('\n'), (text) => {
      const list = lines(text);
      if (list.length < 2 || list.length > 20 || new Set(list).size < list.length) return t('companion-editor.noChoices');
      change((own, payload) => {
        payload.choices = list;
        const right = [payload.answer ?? []].flat().filter((one) => list.includes(one));
        if (right.length) payload.answer = payload.several ? right : right[0]; else delete payload.answer;
      });
    }, { rows: 4 }) : '',
    field('right', () => [entry.payload?.answer ?? []].flat().join('\n'), (text) => {
      const list = lines(text);
      if (hasChoices && list.some((one) => !choices().includes(one))) return t('companion-editor.noSuchChoice');
      if (hasChoices && !several && list.length > 1) return t('companion-editor.oneRight');
      change((own, payload) => { if (list.length) payload.answer = several || list.length > 1 ? list : list[0]; else delete payload.answer; });
    }, { rows: 2 }),
    el('div', { class: 'row' },
      time('answerFrom', from, (seconds) => {
        if (seconds === undefined || seconds < entry.start || seconds >= (to() ?? Infinity)) return t('companion-editor.outside');
        change((own) => { own.answerRange = [seconds, to() ?? own.end ?? seconds + 10]; });
      }),
      time('answerUntil', to, (seconds) => {
        if (seconds === undefined || seconds <= (from() ?? entry.start) || seconds > (entry.end ?? Infinity)) return t('companion-editor.outside');
        change((own) => { own.answerRange = [from() ?? own.start, seconds]; });
      })));
}

function pictureFields(entry, change, field, again) {
  const address = pictureAddress(entry.payload?.picture);
  const note = el('p', { class: 'bad small', role: 'alert' });
  const input = el('input', {
    type: 'file', accept: 'image/*', class: 'sr',
    onchange: async () => {
      const data = await embedded(input.files[0]).catch(() => null);
      if (!data) { note.textContent = t('companion-editor.noPicture'); return; }
      change((own, payload) => { payload.picture = data; });
      again();
    },
  });
  const isData = entry.payload?.picture?.startsWith('data:');
  return el('fieldset', {}, el('legend', {}, t('companion-editor.kind-picture')),
    address ? el('img', { class: 'picture', src: address, alt: entry.payload.alternative ?? '' }) : '',
    el('p', { class: 'row' }, el('label', { class: 'button second' }, input, t('companion-editor.choosePicture'))), note,
    isData ? '' : field('address', () => entry.payload?.picture ?? '', (text) => {
      if (text.trim() && !pictureAddress(text.trim())) return t('companion-editor.foreignPicture');
      change((own, payload) => { payload.picture = text.trim(); });
    }),
    field('alternative', () => entry.payload?.alternative ?? '', (text) => { change((own, payload) => { if (text) payload.alternative = text; else delete payload.alternative; }); }),
    el('p', { class: 'dim small' }, t('companion-editor.pictureRule')));
}

// A picture of a file as an address that holds it, made small enough.
async function embedded(file) {
  const image = await createImageBitmap(file);
  const scale = Math.min(1, pictureSide / Math.max(image.width, image.height));
  const canvas = el('canvas', { width: Math.max(1, Math.round(image.width * scale)), height: Math.max(1, Math.round(image.height * scale)) });
  canvas.getContext('2d').drawImage(image, 0, 0, canvas.width, canvas.height);
  for (const [type, quality] of [['image/webp', 0.85], ['image/jpeg', 0.8], ['image/jpeg', 0.5]]) {
    const data = canvas.toDataURL(type, quality);
    if (data.length < pictureLimit) return data;
  }
  return null;
}
