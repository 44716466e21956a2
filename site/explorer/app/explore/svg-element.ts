/** Adds elements to a drawing that the page has already. */
export const SVG = 'http://www.w3.org/2000/svg';

export function append(
  parent: Element,
  name: string,
  attributes: Readonly<Record<string, string | number>>,
  content?: string,
): void {
  const element = document.createElementNS(SVG, name);
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, String(value));
  if (content !== undefined) element.textContent = content;
  parent.append(element);
}
