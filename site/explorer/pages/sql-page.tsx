/** The SQL page: tables, their columns and example queries. A script adds the console. */
import type { ComponentChildren } from 'preact';
import { PAGES, ROOT } from '../../../build/format/paths.ts';
import { t } from '../messages/messages.ts';
import { formatBytes } from '../view/format.ts';
import type { DatasetDocuments, DimensionDocuments, Documents } from './documents.ts';
import { renderPage, type Site } from './layout.tsx';
import { DataTable, Line } from './text.tsx';

const ROOT_LINK = '../';

interface ListedColumn {
  readonly name: string;
  readonly type: string;
  readonly label: string;
  readonly unit?: string | null;
}

/** A column that every dataset's table has, although no contract names it. */
const LEVEL = 'detail';

export function renderSqlPage(site: Site): string {
  const { datasets, service, bundle } = site;
  const dimensions = listDimensions(site);
  return renderPage(
    site,
    {
      folder: `${PAGES.sql}/`,
      section: 'sql',
      hasTools: true,
      title: t.layout.sql,
      description: t.sql.described(service.service),
    },
    <div id="sql">
      <h1>{t.layout.sql}</h1>
      <p class="lead">{t.sql.lead(formatBytes(bundle.databaseBytes))}</p>
      <div id="sql-console">
        <p class="notice">
          <Line
            text={t.sql.withoutScript}
            parts={{ file: <a href={ROOT_LINK + ROOT.duckdb}>duckdb.sql</a> }}
          />
        </p>
      </div>
      <h2 id="tables">{t.sql.tables}</h2>
      <p>
        <Line
          text={t.sql.advice}
          parts={{
            duckdb: <a href="https://duckdb.org/docs/stable/sql/introduction">DuckDB</a>,
            file: <a href={ROOT_LINK + ROOT.duckdb}>duckdb.sql</a>,
          }}
        />
      </p>
      {datasets.map(dataset => (
        <DatasetTable key={dataset.key} dataset={dataset} name={tableName(site, dataset)} />
      ))}
      {dimensions.length > 0 && <h2 id="dimensions">{t.sql.dimensions}</h2>}
      {dimensions.map(({ key, schema: { name, title, description, columns } }) => (
        <Table key={key} name={quoted(name)} title={title} columns={columns}>
          <p>{description}</p>
        </Table>
      ))}
    </div>,
  );
}

/** The topic, with its domain if several datasets have the same topic. */
function tableName({ datasets }: Documents, { key, schema: { topic } }: DatasetDocuments): string {
  const alike = datasets.filter(({ schema }) => schema.topic === topic);
  return alike.length > 1 ? `"${key}"` : quoted(topic);
}

function quoted(name: string): string {
  return /^[a-z_][a-z0-9_]*$/.test(name) ? name : `"${name}"`;
}

/** Lists each dimension once. */
function listDimensions({ dimensions, datasets }: Documents): readonly DimensionDocuments[] {
  const seen = new Set(datasets.map(({ schema }) => schema.topic));
  return dimensions.filter(({ schema: { name } }) => !seen.has(name) && seen.add(name));
}

function DatasetTable({ dataset, name }: { readonly dataset: DatasetDocuments; readonly name: string }) {
  const { schema, manifest } = dataset;
  const described = new Map(schema.columns.map(column => [column.name, column]));
  const columns = manifest.columns.map(
    ({ name: column, type, from }): ListedColumn => ({
      name: column,
      type,
      label: described.get(column)?.label ?? (from === null ? '' : t.sql.columnOf(from)),
      unit: described.get(column)?.unit ?? null,
    }),
  );
  const own = columns.some(column => column.name === LEVEL)
    ? columns
    : [{ name: LEVEL, type: 'string', label: t.sql.level, unit: null }, ...columns];
  return (
    <Table name={name} title={schema.title} columns={own}>
      <p>
        {schema.summary} <a href={ROOT_LINK + dataset.folder}>{t.sql.meaning}</a>
      </p>
      {schema.example_queries.map(({ description, query }) => (
        <figure key={query} class="sql-example">
          <figcaption>{description}</figcaption>
          <div class="code">
            <pre tabindex={0}>{query}</pre>
          </div>
          <button
            type="button"
            class="sql-ask button quiet small needs-script"
            aria-label={t.sql.askExample(description)}
          >
            {t.sql.ask}
          </button>
        </figure>
      ))}
    </Table>
  );
}

interface TableProps {
  readonly name: string;
  readonly title: string;
  readonly columns: readonly ListedColumn[];
  /** What stands between the name and the columns. */
  readonly children: ComponentChildren;
}

function Table({ name, title, columns, children }: TableProps) {
  return (
    <details class="sql-table" data-table={name}>
      <summary>
        <code>{name}</code> {title}
      </summary>
      {children}
      <DataTable label={t.sql.columnsOf(name)} titles={[t.sql.column, t.sql.type, t.sql.about]}>
        {columns.map(({ name: column, type, label, unit = null }) => (
          <tr key={column} data-column={column}>
            <th scope="row">
              <code>{column}</code>
            </th>
            <td>{type}</td>
            <td>{unit === null ? label : `${label} (${unit})`}</td>
          </tr>
        ))}
      </DataTable>
    </details>
  );
}
