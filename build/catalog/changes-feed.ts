/** Renders what each release changed in a dataset as an Atom feed (RFC 4287). Pure. */
import { describeChanges } from '../format/change-words.ts';
import type { ChangesDocument } from '../format/changes.ts';
import { clean, uuid } from './feed.ts';
import { oneLine } from './tree-description.ts';

/** Links are relative to the feed, which stands beside the rows, so that any copy of the tree has the right ones. */
export function changesFeed(
  { subject, since, releases }: ChangesDocument,
  title: string,
  author: string,
): string {
  const text = (words: string) => clean(oneLine(words));
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    '<feed xmlns="http://www.w3.org/2005/Atom">',
    `<id>${uuid(`${author}\n${subject}`)}</id>`,
    `<title>${text(`${title}: what changed`)}</title>`,
    `<updated>${releases[0]?.date ?? since}T00:00:00Z</updated>`,
    `<author><name>${text(author)}</name></author>`,
    '<link rel="alternate" type="application/json" href="changes.json"/>',
    ...releases.flatMap(one => [
      '<entry>',
      `<id>${uuid(`${author}\n${subject}\n${one.release}`)}</id>`,
      `<title>${text(`${one.date}: ${describeChanges(one)[0] ?? ''}`)}</title>`,
      `<updated>${one.date}T00:00:00Z</updated>`,
      `<link rel="alternate" href="${clean((one.rows?.json ?? one.rows?.file)?.path ?? 'changes.json')}"/>`,
      `<content type="text">${text(
        [
          ...describeChanges(one),
          ...(one.errata ?? []).map(({ wrong, corrected }) => `${wrong} ${corrected}`),
        ].join(' '),
      )}</content>`,
      '</entry>',
    ]),
    '</feed>',
    '',
  ].join('\n');
}
