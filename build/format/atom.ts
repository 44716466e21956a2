/** Renders Atom feeds (RFC 4287), for builds and edges. */
import { escapeMarkup } from './shown-text.ts';

interface AtomFeed {
  /** An IRI that never changes. */
  readonly id: string;
  readonly title: string;
  readonly subtitle?: string;
  /** YYYY-MM-DD */
  readonly updated: string;
  readonly author: string;
  readonly links: readonly { readonly rel: string; readonly href: string; readonly type?: string }[];
  /** Newest first. */
  readonly entries: readonly AtomEntry[];
}

interface AtomEntry {
  readonly id: string;
  readonly title: string;
  /** Null if there is no page to link to. */
  readonly link: string | null;
  /** YYYY-MM-DD */
  readonly updated: string;
  readonly content: string;
}

/** Escapes every text, because contracts are untrusted. */
export function renderAtom({ id, title, subtitle, updated, author, links, entries }: AtomFeed): string {
  const text = (name: string, value: string, attributes = '') =>
    `<${name}${attributes}>${xmlText(value)}</${name}>`;
  const moment = (day: string) => text('updated', `${day}T00:00:00Z`);
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    '<feed xmlns="http://www.w3.org/2005/Atom">',
    text('id', id),
    text('title', title),
    ...(subtitle === undefined ? [] : [text('subtitle', subtitle)]),
    moment(updated),
    `<author>${text('name', author)}</author>`,
    ...links.map(
      ({ rel, href, type }) =>
        `<link rel="${xmlText(rel)}"${type === undefined ? '' : ` type="${xmlText(type)}"`} href="${xmlText(href)}"/>`,
    ),
    ...entries.flatMap(one => [
      '<entry>',
      text('id', one.id),
      text('title', one.title),
      ...(one.link === null ? [] : [`<link rel="alternate" href="${xmlText(one.link)}"/>`]),
      moment(one.updated),
      text('content', one.content, ' type="text"'),
      '</entry>',
    ]),
    '</feed>',
    '',
  ].join('\n');
}

/** A UUID of version 8, made from a SHA-256 in hexadecimal. */
export function urnOf(hex: string): string {
  const parts = [hex.slice(0, 8), hex.slice(8, 12), `8${hex.slice(13, 16)}`, `8${hex.slice(17, 20)}`];
  return `urn:uuid:${[...parts, hex.slice(20, 32)].join('-')}`;
}

/** Escapes a text, without the characters that XML cannot contain. */
export function xmlText(text: string): string {
  return escapeMarkup(text.replace(/[^\t\n\r\u0020-\uD7FF\uE000-\uFFFD\u{10000}-\u{10FFFF}]/gu, ''));
}
