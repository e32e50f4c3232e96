// The settings as they are, each with the origin of its value.
import { el, t, ask, show } from './page.js';
import { heading, heads, table } from './admin-kit.js';

export async function open(place, { signal }) {
  const told = await ask('/v1/admin/settings', { signal });
  const rows = told.settings.map((one) => el('tr', { data: { source: one.source } }, [
    el('code', {}, one.name), one.value === undefined ? el('span', { class: 'dim' }, t('admin.unset')) : el('span', {}, one.value),
    el('span', { class: one.source === 'default' ? 'dim' : '' }, t(`admin.source-${one.source}`)), el('code', { class: 'small' }, one.variable)].map((cell) => el('td', {}, cell))));
  const filter = () => {
    const words = input.value.trim().toLowerCase();
    let shown = 0;
    for (const row of rows) {
      row.hidden = !(row.textContent.toLowerCase().includes(words) && (!isSet.checked || row.dataset.source !== 'default'));
      if (!row.hidden) shown += 1;
    }
    count.textContent = t('admin.settingCount', { count: shown });
  };
  const input = el('input', { type: 'search', 'aria-label': t('admin.searchSettings'), placeholder: t('admin.searchSettings'), oninput: filter });
  const isSet = el('input', { type: 'checkbox', onchange: filter });
  const count = el('p', { class: 'dim', role: 'status' });
  show(place, heading(t('admin.settings')), el('p', { class: 'dim' }, told.file ? t('admin.settingsFile', { file: told.file }) : t('admin.settingsHelp')),
    el('div', { class: 'row search' }, input, el('label', {}, isSet, t('admin.onlySet'))), count,
    table(t('admin.settings'), heads('setting', 'value', 'origin', 'variable'), rows));
  filter();
}
