// Moves through the results of a search without loading the page anew. Each page has an address, and links lead there without this, too.
import { ask, busy, faultBox, say, show } from './page.js';
import { pageSize, ResultPager } from './pager.js';

const place = document.getElementById('results');

// A document of its own: the pictures of pages that are held are fetched only when they are shown.
const store = document.implementation.createHTMLDocument('');

function kept(part) {
  return { part: store.importNode(part, true), more: part.querySelector('a[rel=next]') !== null };
}

function address(number) {
  const url = new URL(location.href);
  if (number) url.searchParams.set('offset', number * pageSize);
  else url.searchParams.delete('offset');
  return url.pathname + url.search;
}

function begin() {
  // Each search has pages of its own: what is fetched for another one is not shown.
  const path = (number) => address(number);
  const pager = new ResultPager(async (number, signal) => {
    const answer = await ask(path(number), { raw: true, signal });
    const part = new DOMParser().parseFromString(await answer.text(), 'text/html').getElementById('results');
    return kept(part);
  }, () => {
    place.dataset.held = pager.held.join(' ');
    place.dataset.mostRunning = pager.mostRunning;
  });
  const first = Math.floor(Number(place.dataset.offset) / pageSize);
  pager.put(first, kept(place));

  async function go(number) {
    if (!pager.ready(number)) show(place, busy());
    try {
      const page = await pager.show(number);
      if (pager.index !== number) return;
      show(place, ...[...page.part.childNodes].map((node) => document.importNode(node, true)));
      const heading = place.querySelector('h2');
      heading?.focus();
      say(heading?.textContent ?? '');
    } catch (failure) {
      if (failure.name === 'AbortError' || pager.index !== number) return;
      show(place, faultBox(failure, () => go(number)));
    }
  }

  place.addEventListener('click', (event) => {
    const link = event.target.closest?.('a[rel=next], a[rel=prev]');
    if (!link || event.button || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return;
    event.preventDefault();
    const number = pager.index + (link.rel === 'next' ? 1 : -1);
    history.pushState(null, '', address(number));
    go(number);
  });
  const addressed = () => Math.floor(Number(new URLSearchParams(location.search).get('offset') ?? 0) / pageSize) || 0;
  addEventListener('popstate', () => go(addressed()));
  // Whoever goes back before this runs has an address whose results are not those that were loaded.
  if (addressed() !== first) go(addressed());
  // The neighbors of the first page.
  else pager.show(first);
}

if (place?.dataset.offset !== undefined) begin();
