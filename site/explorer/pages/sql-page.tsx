/** The SQL page: tables, their columns and example queries. A script adds the console. */
import type { ComponentChildren } from 'preact';
import type { ColumnDescriptor } from '../../../build/format/documents.ts';
import { PAGES, ROOT } from '../../../build/format/paths.ts';
import { t } from '../messages/messages.ts';
import { formatBytes } from '../view/format.ts';
import type { DatasetDocuments } from './documents.ts';
import { renderPage, type Site } from './layout.tsx';
import { DataTable, Line } from './text.tsx';

const ROOT_LINK = '../';

/** A column that every dataset's table has, although no contract names it. */
const LEVEL = 'detail';

export function renderSqlPage(site: Site): string {
  const { datasets, dimensions, service, bundle } = site;
  const topics = datasets.map(({ schema }) => schema.topic);
  const names = dimensions.map(({ schema }) => schema.name);
  // A dimension of several domains has the same rows in each. A dataset of its name hides it.
  const listed = dimensions.filter(
    ({ schema: { name } }, i) => names.indexOf(name) === i && !topics.includes(name),
  );
  return renderPage(
    site,
    {
      folder: `${PAGES.sql}/`,
      section: 'sql',
      title: t.layout.sql,
      description: t.sqlPage.described(service.service),
    },
    <div id="sql">
      <h1>{t.layout.sql}</h1>
      <p class="lead">{t.sqlPage.lead(formatBytes(bundle.databaseBytes))}</p>
      <div id="sql-console">
        <p class="notice">
          <Line
            text={t.sqlPage.withoutScript}
            parts={{ file: <a href={ROOT_LINK + ROOT.duckdb}>duckdb.sql</a> }}
          />
        </p>
      </div>
      <h2 id="tables">{t.sqlPage.tables}</h2>
      <p>
        <Line
          text={t.sqlPage.advice}
          parts={{
            duckdb: <a href="https://duckdb.org/docs/stable/sql/introduction">DuckDB</a>,
            file: <a href={ROOT_LINK + ROOT.duckdb}>duckdb.sql</a>,
          }}
        />
      </p>
      {datasets.map(dataset => {
        const { key, schema, folder } = dataset;
        const isAlone = topics.filter(topic => topic === schema.topic).length === 1;
        return (
          <Table
            key={key}
            name={isAlone ? quoted(schema.topic) : `"${key}"`}
            title={schema.title}
            columns={columnsOf(dataset)}
          >
            <p>
              {schema.summary} <a href={ROOT_LINK + folder}>{t.sqlPage.meaning}</a>
            </p>
            {schema.example_queries.map(example => (
              <Example key={example.query} {...example} />
            ))}
          </Table>
        );
      })}
      {listed.length > 0 && <h2 id="dimensions">{t.sqlPage.dimensions}</h2>}
      {listed.map(({ key, schema: { name, title, description, columns } }) => (
        <Table key={key} name={quoted(name)} title={title} columns={columns}>
          <p>{description}</p>
        </Table>
      ))}
    </div>,
  );
}

function quoted(name: string): string {
  return /^[a-z_][a-z0-9_]*$/.test(name) ? name : `"${name}"`;
}

type ListedColumn = Pick<ColumnDescriptor, 'name' | 'type' | 'label'>;

function columnsOf({ schema, manifest }: DatasetDocuments): ListedColumn[] {
  const columns = manifest.columns.map(({ name, type, from }): ListedColumn => {
    const own = schema.columns.find(column => column.name === name);
    const label = own?.label ?? (from === null ? '' : t.sqlPage.columnOf(from));
    return { name, type, label: own?.unit ? `${label} (${own.unit})` : label };
  });
  if (columns.some(({ name }) => name === LEVEL)) return columns;
  return [{ name: LEVEL, type: 'string', label: t.panel.level }, ...columns];
}

function Example({ description, query }: { readonly description: string; readonly query: string }) {
  return (
    <figure class="sql-example">
      <figcaption>{description}</figcaption>
      <div class="code">
        <pre tabindex={0}>{query}</pre>
      </div>
      <button
        type="button"
        class="sql-ask button quiet small needs-script"
        aria-label={t.sqlPage.askExample(description)}
      >
        {t.sqlPage.ask}
      </button>
    </figure>
  );
}

interface TableProps {
  readonly name: string;
  readonly title: string;
  readonly columns: readonly ListedColumn[];
  readonly children: ComponentChildren;
}

function Table({ name, title, columns, children }: TableProps) {
  return (
    <details class="sql-table" data-table={name}>
      <summary>
        <code>{name}</code> {title}
      </summary>
      {children}
      <DataTable
        label={t.sqlPage.columnsOf(name)}
        titles={[t.nouns.column, t.sqlPage.type, t.columns.meaning]}
        rows={columns.map(({ name: column, type, label }) => [<code>{column}</code>, type, label])}
      />
    </details>
  );
}
