// A folder of the person's, chosen or dropped: the files with the names that lead to them.
import { el, t } from './page.js';

// No folder that a person means has more.
const limit = 20_000;

// A place that takes a folder. `on` is called with its name and its files, each with the path below it; hidden ones are left out.
export function folderDrop(sentence, on) {
  const input = el('input', { type: 'file', webkitdirectory: true, multiple: true, class: 'sr', onchange: () => {
    const files = [...input.files].map((file) => ({ file, path: file.webkitRelativePath.split('/').slice(1) }));
    const name = input.files[0]?.webkitRelativePath.split('/')[0] ?? '';
    input.value = '';
    if (files.length) on(name, visible(files));
  } });
  const place = el('div', { class: 'drop' }, el('p', {}, sentence), el('label', { class: 'button second' }, input, t('frame.chooseFolder')));
  place.addEventListener('dragover', (event) => { event.preventDefault(); place.classList.add('over'); });
  place.addEventListener('dragleave', () => place.classList.remove('over'));
  place.addEventListener('drop', async (event) => {
    event.preventDefault();
    place.classList.remove('over');
    // The list is gone after the first pause.
    const entries = [...event.dataTransfer.items].map((item) => item.webkitGetAsEntry?.()).filter(Boolean);
    const found = [];
    const isOne = entries.length === 1 && entries[0].isDirectory;
    for (const entry of isOne ? await children(entries[0]) : entries) await walk(entry, [], found);
    if (found.length) on(isOne ? entries[0].name : '', visible(found));
  });
  return place;
}

const visible = (files) => files.filter(({ path }) => path.length && !path.some((name) => name.startsWith('.')));

async function walk(entry, path, found) {
  if (found.length >= limit || entry.name.startsWith('.')) return;
  if (entry.isDirectory) {
    for (const child of await children(entry)) await walk(child, [...path, entry.name], found);
  } else {
    const file = await new Promise((done) => entry.file(done, () => done(null)));
    if (file) found.push({ file, path: [...path, entry.name] });
  }
}

// A browser gives the entries of a folder a hundred at a time.
async function children(folder) {
  const reader = folder.createReader();
  const all = [];
  for (;;) {
    const some = await new Promise((done) => reader.readEntries(done, () => done([])));
    if (!some.length) return all;
    all.push(...some);
  }
}
