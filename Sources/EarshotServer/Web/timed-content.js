// Timed content as the service sends it: what is active at a position, and which kind of thing an entry is.

// The entries of a reference, each with the end that counts: its own, or where the next one of its lane begins, or the reference's.
export function entriesOf(content) {
  const entries = (content.timeline?.entries ?? []).map((entry) => ({ lane: 0, parts: [], payload: {}, title: '', ...entry }))
    .sort((a, b) => a.start - b.start);
  for (const entry of entries) {
    const next = entries.find((other) => other.lane === entry.lane && other.start > entry.start);
    entry.until = Math.min(entry.end ?? Infinity, next?.start ?? Infinity, Math.max(content.duration, entry.start + 1));
  }
  return entries;
}

// What is active at a position, lower lanes first.
export function active(entries, position) {
  return entries.filter((entry) => entry.start <= position && position < entry.until).sort((a, b) => a.lane - b.lane);
}

// `question`, `picture`, or `text`.
export function kindOf(entry) {
  if (entry.requiresAnswer || entry.payload.choices || entry.payload.answer !== undefined) return 'question';
  return entry.payload.picture ? 'picture' : 'text';
}

// The texts to choose from; none for a question that is answered in words.
export function choicesOf(entry) {
  const choices = entry.payload.choices;
  return Array.isArray(choices) ? choices.filter((choice) => typeof choice === 'string') : [];
}

// The right answers; null where none is told.
export function rightAnswers(entry) {
  const answer = entry.payload.answer;
  if (answer === undefined || answer === null) return null;
  return (Array.isArray(answer) ? answer : [answer]).map(String);
}

// Whether answers are right; null where nobody says so. Of words, case and blanks around them do not count.
export function isRight(entry, answers) {
  const right = rightAnswers(entry);
  if (!right) return null;
  if (!choicesOf(entry).length) {
    const plain = (text) => text.trim().toLowerCase();
    return right.some((text) => plain(text) === plain(answers[0] ?? ''));
  }
  return right.length === answers.length && right.every((text) => answers.includes(text));
}

// When answers count, in seconds.
export function answerRange(entry) { return entry.answerRange ?? [entry.start, entry.until]; }

// An address that a page may load a picture from: of this service, or in the content itself.
export function pictureAddress(address) {
  if (typeof address !== 'string') return null;
  return /^\/(?![/\\])/.test(address) || /^data:image\/(png|jpeg|webp|gif);base64,/.test(address) ? address : null;
}
