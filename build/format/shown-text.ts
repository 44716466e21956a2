/** Characters that reorder the line around them, so that a reader sees another text than was written. */
const REORDERING = /[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/g;

/** Shows such characters as `\\u202e`. In JSON, the result means the same text. */
export function showReordering(text: string): string {
  return text.replace(REORDERING, one => `\\u${one.charCodeAt(0).toString(16).padStart(4, '0')}`);
}

/** 1,234,567, whatever the machine's locale. */
export function groupDigits(count: number): string {
  return String(count).replace(/\B(?=(\d{3})+$)/g, ',');
}

/** `1,234 rows` */
export function countOf(count: number, noun: string): string {
  return `${groupDigits(count)} ${noun}${count === 1 ? '' : 's'}`;
}

/** For text between tags and in quoted attributes. */
export function escapeHtml(text: string): string {
  return escapeMarkup(showReordering(text));
}

/** For HTML and XML. */
export function escapeMarkup(text: string): string {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
    .replaceAll("'", '&#39;');
}

/** Replaces control characters too, because some formats can't contain them. */
export function oneLine(text: string): string {
  return text.replace(/[\s\p{Cc}]+/gu, ' ').trim();
}

/** `a, b, c and 4 more` */
export function someOf(names: readonly string[], most = 3): string {
  const more = names.length - most;
  return `${names.slice(0, most).join(', ')}${more > 0 ? ` and ${more} more` : ''}`;
}
