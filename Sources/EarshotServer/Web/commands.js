import { t } from './page.js';

for (const box of document.querySelectorAll('pre')) {
  const button = document.createElement('button');
  button.type = 'button';
  button.textContent = t('start.copy');
  button.addEventListener('click', async () => {
    try {
      await navigator.clipboard.writeText(box.textContent);
    } catch {
      getSelection().selectAllChildren(box);
      document.execCommand('copy');
    }
    button.textContent = t('start.copied');
    setTimeout(() => { button.textContent = t('start.copy'); }, 2000);
  });
  const frame = document.createElement('div');
  box.replaceWith(frame);
  frame.append(box, button);
}