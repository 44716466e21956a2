/** Prepares code blocks for pasting: puts the tree's address in, and adds a copy button. */
import { t } from '../messages/messages.ts';

export function prepareCode(root: URL): void {
  for (const place of document.querySelectorAll('.tree-address')) place.textContent = root.href;
  for (const block of document.querySelectorAll<HTMLElement>('.code.with-copy')) addCopyButton(block);
}

function addCopyButton(block: HTMLElement): void {
  const code = block.querySelector('pre');
  if (code === null) return;
  const button = document.createElement('button');
  button.type = 'button';
  button.className = 'button quiet small';
  const label = block.dataset['label'] ?? t.code.block;
  const say = (text: string) => {
    button.textContent = text;
    button.setAttribute('aria-label', `${text}: ${label}`);
  };
  say(t.code.copy);
  button.addEventListener('click', async () => {
    say((await copyText(code)) ? t.code.copied : t.code.select);
    setTimeout(() => say(t.code.copy), 2500);
  });
  block.append(button);
}

/** Without access to the clipboard (no HTTPS), selects the code so that the reader can copy it. */
async function copyText(code: HTMLElement): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(code.innerText.trimEnd());
    return true;
  } catch {
    getSelection()?.selectAllChildren(code);
    return false;
  }
}
