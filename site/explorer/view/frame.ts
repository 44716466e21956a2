/** The text that shows a view in a page of another site. */

/** `width`: of HTML, such as `100%`. `height`: in pixels. */
export function writeFrame(address: string, title: string, width: string, height: number): string {
  const quoted = (text: string) =>
    `"${text.replaceAll('&', '&amp;').replaceAll('"', '&quot;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')}"`;
  return `<iframe src=${quoted(address)} title=${quoted(title)} width="${width}" height="${height}" loading="lazy" style="border: 0"></iframe>`;
}
