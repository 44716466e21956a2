/** Ready-made code for a dataset. Each snippet runs as pasted and keeps codes as text. */
import { copiesByPlace, type RowsFile, type SliceEntry } from '../../../build/format/manifest.ts';
import { datasetFolder, NO_YEAR } from '../../../build/format/paths.ts';
import { t } from '../messages/messages.ts';
import type { DatasetDocuments } from './documents.ts';
import { ADDRESS } from './text.tsx';

interface Snippet {
  readonly name: string;
  readonly kind: 'shell' | 'sql' | 'python' | 'r' | 'javascript';
  /** What the code does, and what it needs. */
  readonly text: string;
  readonly code: string;
}

/** Code for the default level: its latest year, and all its years if they have one file. */
export function renderSnippets({ schema, manifest }: DatasetDocuments): Snippet[] {
  const folder = `${datasetFolder(schema.main_topic, schema.topic)}/`;
  const slice =
    manifest.slices.findLast(one => one.detail === schema.default_detail) ?? manifest.slices.at(-1);
  if (slice === undefined) return [];
  const { year, detail } = slice;
  const whole = copiesByPlace(manifest).find(one => one.detail === detail);
  const parquet = whole?.file ?? slice.files.parquet[0];
  const span = year === NO_YEAR ? t.snippets.allRows : String(year);
  const years = whole ? t.words.allYears : span;
  const codes = manifest.columns.filter(column => column.type === 'string').map(column => column.name);
  const at = (file: { readonly path: string }) => ADDRESS + folder + file.path;
  const [csv] = slice.files.csv;
  return [
    ...(csv ? [curl(at(csv), csv, `${detail}, ${span}`), wget(folder)] : []),
    ...(parquet
      ? [duckdb(at(parquet), parquet.path.split('/').at(-1) ?? '', `${detail}, ${years}`, schema.grain)]
      : []),
    ...(csv ? [pandas(at(csv), codes), polars(at(csv), codes), r(at(csv), codes)] : []),
    ...javascript(slice, at),
  ];
}

const inShell = (text: string) => `'${text.replaceAll("'", `'\\''`)}'`;
const inCode = (text: string) => JSON.stringify(text);
const inSql = (name: string) => `"${name.replaceAll('"', '""')}"`;

function curl(url: string, file: RowsFile, what: string): Snippet {
  const name = file.path.split('/').at(-1) ?? '';
  return {
    name: 'curl',
    kind: 'shell',
    text: t.snippets.curl(what),
    code: `curl --fail --remote-name ${inShell(url)}\necho ${inShell(`${file.sha256}  ${name}`)} | sha256sum --check`,
  };
}

function wget(folder: string): Snippet {
  return {
    name: 'wget',
    kind: 'shell',
    text: t.snippets.wget,
    code: `wget --recursive --no-parent --no-verbose --accept '*.csv' ${inShell(ADDRESS + folder)}`,
  };
}

function duckdb(url: string, name: string, what: string, grain: readonly string[]): Snippet {
  const order = grain.map(inSql).join(', ');
  return {
    name: 'DuckDB',
    kind: 'sql',
    text: t.snippets.duckdb(what),
    code: `-- curl --fail --remote-name ${inShell(url)}\nSELECT * FROM read_parquet(${inShell(name)})\nORDER BY ${order} LIMIT 10;`,
  };
}

function pandas(url: string, codes: readonly string[]): Snippet {
  return {
    name: 'pandas',
    kind: 'python',
    text: t.snippets.pandas,
    code: `import pandas as pd

text = ${list(codes, '[', ']')}
rows = pd.read_csv(
    ${inCode(url)},
    dtype={name: "string" for name in text},
    keep_default_na=False,
    na_values=[""],
)
print(rows.head())`,
  };
}

function polars(url: string, codes: readonly string[]): Snippet {
  return {
    name: 'polars',
    kind: 'python',
    text: t.snippets.polars,
    code: `import polars as pl

text = ${list(codes, '[', ']')}
rows = pl.read_csv(
    ${inCode(url)},
    schema_overrides={name: pl.String for name in text},
    infer_schema_length=None,
)
print(rows.head())`,
  };
}

function r(url: string, codes: readonly string[]): Snippet {
  return {
    name: 'R',
    kind: 'r',
    text: t.snippets.r,
    code: `text <- ${list(codes, 'c(', ')')}
rows <- read.csv(
  ${inCode(url)},
  colClasses = setNames(rep("character", length(text)), text),
  na.strings = "", encoding = "UTF-8"
)
head(rows)`,
  };
}

function javascript(slice: SliceEntry, at: (file: { readonly path: string }) => string): Snippet[] {
  const [first] = slice.files.json;
  if (first === undefined) return [];
  return [
    {
      name: 'JavaScript',
      kind: 'javascript',
      text: t.snippets.javascript(
        t.counts.rows(slice.rows),
        slice.detail + (slice.year === NO_YEAR ? '' : `, ${slice.year}`),
      ),
      code: `const rows = [];
for (let url = ${inCode(at(first))}; url; ) {
  const page = await (await fetch(url)).json();
  for (const row of page.data) rows.push(row);
  url = page.next && new URL(page.next, url).href;
}
console.log(rows.length, rows[0]);`,
    },
  ];
}

function list(names: readonly string[], open: string, close: string): string {
  const lines: string[] = [];
  for (const name of names.map(inCode)) {
    const last = lines.at(-1);
    if (last !== undefined && last.length + name.length < 88) lines[lines.length - 1] = `${last} ${name},`;
    else lines.push(`    ${name},`);
  }
  const body = lines.join('\n').replace(/,$/, '');
  return lines.length === 0 ? open + close : `${open}\n${body}\n${close}`;
}
