// What the author of a piece can do with it, and what the service has heard in it.
import { ask, busy, clock, el, faultBox, number, show, t, wait } from './page.js';

export async function showOwn(place, id) {
  const base = `/v1/pieces/${encodeURIComponent(id)}`;
  const status = el('div', { role: 'status' });
  const visibility = el('select', { onchange: () => change({ visibility: visibility.value }) },
    ['listed', 'unlisted', 'private'].map((name) => el('option', { value: name, selected: name === place.dataset.visibility }, t(`drop.visibility-${name}`))));
  const piece = await ask(base).catch(() => null);
  const title = el('input', { type: 'text', value: piece?.title ?? '' });
  const description = el('textarea', { rows: 4, maxlength: 5000, value: piece?.description ?? '' });
  const findings = el('div', { id: 'findings' });
  place.append(
    el('label', {}, t('drop.visibility'), visibility),
    el('details', {}, el('summary', {}, t('piece.edit')),
      el('label', {}, t('drop.titleField'), title), el('label', {}, t('drop.description'), description),
      el('button', { class: 'second', onclick: () => change({ title: title.value, description: description.value }) }, t('piece.save'))),
    findings, status, el('p', {}, el('button', { class: 'danger', onclick: remove }, t('piece.remove'))));
  listen();

  async function change(change) {
    show(status, busy());
    try {
      await ask(base, { method: 'PATCH', json: change });
      location.reload();
    } catch (failure) {
      show(status, failure.violations?.length ? el('p', { class: 'fault', role: 'alert' }, failure.violations.map(({ code }) => t(`drop.v-${code}`)).join(' ')) : faultBox(failure));
    }
  }

  // Asks before, in the page.
  function remove() {
    const button = el('button', { class: 'danger', onclick: async () => {
      try {
        await ask(base, { method: 'DELETE' });
        location.assign('/pieces');
      } catch (failure) {
        show(status, faultBox(failure, remove));
      }
    } }, t('piece.removeYes'));
    show(status, el('p', { class: 'note' }, t('piece.removeHelp')), el('p', { class: 'row' }, button, el('button', { class: 'second', onclick: () => show(status) }, t('piece.removeNo'))));
    button.focus();
  }

  // What was heard in it. It is listened to in its turn, some time after it was published.
  async function listen() {
    const heading = el('h3', {}, t('piece.findings'));
    for (;;) {
      let told;
      try {
        told = await ask(`${base}/findings`);
      } catch (failure) {
        show(findings, heading, faultBox(failure, listen));
        return;
      }
      if (told.isComplete) {
        show(findings, heading, told.contains.length || told.warnings.length || told.unheard ? null : el('p', { class: 'dim' }, t('piece.nothingFound')),
          el('ul', {}, told.contains.map((quotation) => el('li', {}, sentence(quotation))),
            told.warnings.map((warning) => el('li', { class: 'warn' }, t(`piece.w-${warning.code}`, warning))),
            (told.unheard ?? []).map((name) => el('li', { class: 'warn' }, t('piece.unheard', { name })))));
        return;
      }
      show(findings, heading, busy(t('piece.listening')));
      await wait(1500);
    }
  }
}

function sentence(quotation) {
  const name = [quotation.title ?? quotation.id, quotation.artist].filter(Boolean).join(', ');
  const what = quotation.source === 'piece' ? el('a', { href: `/pieces/${encodeURIComponent(quotation.id)}` }, name) : name;
  const place = quotation.stem ?? (quotation.isPreview ? t('drop.preview') : t('drop.mix'));
  return [what, ' ', t('piece.quotation', { start: clock(quotation.start), end: clock(quotation.end), place, speed: number(quotation.speedSkew, { style: 'percent', signDisplay: 'always', maximumFractionDigits: 1 }) })];
}
