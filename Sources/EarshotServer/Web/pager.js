// Pages of results: the one that is looked at and its two neighbors are held, and no others. The neighbors are fetched before they are
// asked for, so that moving does not wait.

// As many requests are under way at the same time at most as a page has results.
export const pageSize = 5;

export class ResultPager {
  #pages = new Map();
  #waiting = [];
  #running = 0;

  // `fetchPage` is given the number of a page, from 0, and a signal; it gives an object with `more`, whether there is a page behind it.
  // `changed` is called when other pages are held than before.
  constructor(fetchPage, changed = () => {}) {
    this.fetchPage = fetchPage;
    this.changed = changed;
    this.index = 0;
    this.mostRunning = 0;
  }

  // The numbers of the pages that are there.
  get held() { return [...this.#pages].filter(([, entry]) => entry.ready).map(([number]) => number).sort((one, other) => one - other); }

  // Keeps a page that is there already.
  put(number, page) {
    this.#pages.set(number, { ready: page, done: Promise.resolve(page), abort: new AbortController() });
  }

  // The page of a number at once; undefined while it is fetched.
  ready(number) { return this.#pages.get(number)?.ready; }

  // Goes to a page, and gives it. What cannot be fetched is asked for again when it is wanted again.
  async show(number) {
    this.index = number;
    const page = await this.#load(number).done;
    // Somebody has moved on while it was fetched.
    if (this.index !== number) return page;
    for (const [other, entry] of this.#pages) {
      if (Math.abs(other - number) <= 1) continue;
      entry.abort.abort();
      this.#pages.delete(other);
    }
    // Nobody has asked for these yet: a failure is told to whoever does.
    if (page.more) this.#load(number + 1).done.catch(() => {});
    if (number > 0) this.#load(number - 1).done.catch(() => {});
    this.changed();
    return page;
  }

  #load(number) {
    const known = this.#pages.get(number);
    if (known) return known;
    const entry = { abort: new AbortController() };
    entry.done = this.#inTurn(() => this.fetchPage(number, entry.abort.signal)).then(
      (page) => { entry.ready = page; this.changed(); return page; },
      (failure) => {
        if (this.#pages.get(number) === entry) this.#pages.delete(number);
        throw failure;
      });
    this.#pages.set(number, entry);
    return entry;
  }

  // Whoever ends gives its turn to the next one, so that there are never more.
  async #inTurn(work) {
    if (this.#running < pageSize) this.#running += 1;
    else await new Promise((begin) => this.#waiting.push(begin));
    this.mostRunning = Math.max(this.mostRunning, this.#running);
    try {
      return await work();
    } finally {
      const next = this.#waiting.shift();
      if (next) next();
      else this.#running -= 1;
    }
  }
}
