/** What a page says where a part of it did not arrive. */

/** Says so at the end of the element, once, with a button that loads the page again. */
export function offerReload(place: HTMLElement): void {
  if (place.querySelector('.reload-offer')) return;
  const notice = document.createElement('p');
  notice.className = 'notice warn reload-offer';
  notice.setAttribute('role', 'alert');
  notice.textContent = 'A part of this page could not be loaded. ';
  const button = document.createElement('button');
  button.type = 'button';
  button.className = 'button quiet small';
  button.textContent = 'Try again';
  button.addEventListener('click', () => location.reload());
  notice.append(button);
  place.append(notice);
}
