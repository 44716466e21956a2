/** Adds a button to a block of code that copies it. */
import { t } from '../messages/messages.ts';

export function addCopyButton(block: HTMLElement): void {
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

/** Without access to the clipboard (no HTTPS), selects the code to be copied. */
async function copyText(code: HTMLElement): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(code.innerText.trimEnd());
    return true;
  } catch {
    getSelection()?.selectAllChildren(code);
    return false;
  }
}
