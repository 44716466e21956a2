/** Ready-made code for a dataset. Each snippet runs as pasted and keeps codes as text. */
import { copiesByPlace } from '../../../build/format/manifest.ts';
import { datasetFolder, NO_YEAR } from '../../../build/format/paths.ts';
import { t } from '../messages/messages.ts';
import type { DatasetDocuments } from './documents.ts';
import { ADDRESS } from './text.tsx';

interface Snippet {
  readonly name: string;
  readonly kind: 'shell' | 'sql' | 'python' | 'r' | 'javascript' | 'm' | 'formula';
  /** What the code does, and what it needs. */
  readonly text: string;
  readonly code: string;
}

const inShell = (text: string) => `'${text.replaceAll("'", `'\\''`)}'`;
const inCode = (text: string) => JSON.stringify(text);
/** A string of Power Query, where `#(` begins an escape. */
const inM = (text: string) => `"${text.replaceAll('"', '""').replaceAll('#(', '#(#)(')}"`;
const inSql = (name: string) => `"${name.replaceAll('"', '""')}"`;

/** Code for the default level: its latest year, and all its years if they have one file. */
export function renderSnippets({ schema, manifest }: DatasetDocuments): Snippet[] {
  const folder = `${datasetFolder(schema.main_topic, schema.topic)}/`;
  const slice =
    manifest.slices.findLast(one => one.detail === schema.default_detail) ?? manifest.slices.at(-1);
  if (slice === undefined) return [];
  const { year, detail, files } = slice;
  const whole = copiesByPlace(manifest).find(one => one.detail === detail);
  const span = year === NO_YEAR ? t.snippets.allRows : String(year);
  const at = (file: { readonly path: string }) => ADDRESS + folder + file.path;
  const [csv] = files.csv;
  const [json] = files.json;
  const parquet = whole?.file ?? files.parquet[0];
  const nameOf = (file: { readonly path: string }) => file.path.split('/').at(-1) ?? '';
  const codes = manifest.columns.filter(column => column.type === 'string').map(column => column.name);
  const snippets: readonly (Snippet | undefined)[] = [
    csv && {
      name: 'curl',
      kind: 'shell',
      text: t.snippets.curl(`${detail}, ${span}`),
      code: `curl --fail --remote-name ${inShell(at(csv))}\necho ${inShell(`${csv.sha256}  ${nameOf(csv)}`)} | sha256sum --check`,
    },
    csv && {
      name: 'wget',
      kind: 'shell',
      text: t.snippets.wget,
      code: `wget --recursive --no-parent --no-verbose --accept '*.csv' ${inShell(ADDRESS + folder)}`,
    },
    parquet && {
      name: 'DuckDB',
      kind: 'sql',
      text: t.snippets.duckdb(`${detail}, ${whole ? t.words.allYears : span}`),
      code: `-- curl --fail --remote-name ${inShell(at(parquet))}
SELECT * FROM read_parquet(${inShell(nameOf(parquet))})
ORDER BY ${schema.grain.map(inSql).join(', ')} LIMIT 10;`,
    },
    csv && {
      name: 'pandas',
      kind: 'python',
      text: t.snippets.pandas,
      code: `import pandas as pd

text = ${list(codes, '[', ']')}
rows = pd.read_csv(
    ${inCode(at(csv))},
    dtype={name: "string" for name in text},
    keep_default_na=False,
    na_values=[""],
)
print(rows.head())`,
    },
    csv && {
      name: 'polars',
      kind: 'python',
      text: t.snippets.polars,
      code: `import polars as pl

text = ${list(codes, '[', ']')}
rows = pl.read_csv(
    ${inCode(at(csv))},
    schema_overrides={name: pl.String for name in text},
    infer_schema_length=None,
)
print(rows.head())`,
    },
    csv && {
      name: 'R',
      kind: 'r',
      text: t.snippets.r,
      code: `text <- ${list(codes, 'c(', ')')}
rows <- read.csv(
  ${inCode(at(csv))},
  colClasses = setNames(rep("character", length(text)), text),
  na.strings = "", encoding = "UTF-8"
)
head(rows)`,
    },
    csv && {
      name: 'Power Query',
      kind: 'm',
      text: t.snippets.powerQuery(slice.rows >= 1_048_576),
      code: `let
    Source = Csv.Document(
        Web.Contents(${inM(at(csv))}),
        [Delimiter = ",", Columns = ${manifest.columns.length}, Encoding = 65001, QuoteStyle = QuoteStyle.Csv]
    ),
    Named = Table.PromoteHeaders(Source, [PromoteAllScalars = true]),
    Nulls = Table.ReplaceValue(Named, "", null, Replacer.ReplaceValue, Table.ColumnNames(Named)),
    Typed = Table.TransformColumnTypes(
        Nulls,
        {
${manifest.columns.map(one => `            {${inM(one.name)}, ${TYPES_IN_M[one.type]}${one.utc ? 'zone' : ''}}`).join(',\n')}
        },
        "en-US"
    )
in
    Typed`,
    },
    csv && {
      name: 'Google Sheets',
      kind: 'formula',
      text: t.snippets.googleSheets(slice.rows * manifest.columns.length > 10_000_000),
      code: `=IMPORTDATA("${at(csv)}", ",", "en_US")`,
    },
    json && {
      name: 'JavaScript',
      kind: 'javascript',
      text: t.snippets.javascript(
        t.counts.rows(slice.rows),
        year === NO_YEAR ? detail : `${detail}, ${year}`,
      ),
      code: `const rows = [];
for (let url = ${inCode(at(json))}; url; ) {
  const page = await (await fetch(url)).json();
  for (const row of page.data) rows.push(row);
  url = page.next && new URL(page.next, url).href;
}
console.log(rows.length, rows[0]);`,
    },
  ];
  return snippets.filter(one => one !== undefined);
}

const TYPES_IN_M = {
  string: 'type text',
  integer: 'Int64.Type',
  number: 'type number',
  boolean: 'type logical',
  date: 'type date',
  timestamp: 'type datetime',
} as const;

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
