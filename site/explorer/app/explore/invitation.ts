/**
 * Loads the explorer when the reader asks for it, so that a page that is only read stays small. A link to a view loads
 * it at once.
 */

import { loadPart } from '../reload-offer.ts';

const SIGNS = ['pointerdown', 'keydown', 'scroll', 'touchstart', 'pointermove'] as const;

/** Adds a button to the section, and fills the section on demand. Its `data-key` is `domain/topic`. */
export function inviteReader(element: HTMLElement, root: URL): void {
  const key = element.dataset['key'];
  if (key === undefined) return;
  const waiting = new AbortController();
  const begin = () => {
    if (waiting.signal.aborted) return;
    waiting.abort();
    loadPart(
      element,
      () => import('./mount.tsx'),
      ({ mountExplore }) => mountExplore(element, root, key),
    );
  };
  if (location.search !== '') {
    // The headline is another view than the one in the address.
    element.dataset['viewing'] = '';
    begin();
    return;
  }
  const button = document.createElement('button');
  button.type = 'button';
  button.className = 'button';
  button.textContent = 'Change places, years and groups';
  button.addEventListener('click', begin, { signal: waiting.signal });
  element.append(button);
  for (const sign of SIGNS) addEventListener(sign, begin, { signal: waiting.signal, passive: true });
}
