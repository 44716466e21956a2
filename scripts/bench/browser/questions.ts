/** What the browser is asked: about the largest dataset of the tree, whatever it is. */
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import type { DatasetManifest, TreeManifest } from '../../../build/format/manifest.ts';
import { ROOT, schemaPath } from '../../../build/format/paths.ts';
import type { SchemaDocument } from '../../../build/format/schema.ts';

export interface BrowserQuestions {
  /** `domain/topic` */
  readonly key: string;
  readonly detail: string;
  readonly rows: number;
  readonly years: number;
  /** The file with all years of the level. */
  readonly history: { readonly path: string; readonly bytes: number };
  /** A place in the middle of all, as a column and a value. */
  readonly place: { readonly column: string; readonly value: string };
  /** A figure, and the column that has the years. */
  readonly measure: string;
  readonly year: string;
}

export async function chooseQuestions(tree: string): Promise<BrowserQuestions> {
  const read = async <Document>(file: string) =>
    JSON.parse(await readFile(path.join(tree, file), 'utf8')) as Document;
  const { datasets } = await read<TreeManifest>(ROOT.manifest);
  const [largest] = [...datasets].sort((a, b) => b.rows - a.rows);
  if (!largest) throw new Error('The tree has no dataset.');
  const manifest = await read<DatasetManifest>(largest.path);
  const [level] = [...manifest.history].sort((a, b) => b.rows - a.rows);
  if (!level) throw new Error(`${largest.key} has no year but one.`);
  const [domain = '', topic = ''] = largest.key.split('/');
  const { columns, key_metric, filters } = await read<SchemaDocument>(schemaPath(domain, topic));
  const groups = level.file.row_groups;
  const [column = ''] = manifest.place;
  const value = groups[groups.length >> 1]?.min[manifest.key_columns.indexOf(column)];
  const measure = key_metric ?? columns.find(({ type }) => type === 'number')?.name;
  if (value === null || value === undefined || measure === undefined)
    throw new Error(`${largest.key} has no place to ask for, or no figure.`);
  return {
    key: largest.key,
    detail: level.detail,
    rows: level.rows,
    years: level.years.length,
    history: {
      path: path.posix.join(path.posix.dirname(largest.path), level.file.path),
      bytes: level.file.bytes,
    },
    place: { column, value: String(value) },
    measure,
    year: filters.find(({ kind }) => kind === 'year_exact')?.column ?? 'year',
  };
}
