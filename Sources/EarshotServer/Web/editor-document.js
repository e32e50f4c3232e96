// A timeline that is edited: each change can be undone, and what is not saved survives a page that is loaded again.

const mostSteps = 200;

export class EditedDocument {
  #steps; #at = 0; #saved; #key; #on;

  // `document` is the timeline as it is saved; `key` names the place of its draft; `on` is called after each change.
  constructor(document, key, on) {
    [this.#key, this.#on] = [key, on];
    this.#saved = JSON.stringify(document);
    this.#steps = [this.#saved];
    const draft = sessionStorage.getItem(key);
    this.isDraft = draft !== null && draft !== this.#saved;
    if (this.isDraft) { this.#steps.push(draft); this.#at = 1; }
    this.#read();
  }

  #read() { this.value = JSON.parse(this.#steps[this.#at]); }

  get entries() { return this.value.entries; }
  get isChanged() { return this.#steps[this.#at] !== this.#saved; }
  get canUndo() { return this.#at > 0; }
  get canRedo() { return this.#at < this.#steps.length - 1; }
  entry(id) { return this.entries.find((entry) => entry.id === id); }

  // Changes the document by a function, as one step. `merge` names steps that are one together, such as those of a drag.
  change(body, merge = null) {
    body(this.value);
    this.entries.sort((a, b) => a.start - b.start);
    const text = JSON.stringify(this.value);
    if (text === this.#steps[this.#at]) { this.#on(); return; }
    if (merge === null || merge !== this.merged) this.#steps.splice(this.#at + 1, Infinity, text);
    else this.#steps.splice(this.#at, Infinity, text);
    this.merged = merge;
    if (this.#steps.length > mostSteps) this.#steps.shift();
    this.#at = this.#steps.length - 1;
    this.#keep();
  }

  // Ends what is merged to one step.
  settle() { this.merged = null; }
  undo() { if (this.canUndo) this.#go(-1); }
  redo() { if (this.canRedo) this.#go(1); }

  #go(by) {
    this.#at += by;
    this.merged = null;
    this.#read();
    this.#keep();
  }

  #keep() {
    try {
      if (this.isChanged) sessionStorage.setItem(this.#key, this.#steps[this.#at]); else sessionStorage.removeItem(this.#key);
    } catch { /* A draft that is too large for the browser is not kept. */ }
    this.#on();
  }

  // Notes that the document is saved as it is now.
  saved() { this.#saved = this.#steps[this.#at]; this.#keep(); }

  // A name that no entry has.
  freeID() {
    let number = this.entries.length + 1;
    while (this.entry(String(number))) number += 1;
    return String(number);
  }
}
