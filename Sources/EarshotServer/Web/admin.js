// The operator's pages: which section is shown, and the way between them. A section is a module of its own, loaded when it is wanted.
// Its function `open` is given the place to fill and a view: the identifier in the address, its parameters, a signal that is aborted when
// the section is left, and `go`, which leads to another address.
import { app, el, t, show, busy } from './page.js';
import { fault } from './admin-kit.js';

// Sections of the navigation by their addresses. Others are reached from these.
const sections = { '': 'overview', references: 'references', catalogs: 'catalogs', clients: 'clients', music: 'music', sessions: 'sessions', audit: 'audit', log: 'log', settings: 'settings' };
const inner = { duplicates: 'references' };

const tabs = el('nav', { class: 'tabs', 'aria-label': t('admin.sections') });
const links = Object.entries(sections).map(([address, name]) => el('a', { href: address ? `/admin/${address}` : '/admin', data: { section: name } }, t(`admin.${name}`)));
const place = el('div', { class: 'section' });
show(tabs, links);
show(app, tabs, place);

let leaving = new AbortController();

// Leads to an address of the operator's pages.
function go(address, { replace = false } = {}) {
  history[replace ? 'replaceState' : 'pushState'](null, '', address);
  if (!replace) window.scrollTo(0, 0);
  render(false);
}

function decoded(text) {
  try { return decodeURIComponent(text); } catch { return text; }
}

async function render(isFirst) {
  leaving.abort();
  leaving = new AbortController();
  const { signal } = leaving;
  const [, , address = '', rest] = location.pathname.split('/');
  const name = sections[address] ?? (inner[address] && address);
  const current = inner[address] ?? name;
  for (const link of links) {
    if (link.dataset.section === current) {
      link.setAttribute('aria-current', 'page');
      // On a phone it may be beyond the edge.
      tabs.scrollLeft = link.offsetLeft - (tabs.clientWidth - link.offsetWidth) / 2;
    } else link.removeAttribute('aria-current');
  }
  if (!name) {
    show(place, el('h2', { tabindex: '-1' }, t('admin.noSection')), el('p', {}, el('a', { href: '/admin' }, t('admin.overview'))));
    return;
  }
  document.title = `${t(`admin.${current}`)} · ${t('admin.title')}`;
  show(place, busy());
  try {
    const module = await import(`./admin-${name}.js`);
    if (signal.aborted) return;
    const view = { id: rest ? decoded(rest) : null, query: new URLSearchParams(location.search), signal, go, reload: () => render(true) };
    await module.open(place, view);
  } catch (error) {
    if (signal.aborted) return;
    show(place, fault(error, () => render(false)));
  }
  if (!isFirst && !signal.aborted) place.querySelector('h2')?.focus({ preventScroll: true });
}

// Links within the operator's pages lead on without loading the page anew.
app.addEventListener('click', (event) => {
  const link = event.target.closest?.('a[href]');
  if (!link || event.defaultPrevented || event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return;
  const url = new URL(link.href);
  if (link.target || link.hasAttribute('download') || url.origin !== location.origin || !/^\/admin(\/|$)/.test(url.pathname)) return;
  event.preventDefault();
  go(url.pathname + url.search);
});
window.addEventListener('popstate', () => render(false));
render(true);
