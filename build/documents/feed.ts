/**
 * Feeds of what each release changed, newest first. feed.json, feed.xml and release-notes.md have the same
 * content; each dataset also has its own feed. Pure.
 */
import { renderAtom, urnOf } from '../format/atom.ts';
import { type ChangesDocument, describeChanges, type TreeRelease } from '../format/changes.ts';
import type { Fields, Json, SchemaDocument } from '../format/documents.ts';
import { extractNotice } from '../format/envelope.ts';
import { ROOT } from '../format/paths.ts';
import { oneLine, someOf } from '../format/shown-text.ts';
import type { EarlierRelease } from '../plan/plan.ts';
import { digestText } from '../slice/file-digest.ts';
import { differenceLines, erratumLine, type TreeDifference } from '../tree/tree-difference.ts';
import {
  absolute,
  type DescribedTree,
  describeNext,
  inMarkdown,
  isAddress,
  textOf,
} from './tree-description.ts';

/** An item of JSON Feed 1.1. */
export interface FeedItem {
  readonly id: string;
  /** Address of the release; absent unless a host keeps releases. */
  readonly url?: string;
  readonly title: string;
  readonly content_text: string;
  /** RFC 3339 */
  readonly date_published: string;
  /** The same for programs; JSON Feed allows extensions. */
  readonly _civic: Json;
}

export interface EarlierReleases {
  /** Null if there is none, or if this release replaces it as the first. */
  readonly before: EarlierRelease | null;
  /** The items of its feed. */
  readonly items: readonly FeedItem[];
  /** This release. */
  readonly release: TreeRelease;
}

/** A release with the same content as the one before adds no item. */
export async function feedItems(
  tree: DescribedTree,
  { before, items }: Pick<EarlierReleases, 'before' | 'items'>,
  compare: () => Promise<TreeDifference>,
): Promise<readonly FeedItem[]> {
  if (before === null) return [firstItem(tree)];
  if (contentOf(before.manifest) === contentOf(tree)) return items;
  return [changeItem(tree, await compare()), ...items];
}

/** A release's name is its date and a hash of its content. */
function contentOf({ release, date }: { readonly release: string; readonly date: string }): string {
  return release.slice(date.length);
}

export function isFirst([item, ...others]: readonly FeedItem[]): boolean {
  return others.length === 0 && item?.title.endsWith(FIRST) === true;
}

const FIRST = ': first release';

function firstItem(tree: DescribedTree): FeedItem {
  const lines = tree.datasets.flatMap(({ key, version, years, schema, errata }) => [
    `${key} ${version}: ${years}; ${schema.detail_levels.join(', ')}`,
    ...errata.map(erratumLine),
  ]);
  if (tree.extract !== null) lines.unshift(extractNotice(tree.extract));
  return item(tree, `${tree.release}${FIRST}`, lines, { release: tree.release });
}

function changeItem(tree: DescribedTree, difference: TreeDifference): FeedItem {
  const { datasets, dimensions } = difference;
  const names = [...datasets, ...dimensions].map(one => one.title);
  const title = `${tree.release}: ${names.length === 0 ? 'documents only' : oneLine(someOf(names))}`;
  const changes = [...datasets, ...dimensions].map(({ slices: _, title: __, ...one }) => one);
  return item(tree, title, differenceLines(difference), {
    release: tree.release,
    previous: difference.old.release,
    changes: JSON.parse(JSON.stringify(changes)) as Json,
  });
}

function item(tree: DescribedTree, title: string, lines: readonly string[], civic: Json): FeedItem {
  const url = tree.releaseAddress;
  return {
    id: uuid(`${tree.publisher.service}\n${tree.release}`),
    ...(url && { url }),
    title,
    content_text: lines.join('\n'),
    date_published: `${tree.date}T00:00:00Z`,
    _civic: civic,
  };
}

/** Doesn't depend on the tree's address. */
function uuid(text: string): string {
  return urnOf(digestText(text));
}

export function jsonFeed(tree: DescribedTree, items: readonly FeedItem[]): Fields {
  const next = tree.datasets.flatMap(({ key, schema: { next_update } }) =>
    next_update ? [[key, next_update]] : [],
  );
  return {
    version: 'https://jsonfeed.org/version/1.1',
    title: `${tree.publisher.service}: releases`,
    description: tree.text,
    home_page_url: tree.baseUrl ?? undefined,
    feed_url: absolute(tree, ROOT.jsonFeed),
    authors: [{ name: tree.publisherName }],
    ...(next.length > 0 && { _civic: { next_updates: Object.fromEntries(next) as Fields } }),
    items: items.map(one => ({ ...one })),
  };
}

/** RFC 4287 */
export function atomFeed(tree: DescribedTree, items: readonly FeedItem[]): string {
  const { baseUrl } = tree;
  const { service } = tree.publisher;
  const links = baseUrl === null ? [] : [['self', ROOT.feed] as const, ['alternate', ''] as const];
  return renderAtom({
    id: uuid(service),
    title: `${service}: releases`,
    subtitle: tree.text,
    updated: (items[0]?.date_published ?? tree.date).slice(0, 10),
    author: tree.publisherName,
    links: links.map(([rel, path]) => ({ rel, href: new URL(path, baseUrl ?? '').href })),
    entries: items.map(one => ({
      id: one.id,
      title: one.title,
      link: isAddress(one.url) ? one.url : null,
      updated: one.date_published.slice(0, 10),
      content: one.content_text,
    })),
  });
}

/** Indented by four spaces, Markdown shows each text unchanged. */
export function releaseNotes({ publisher }: DescribedTree, items: readonly FeedItem[]): string {
  return textOf([
    `# ${inMarkdown(publisher.service)}: releases`,
    ...items.flatMap(one => [
      '',
      `## ${inMarkdown(one.title)}`,
      '',
      ...(isAddress(one.url) ? [`<${one.url}>`, ''] : []),
      ...one.content_text.split('\n').map(line => `    ${line}`),
    ]),
  ]);
}

/** Links are relative to the feed, which is next to the rows, so they work in any copy of the tree. */
export function changesFeed(
  { subject, since, releases }: ChangesDocument,
  { title, next_update: next }: Pick<SchemaDocument, 'title' | 'next_update'>,
  author: string,
): string {
  return renderAtom({
    id: uuid(`${author}\n${subject}`),
    title: oneLine(`${title}: what changed`),
    ...(next !== undefined && { subtitle: describeNext(next) }),
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
