// What is said of a piece: fields, the draft that they make, and what the service says of each of them.
import { clock, el, number, show, t } from './page.js';

// The scales by their steps above the root.
const scales = {
  major: [0, 2, 4, 5, 7, 9, 11], minor: [0, 2, 3, 5, 7, 8, 10], dorian: [0, 2, 3, 5, 7, 9, 10], phrygian: [0, 1, 3, 5, 7, 8, 10],
  lydian: [0, 2, 4, 6, 7, 9, 11], mixolydian: [0, 2, 4, 5, 7, 9, 10], locrian: [0, 1, 3, 5, 6, 8, 10], harmonicMinor: [0, 2, 3, 5, 7, 8, 11],
  melodicMinor: [0, 2, 3, 5, 7, 9, 11], majorPentatonic: [0, 2, 4, 7, 9], minorPentatonic: [0, 3, 5, 7, 10], blues: [0, 3, 5, 6, 7, 10],
};
const twelve = [...Array(12).keys()];

export const empty = () => ({
  title: '', description: '', visibility: 'listed', tempo: '', key: { kind: 'unknown', root: 0, scale: [] }, upper: '', lower: '4', loop: 'none', from: '0', to: '',
  basedOn: '',
});

const micro = (seconds) => Math.round(Number(String(seconds).replace(',', '.')) * 1e6);
const decimal = (text) => Number(String(text).replace(',', '.'));

