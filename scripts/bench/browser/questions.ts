/** The questions to the browser, about the tree's largest dataset that has places. */
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import {
  copiesByPlace,
  type DatasetManifest,
  type ManifestEntry,
  type TreeManifest,
} from '../../../build/format/manifest.ts';
import { ROOT, schemaPath } from '../../../build/format/paths.ts';
import type { SchemaDocument } from '../../../build/format/schema.ts';

export interface BrowserQuestions {
  /** `domain/topic` */
  readonly key: string;
  readonly detail: string;
  readonly rows: number;
  readonly years: number;
  /** The history file of the level. */
  readonly history: { readonly path: string; readonly bytes: number };
  /** A place from the middle of the list, as a column and a value. */
  readonly place: { readonly column: string; readonly value: string };
  /** A metric column, and the column of years. */
  readonly measure: string;
  readonly year: string;
}

type Read = <Document>(file: string) => Promise<Document>;

/** Throws if no dataset of the tree has several years, a place and a metric. */
export async function chooseQuestions(tree: string): Promise<BrowserQuestions> {
  const read = async <Document>(file: string) =>
    JSON.parse(await readFile(path.join(tree, file), 'utf8')) as Document;
  const { datasets } = await read<TreeManifest>(ROOT.manifest);
  for (const one of [...datasets].sort((a, b) => b.rows - a.rows)) {
    const questions = await askOf(read, one);
    if (questions) return questions;
  }
  throw new Error('The tree has no dataset with several years, a place and a metric.');
}

async function askOf(read: Read, { key, path: file }: ManifestEntry): Promise<BrowserQuestions | null> {
  const manifest = await read<DatasetManifest>(file);
  const [level] = [...copiesByPlace(manifest)].sort((a, b) => b.rows - a.rows);
  if (!level) return null;
  const [domain = '', topic = ''] = key.split('/');
  const { columns, key_metric, filters } = await read<SchemaDocument>(schemaPath(domain, topic));
  const groups = level.file.row_groups;
  const middle = groups[groups.length >> 1];
  const leastOf = (column: string) => middle?.min[manifest.key_columns.indexOf(column)] ?? null;
  const column = manifest.place.find(name => leastOf(name) !== null);
  const measure = key_metric ?? columns.find(({ type }) => type === 'number')?.name;
  if (column === undefined || measure === undefined) return null;
  return {
    key,
    detail: level.detail,
    rows: level.rows,
    years: level.years.length,
    history: { path: path.posix.join(path.posix.dirname(file), level.file.path), bytes: level.file.bytes },
    place: { column, value: String(leastOf(column)) },
    measure,
    year: filters.find(({ kind }) => kind === 'year_exact')?.column ?? 'year',
  };
}
