/** Makes blocks of code ready to paste: the tree's own address in them, and a button that copies them. */

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
  const label = block.dataset['label'] ?? 'code';
  const say = (text: string) => {
    button.textContent = text;
    button.setAttribute('aria-label', `${text}: ${label}`);
  };
  say('Copy');
  button.addEventListener('click', async () => {
    say((await copyText(code)) ? 'Copied' : 'Select and copy');
    setTimeout(() => say('Copy'), 2500);
  });
  block.append(button);
}

/** Where a page may not write to the clipboard (no HTTPS), the code is selected, for the reader's own keys. */
async function copyText(code: HTMLElement): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(code.innerText.trimEnd());
    return true;
  } catch {
    getSelection()?.selectAllChildren(code);
    return false;
  }
}
