/** Loads parts of a page, and says where one does not arrive. */
import { SCRIPT_PATIENCE } from '../engine/patience.ts';
import { t } from '../messages/messages.ts';

/**
 * Starts a part of the page once its script is there. If it fails or is late, `place` says so and offers to load the
 * page again; a part that is only late still starts.
 */
export function loadPart<Part>(
  place: HTMLElement,
  part: () => Promise<Part>,
  start: (part: Part) => void,
): void {
  const timer = setTimeout(() => offerReload(place), SCRIPT_PATIENCE);
  part().then(
    loaded => {
      clearTimeout(timer);
      place.querySelector(':scope > .reload-offer')?.remove();
      start(loaded);
    },
    () => {
      clearTimeout(timer);
      offerReload(place);
    },
  );
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
