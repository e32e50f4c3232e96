// What the operator's sections share.
import { el, t, faultBox, wait, say, number } from './page.js';

// What went wrong, with the service's own words: operators are technical staff.
export function fault(failure, retry) {
  const box = faultBox(failure, retry);
  if (failure.message) box.firstElementChild.after(el('p', { class: 'small dim' }, failure.message));
  return box;
}

// The heading of a section, which is focused when the section is shown, with what stands beside it.
export function heading(text, ...more) {
  return el('div', { class: 'row head' }, el('h2', { tabindex: '-1', class: 'wide' }, text), more);
}

// A table that can be scrolled sideways, also with the keyboard. Cells are text, elements, or lists of them. At the width of a phone each row
// is a box with its cells below each other: the style does that with the names of the columns, and the roles keep it a table.
export function table(label, columns, rows) {
  const cell = (content) => content instanceof HTMLTableCellElement ? content : el('td', {}, content ?? '');
  const body = rows.map((row) => row instanceof HTMLElement ? row : el('tr', {}, row.map(cell)));
  for (const row of body) {
    row.setAttribute('role', 'row');
    [...row.cells].forEach((one, at) => { one.setAttribute('role', 'cell'); one.dataset.column = columns[at].textContent; });
  }
  for (const column of columns) column.setAttribute('role', 'columnheader');
  return el('div', { class: 'table stacked', tabindex: '0', role: 'region', 'aria-label': label },
    el('table', { role: 'table' }, el('thead', { role: 'rowgroup' }, el('tr', { role: 'row' }, columns)), el('tbody', { role: 'rowgroup' }, body)));
}

// Parameters of an address. The service takes a plus sign for one, and URLSearchParams would write it for a blank.
export function parameters(values) {
  return Object.entries(values).filter(([, value]) => value !== undefined).map(([name, value]) => `${name}=${encodeURIComponent(value)}`).join('&');
}

// The headings of columns by the names of their texts; those of numbers begin with #.
export function heads(...names) {
  return names.map((name) => el('th', { scope: 'col', class: name.startsWith('#') ? 'number' : null }, t(`admin.${name.replace('#', '')}`)));
}

// An input with its label and a line of help.
export function field(label, input, help) {
  return el('label', {}, label, input, help && el('span', { class: 'small dim' }, help));
}

// Boxes to check, one for each name. `chosen` of the result tells which are.
export function choices(legend, names, chosen, text) {
  const boxes = names.map((name) => el('input', { type: 'checkbox', value: name, checked: chosen.includes(name) }));
  const node = el('fieldset', { class: 'choices' }, el('legend', {}, legend), boxes.map((box) => el('label', {}, box, text(box.value))));
  return { node, get chosen() { return boxes.filter((box) => box.checked).map((box) => box.value); } };
}

// Asks before something that cannot be taken back. Gives whether it is wanted.
export function confirmed(sentence, action) {
  return new Promise((answer) => {
    const id = `dialog-${Math.random().toString(36).slice(2)}`;
    const dialog = el('dialog', { class: 'card', 'aria-labelledby': id },
      el('form', { method: 'dialog' },
        el('p', { id }, sentence),
        el('p', { class: 'row' }, el('button', { class: 'danger', value: 'yes' }, action), el('button', { class: 'second', value: 'no', autofocus: true }, t('admin.cancel')))));
    dialog.addEventListener('close', () => { dialog.remove(); answer(dialog.returnValue === 'yes'); });
    document.body.append(dialog);
    dialog.showModal();
  });
}

// The parts of a longer list. `address` gives that of an offset.
export function pager({ offset, limit, total, count }, address) {
  if (total <= limit && offset === 0) return null;
  const last = offset + count;
  return el('nav', { class: 'row pager', 'aria-label': t('admin.pages') },
    offset > 0 && el('a', { class: 'button second', href: address(Math.max(0, offset - limit)), rel: 'prev' }, t('admin.previous')),
    el('span', { class: 'dim' }, t('admin.range', { from: number(total ? offset + 1 : 0), to: number(last), total: number(total) })),
    last < total && el('a', { class: 'button second', href: address(last), rel: 'next' }, t('admin.next')));
}

// A secret or a command with a button that copies it.
export function copyable(text) {
  const code = el('code', { class: 'wide' }, text);
  return el('p', { class: 'row copyable' }, code, el('button', {
    class: 'second small', type: 'button',
    onclick: async (event) => {
      const isCopied = await navigator.clipboard?.writeText(text).then(() => true, () => false);
      if (!isCopied) getSelection().selectAllChildren(code);
      event.target.textContent = t(isCopied ? 'admin.copied' : 'admin.selected');
      say(event.target.textContent);
    },
  }, t('admin.copy')));
}

// Does work now and again until the signal, while the page is seen; for the first time after that long.
export async function every(milliseconds, signal, work) {
  while (await wait(milliseconds, signal).then(() => true, () => false)) {
    if (!document.hidden) await work();
  }
}

// A button that does something that takes a moment: it is off meanwhile, and what goes wrong stands in `place`.
export function action(text, properties, place, work) {
  return el('button', {
    type: 'button', ...properties,
    onclick: async (event) => {
      const button = event.currentTarget;
      button.disabled = true;
      place.replaceChildren();
      try { await work(button); } catch (error) { place.replaceChildren(fault(error)); } finally { button.disabled = false; }
    },
  }, text);
}

// A form that sends when it is submitted; what goes wrong stands below it.
export function form(children, work, properties = {}) {
  const place = el('div', { 'aria-live': 'polite' });
  return el('form', {
    ...properties,
    onsubmit: async (event) => {
      event.preventDefault();
      const button = event.submitter ?? event.target.querySelector('button');
      if (button) button.disabled = true;
      place.replaceChildren();
      try { await work(place); } catch (error) { place.replaceChildren(fault(error)); } finally { if (button) button.disabled = false; }
    },
  }, children, place);
}

// A short sentence that something was done.
export function done(place, sentence) {
  place.replaceChildren(el('p', { class: 'good', role: 'status' }, sentence));
}

// Seconds in milliseconds or seconds, in the reader's language.
export function latency(seconds) {
  if (seconds === undefined || seconds === null) return '–';
  return seconds < 1 ? number(seconds * 1000, { style: 'unit', unit: 'millisecond', maximumFractionDigits: seconds < 0.01 ? 1 : 0 })
    : number(seconds, { style: 'unit', unit: 'second', maximumFractionDigits: 1 });
}

// A duration in days, hours and minutes.
export function span(seconds) {
  const parts = [['day', 86400], ['hour', 3600], ['minute', 60]];
  const first = parts.findIndex(([, length]) => seconds >= length);
  if (first < 0) return number(Math.max(0, Math.floor(seconds)), { style: 'unit', unit: 'second' });
  let rest = seconds;
  return parts.slice(first, first + 2).map(([unit, length]) => {
    const count = Math.floor(rest / length);
    rest -= count * length;
    return number(count, { style: 'unit', unit });
  }).join(' ');
}