// The identifiers in what a person has written or pasted: addresses of pieces have them too.
const identifiers = (text) => text.split(/[\s,]+/).filter(Boolean)
  .map((word) => word.match(/[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/i)?.[0] ?? word);

// The draft that the values of a form make. What cannot be a draft is for the service to say.
export function draftOf(values, length) {
  const draft = { title: values.title, length: Math.round(length * 1e6), basedOn: identifiers(values.basedOn), description: values.description, visibility: values.visibility };
  if (String(values.tempo).trim()) draft.tempo = Number.isFinite(decimal(values.tempo)) ? decimal(values.tempo) : 0;
  if (String(values.upper).trim()) draft.timeSignature = { upper: Math.trunc(decimal(values.upper)) || 0, lower: Number(values.lower) };
  if (values.loop === 'all') draft.loop = { start: 0, end: draft.length };
  if (values.loop === 'part') draft.loop = { start: micro(values.from) || 0, end: micro(values.to) || 0 };
  const { kind, root, scale } = values.key;
  if (kind === 'unknown' || kind === 'atonal') draft.tonality = { state: kind };
  else {
    const members = kind === 'custom' ? scale : scales[kind].map((step) => (root + step) % 12);
    draft.tonality = { state: 'tonal', root, scale: twelve.map((pitch) => members.includes(pitch)) };
  }
  return draft;
}

// A key as the form has it.
export function keyOf(tonality) {
  if (tonality?.state !== 'tonal') return { kind: tonality?.state ?? 'unknown', root: 0, scale: [] };
  const members = twelve.filter((pitch) => tonality.scale[pitch]);
  const steps = members.map((pitch) => (pitch - tonality.root + 12) % 12).sort((a, b) => a - b).join();
  const kind = Object.keys(scales).find((name) => scales[name].join() === steps) ?? 'custom';
  return { kind, root: tonality.root, scale: members };
}

// The values of a draft that the service has.
export function valuesOf(drop) {
  const { draft } = drop;
  const isWhole = draft.loop && draft.loop.start === 0 && draft.loop.end === draft.length;
  return {
    ...empty(), title: draft.title, description: drop.description, visibility: drop.visibility, tempo: draft.tempo ? String(draft.tempo) : '',
    key: keyOf(draft.tonality), upper: draft.timeSignature ? String(draft.timeSignature.upper) : '', lower: String(draft.timeSignature?.lower ?? 4),
    loop: draft.loop ? (isWhole ? 'all' : 'part') : 'none', from: String((draft.loop?.start ?? 0) / 1e6), to: String((draft.loop?.end ?? draft.length) / 1e6),
    basedOn: draft.basedOn?.join('\n') ?? '',
  };
}

export class PieceForm {
  constructor(values, onChange) {
    this.values = values;
    this.onChange = onChange;
    this.notes = {};
    this.controls = {};
    this.node = el('div', { class: 'column' });
    this.render();
  }

  render() {
    const { values } = this;
    const pair = (...children) => el('div', { class: 'row pair' }, children);
    const scale = el('fieldset', { class: 'scale', hidden: values.key.kind !== 'custom' }, el('legend', {}, t('drop.members')),
      twelve.map((pitch) => el('label', { class: 'row' }, el('input', { type: 'checkbox', checked: values.key.scale.includes(pitch), onchange: (event) => {
        values.key.scale = twelve.filter((other) => (other === pitch ? event.target.checked : values.key.scale.includes(other)));
        this.changed('tonality');
      } }), t(`drop.note-${pitch}`))));
    const root = this.select('root', twelve.map((pitch) => [pitch, t(`drop.note-${pitch}`)]), values.key.root, (value) => { values.key.root = Number(value); }, 'tonality', t('drop.root'));
    const kind = this.select('tonality', ['unknown', 'atonal', ...Object.keys(scales), 'custom'].map((name) => [name, t(`drop.scale-${name}`)]), values.key.kind, (value) => {
      values.key.kind = value;
      scale.hidden = value !== 'custom';
      root.hidden = value === 'unknown' || value === 'atonal';
    }, 'tonality', t('drop.scale'));
    root.hidden = ['unknown', 'atonal'].includes(values.key.kind);
    const part = pair(el('span', { 'aria-hidden': 'true' }, t('drop.from')), this.text('from', 'loop', { inputmode: 'decimal' }), el('span', { 'aria-hidden': 'true' }, t('drop.to')),
      this.text('to', 'loop', { inputmode: 'decimal' }));
    part.classList.add('part');
    part.hidden = values.loop !== 'part';
    show(this.node,
      this.field('title', t('drop.titleField'), this.text('title', 'title', { required: true }), t('drop.titleHelp')),
      this.field('description', t('drop.description'), el('textarea', { rows: 4, maxlength: 5000, value: values.description, oninput: (event) => this.set('description', event.target.value) })),
      el('div', { class: 'split' },
        this.field('tempo', t('drop.tempo'), this.text('tempo', 'tempo', { inputmode: 'decimal' }), t('drop.tempoHelp')),
        this.field('tonality', t('drop.key'), pair(root, kind), null, scale)),
      el('div', { class: 'split' },
        this.field('timeSignature', t('drop.meter'), pair(this.text('upper', 'timeSignature', { inputmode: 'numeric', placeholder: '4', 'aria-label': t('drop.upper') }), '/',
          this.select('lower', [2, 4, 8, 16].map((value) => [value, value]), values.lower, (value) => { values.lower = value; }, 'timeSignature', t('drop.lower'))), t('drop.meterHelp')),
        this.field('loop', t('drop.loop'), this.select('loop', ['none', 'all', 'part'].map((name) => [name, t(`drop.loop-${name}`)]), values.loop, (value) => {
          values.loop = value;
          part.hidden = value !== 'part';
        }), null, part)),
      this.field('visibility', t('drop.visibility'), this.select('visibility', ['listed', 'unlisted', 'private'].map((name) => [name, t(`drop.visibility-${name}`)]), values.visibility,
        (value) => { values.visibility = value; })),
      this.field('basedOn', t('drop.basedOn'), el('textarea', { rows: 2, value: values.basedOn, oninput: (event) => this.set('basedOn', event.target.value, 'basedOn') }), t('drop.basedOnHelp')),
      this.field('length', t('drop.length'), el('output', {}, '–')));
  }

  // A field with a name, a help, and a place for what is wrong or heard.
  field(name, label, control, help, more = null) {
    const note = el('p', { class: 'small heard', id: `note-${name}`, 'aria-live': 'polite' });
    this.notes[name] = note;
    const isOne = control.matches('input, select, textarea, output');
    const inputs = isOne ? [control] : [...control.querySelectorAll('input, select')];
    this.controls[name] = inputs;
    for (const input of inputs) input.setAttribute('aria-describedby', [help && `help-${name}`, note.id].filter(Boolean).join(' '));
    if (isOne) control.id = `field-${name}`;
    return el('div', { class: 'field', role: isOne ? null : 'group', 'aria-label': isOne ? null : label },
      isOne ? el('label', { for: control.id }, label) : el('span', { class: 'label', 'aria-hidden': 'true' }, label), control, more,
      help && el('p', { class: 'dim small', id: `help-${name}` }, help), note);
  }

  text(name, field, properties = {}) {
    return el('input', { type: 'text', name, value: this.values[name], 'aria-label': ['from', 'to'].includes(name) ? t(`drop.${name}`) : null, ...properties,
      oninput: (event) => this.set(name, event.target.value, field) });
  }

  select(name, options, value, on, field = name, label = null) {
    return el('select', { name, 'aria-label': label, onchange: (event) => { on(event.target.value); this.changed(field); } },
      options.map(([key, label]) => el('option', { value: String(key), selected: String(key) === String(value) }, label)));
  }

  set(name, value, field = name) {
    this.values[name] = value;
    this.changed(field);
  }

  changed(field) {
    this.mark(field, null);
    this.onChange(field);
  }

  // Shows the values anew.
  load(values) {
    this.values = values;
    this.render();
    this.showLength(this.length);
  }

  showLength(seconds) {
    this.length = seconds;
    const output = this.controls.length[0];
    output.textContent = seconds ? `${clock(seconds)} (${number(seconds, { style: 'unit', unit: 'second', maximumFractionDigits: 2 })})` : '–';
  }

  // Says something beside a field; nothing with null.
  mark(field, children, isFault = false) {
    const note = this.notes[field];
    if (!note) return;
    show(note, children);
    note.classList.toggle('bad', isFault);
    for (const input of this.controls[field]) isFault ? input.setAttribute('aria-invalid', 'true') : input.removeAttribute('aria-invalid');
  }

  // Shows each violation at its field. Gives how many there are.
  showViolations(violations) {
    for (const field of Object.keys(this.notes)) if (this.notes[field].classList.contains('bad')) this.mark(field, null);
    for (const { field, code } of violations) {
      const before = this.notes[field] ?? this.notes.title;
      this.mark(field in this.notes ? field : 'title', [...before.childNodes, el('span', {}, `${t(`drop.v-${code}`)} `)], true);
    }
    const first = violations.map(({ field }) => this.controls[field]?.[0]).find(Boolean);
    first?.focus();
    return violations.length;
  }
}
