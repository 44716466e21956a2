/** Loads parts of a page, and says where one does not arrive. */
import { SCRIPT_PATIENCE } from '../engine/patience.ts';
import { t } from '../messages/messages.ts';

/**
 * Starts a part of the page once its script is there. If it fails or is late, `place` says so and offers to load the
 * page again; a part that is only late still starts.
 */
export async function loadPart<Part>(
  place: HTMLElement,
  part: () => Promise<Part>,
  start: (part: Part) => void | Promise<void>,
): Promise<void> {
  const timer = setTimeout(() => offerReload(place), SCRIPT_PATIENCE);
  const loaded = await part().catch(() => null);
  clearTimeout(timer);
  if (loaded === null) return offerReload(place);
  place.querySelector(':scope > .reload-offer')?.remove();
  await start(loaded);
}

/** Says so at the end of the element, once, with a button that loads the page again. */
function offerReload(place: HTMLElement): void {
  if (place.querySelector('.reload-offer')) return;
  const notice = document.createElement('p');
  notice.className = 'notice warn reload-offer';
  notice.setAttribute('role', 'alert');
  notice.textContent = `${t.errors.partMissing} `;
  const button = document.createElement('button');
  button.type = 'button';
  button.className = 'button quiet small';
  button.textContent = t.errors.retry;
  button.addEventListener('click', () => location.reload());
  notice.append(button);
  place.append(notice);
}
