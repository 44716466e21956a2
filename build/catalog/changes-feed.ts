/** Renders what each release changed in a dataset as an Atom feed (RFC 4287). Pure. */
import { renderAtom } from '../format/atom.ts';
import { describeChanges } from '../format/change-words.ts';
import type { ChangesDocument } from '../format/changes.ts';
import { uuid } from './feed.ts';
import { oneLine } from './tree-description.ts';

/** Links are relative to the feed, which stands beside the rows, so that any copy of the tree has the right ones. */
export function changesFeed(
  { subject, since, releases }: ChangesDocument,
  title: string,
  author: string,
): string {
  return renderAtom({
    id: uuid(`${author}\n${subject}`),
    title: oneLine(`${title}: what changed`),
    updated: releases[0]?.date ?? since,
    author: oneLine(author),
    links: [{ rel: 'alternate', type: 'application/json', href: 'changes.json' }],
    entries: releases.map(one => ({
      id: uuid(`${author}\n${subject}\n${one.release}`),
      title: oneLine(`${one.date}: ${describeChanges(one)[0] ?? ''}`),
      link: 'changes.json',
      updated: one.date,
      content: oneLine(
        [
          ...describeChanges(one),
          ...(one.errata ?? []).map(({ wrong, corrected }) => `${wrong} ${corrected}`),
        ].join(' '),
      ),
    })),
  });
}
