// What a companion shows at a position of a reference: chapter, pictures, text, lyrics, questions. It is a function of the position, so that
// it follows when playback is rewound or skipped.
import { clock, el, say, show, t } from './page.js';
import { active, answerRange, choicesOf, entriesOf, isRight, kindOf, pictureAddress, rightAnswers } from './timed-content.js';

export class Screen {
  #content; #entries; #lyrics; #answers; #keep; #position = -1; #stale = false; #key = null; #word = null; #shown = new Map();
  #place = el('div', { class: 'column', 'aria-live': 'polite' });
  #chapter = el('p', { class: 'tag', hidden: true });
  #words = el('ol', { class: 'plain lyrics-now', hidden: true });
  #nothing = el('p', { class: 'dim' }, t('companion.nothingNow'));
  #given = el('div');

  // `lyrics` has lines with their times. `answers` is what was answered before, and `keep` is called with all when one comes.
  constructor(content, { lyrics = [], answers = [], keep = () => {} } = {}) {
    [this.#content, this.#entries, this.#lyrics, this.#answers, this.#keep] = [content, entriesOf(content), lyrics, answers, keep];
    this.#words.append(...lyrics.map((line) => el('li', {}, line.text || '♪')));
    this.node = el('div', { class: 'screen' }, el('p', {}, this.#chapter), this.#nothing, this.#place, this.#words, this.#given);
    this.#drawAnswers();
  }

  // Shows what belongs to a position, in seconds. While nothing is heard it is stale: it stays, and takes no answers.
  show(position, { isStale = false } = {}) {
    const went = this.#position;
    [this.#position, this.#stale] = [position, isStale];
    this.node.classList.toggle('stale', isStale);
    const now = active(this.#entries, position);
    const key = now.map((entry) => entry.id).join('\n');
    // Who goes back within a question is asked it anew.
    if (position < went - 1) this.#shown.clear();
    if (key !== this.#key || position < went - 1) {
      this.#key = key;
      for (const id of [...this.#shown.keys()]) if (!now.some((entry) => entry.id === id)) this.#shown.delete(id);
      show(this.#place, now.map((entry) => this.#nodeOf(entry)));
    }
    for (const entry of now) {
      const item = this.#shown.get(entry.id);
      const parts = entry.parts.filter((part) => part.start <= position);
      if (item.count !== parts.length) {
        item.count = parts.length;
        show(item.parts, parts.map((part) => el('span', { class: 'part' }, part.title ?? '', picture(part.payload))));
      }
      item.update?.(position, isStale);
    }
    this.#drawChapter(position);
    this.#drawWords(position);
    this.#nothing.hidden = now.length > 0 || !this.#chapter.hidden || !this.#words.hidden;
  }

  #nodeOf(entry) {
    const item = this.#shown.get(entry.id) ?? (kindOf(entry) === 'question' ? this.#question(entry) : this.#plain(entry));
    this.#shown.set(entry.id, item);
    return item.node;
  }

  #plain(entry) {
    const parts = el('p', { class: 'parts' });
    return { parts, node: el('section', { class: 'card entry', data: { entry: entry.id } }, el('h3', {}, entry.title), picture(entry.payload, entry.title), parts) };
  }

  // MARK: Questions

  #question(entry) {
    const choices = choicesOf(entry);
    const parts = el('p', { class: 'parts' });
    const state = el('p', { class: 'small', role: 'status' });
    const send = el('button', { type: 'submit' }, t('companion.answer'));
    const several = entry.payload.several === true;
    const name = `q-${entry.id}`;
    const fields = choices.length
      ? el('div', {}, choices.map((choice) => el('label', {}, el('input', { type: several ? 'checkbox' : 'radio', name, value: choice }), choice)))
      : el('label', {}, t('companion.yourAnswer'), el('input', { type: 'text', name, maxlength: 400, autocomplete: 'off' }));
    const set = el('fieldset', {}, el('legend', {}, entry.title || t('companion.question')), picture(entry.payload, entry.title), parts, fields, el('p', {}, send), state);
    const form = el('form', { class: 'card entry question', data: { entry: entry.id }, onsubmit: (event) => { event.preventDefault(); answer(); } }, set);
    const earlier = this.#answers.findLast((given) => given.entry === entry.id);
    let given = null;
    let phase = '';
    const [from, to] = answerRange(entry);
    const tell = (sentence, kind = '') => { state.textContent = sentence; state.className = `small ${kind}`; };
    const answer = () => {
      if (phase !== 'open') return;
      const inputs = [...set.querySelectorAll('input')];
      const answers = choices.length ? inputs.filter((input) => input.checked).map((input) => input.value) : [inputs[0].value.trim()].filter(Boolean);
      if (!answers.length) { tell(t('companion.answerMissing'), 'warn'); return; }
      given = { entry: entry.id, title: entry.title, answers, right: isRight(entry, answers), position: this.#position };
      this.#answers.push(given);
      this.#keep(this.#answers);
      this.#drawAnswers();
      phase = '';
      update(this.#position, this.#stale);
      say(state.textContent);
    };
    const update = (position, isStale) => {
      const next = given ? 'given' : isStale ? 'stale' : position < from ? 'early' : position < to ? 'open' : 'late';
      if (next === phase) return;
      phase = next;
      for (const input of set.querySelectorAll('input, button')) input.disabled = next !== 'open';
      const right = rightAnswers(entry)?.join(', ');
      if (next === 'given') {
        const told = { answer: given.answers.join(', '), right };
        if (given.right === null) tell(t('companion.kept', told), 'good');
        else tell(t(given.right ? 'companion.right' : 'companion.wrong', told), given.right ? 'good' : 'bad');
      } else if (next === 'early') tell(t('companion.early', { time: clock(from) }), 'dim');
      else if (next === 'late') tell(right ? t('companion.lateRight', { right }) : t('companion.late'), 'dim');
      else if (next === 'stale') tell(t('companion.staleAnswer'), 'dim');
      else tell(earlier ? t('companion.again', { answer: earlier.answers.join(', ') }) : '', 'dim');
    };
    return { node: form, parts, update };
  }

  #drawAnswers() {
    if (!this.#answers.length) return;
    show(this.#given, el('details', { class: 'card answers' }, el('summary', {}, t('companion.answers', { count: this.#answers.length })),
      el('ul', {}, this.#answers.map((given) => el('li', {}, `${given.title}: ${given.answers.join(', ')}`,
        given.right === null ? '' : ` (${t(given.right ? 'companion.isRight' : 'companion.isWrong')})`))),
      el('p', { class: 'dim small' }, t('companion.answersStay'))));
  }

  // MARK: Chapters and lyrics

  #drawChapter(position) {
    const chapter = this.#content.chapters.findLast((part) => part.begin <= position && position < part.end);
    this.#chapter.hidden = !chapter;
    const words = chapter ? [chapter.title, chapter.subtitle].filter(Boolean).join(' · ') : '';
    if (this.#chapter.textContent !== words) this.#chapter.textContent = words;
  }

  #drawWords(position) {
    if (!this.#lyrics.length) return;
    const now = this.#lyrics.findLastIndex((line) => line.start <= position);
    if (now === this.#word) return;
    this.#word = now;
    this.#words.hidden = now < 0;
    [...this.#words.children].forEach((line, index) => {
      line.hidden = Math.abs(index - now) > 2;
      if (index === now) line.setAttribute('aria-current', 'true'); else line.removeAttribute('aria-current');
    });
  }
}

function picture(payload, name = '') {
  const address = pictureAddress(payload?.picture);
  return address ? el('img', { class: 'picture', src: address, alt: payload.alternative ?? name ?? '' }) : null;
}
