/** The tables of a dataset's page: years and levels, files, columns, and checks. */
import {
  type ColumnDescriptor,
  type ColumnValues,
  FORMAT_NAMES,
  type RowFormat,
  type RuleResult,
} from '../../../build/format/documents.ts';
import { copiesByPlace, type PublishedFile, type SliceEntry } from '../../../build/format/manifest.ts';
import { datasetFolder, NO_YEAR } from '../../../build/format/paths.ts';
import { t } from '../messages/messages.ts';
import { levelTitle } from '../view/dataset.ts';
import {
  describeUnit,
  formatBytes,
  formatCount,
  formatDecimal,
  missingYears,
  spellName,
} from '../view/format.ts';
import type { DatasetDocuments } from './documents.ts';
import { rootFrom } from './layout.tsx';
import { DataTable, Line, Paragraphs } from './text.tsx';

/** Rows by year and level. Years that were never collected are listed too. */
export function CoverageTable({ dataset }: { readonly dataset: DatasetDocuments }) {
  const { schema, manifest, explored } = dataset;
  const { available_years: years, detail_levels: levels, year_gaps } = schema;
  const rows = new Map(manifest.slices.map(slice => [`${slice.year}/${slice.detail}`, slice.rows]));
  const gaps = new Set([...year_gaps, ...missingYears(years)]);
  const all = schema.time?.unit === 'none' ? [NO_YEAR] : [...years, ...gaps].sort((a, b) => b - a);
  return (
    <DataTable
      label={t.dataset.coverage}
      titles={[all[0] === NO_YEAR ? '' : t.nouns.year, ...levels.map(level => levelTitle(explored, level))]}
      numbers={levels.map((_, i) => i + 1)}
      rows={all.map(year => [
        year === NO_YEAR ? t.nouns.rows : year,
        ...levels.map(level => {
          const count = rows.get(`${year}/${level}`);
          return count === undefined ? { absent: t.files.notPublished } : formatCount(count);
        }),
      ])}
    />
  );
}

export function Downloads({ dataset }: { readonly dataset: DatasetDocuments }) {
  const { schema, manifest, explored } = dataset;
  const folder = `${rootFrom(dataset.folder)}${datasetFolder(schema.main_topic, schema.topic)}/`;
  const wholes = copiesByPlace(manifest).map(({ detail, years, file, rows }) => ({
    name: `${levelTitle(explored, detail)}, ${t.counts.years(years.length)}`,
    format: 'Parquet',
    file,
    rows,
  }));
  const levels = [...schema.detail_levels].sort(
    (a, b) => Number(b === schema.default_detail) - Number(a === schema.default_detail),
  );
  return (
    <>
      {wholes.length > 0 && (
        <>
          <h3>{t.files.allYears}</h3>
          <FileTable label={t.files.allYears} folder={folder} files={wholes} />
        </>
      )}
      <h3>{schema.time?.unit === 'none' ? t.files.allRows : t.files.byYear}</h3>
      <p>{t.files.advice()}</p>
      {levels.map(level => (
        <details key={level}>
          <summary>
            <h4>{levelTitle(explored, level)}</h4>
          </summary>
          <FileTable
            label={t.files.filesOf(levelTitle(explored, level))}
            folder={folder}
            files={manifest.slices
              .filter(slice => slice.detail === level)
              .reverse()
              .flatMap(sliceFiles)}
          />
        </details>
      ))}
    </>
  );
}

interface NamedFile {
  readonly name: string;
  readonly format: string;
  readonly rows: number;
  readonly file: PublishedFile;
}

function sliceFiles({ year, files }: SliceEntry): NamedFile[] {
  return (Object.keys(FORMAT_NAMES) as RowFormat[]).flatMap(format =>
    files[format].map((file, i, { length }) => ({
      name: year === NO_YEAR ? t.files.allRows : String(year),
      format: length > 1 ? t.files.page(FORMAT_NAMES[format], formatCount(i + 1)) : FORMAT_NAMES[format],
      rows: file.rows,
      file,
    })),
  );
}

function FileTable(props: {
  readonly label: string;
  readonly folder: string;
  readonly files: readonly NamedFile[];
}) {
  return (
    <DataTable
      label={props.label}
      titles={[t.files.file, t.nouns.rows, t.files.size, 'SHA-256']}
      numbers={[1, 2]}
      rows={props.files.map(({ name, format, rows, file }) => [
        <a href={props.folder + file.path}>
          {name}, {format}
        </a>,
        formatCount(rows),
        formatBytes(file.bytes),
        <code class="hash">{file.sha256}</code>,
      ])}
    />
  );
}

/** A longer list of allowed values is folded. */
const SHOWN_VALUES = 8;

export function ColumnList({ dataset }: { readonly dataset: DatasetDocuments }) {
  const { schema, manifest, values } = dataset;
  const joined = manifest.columns.filter(column => column.from !== null);
  return (
    <>
      <DataTable
        label={t.nouns.columns}
        titles={[t.nouns.column, t.columns.meaning, t.columns.unitAndType, t.columns.nullMeans]}
        texts={[1]}
        kind="stacked"
        rows={schema.columns.map(column => [
          <>
            {column.label}
            <br />
            <code>{column.name}</code>
          </>,
          <>
            <Paragraphs text={column.description || column.short_description} />
            <Allowed column={column} known={values.columns.find(one => one.column === column.name)} />
          </>,
          describeType(column),
          describeNull(column),
        ])}
      />
      {joined.length > 0 && (
        <p>
          <Line
            text={t.columns.joined}
            parts={{
              columns: joined.map(({ name, from }, i) => (
                <>
                  {i > 0 && ', '}
                  <code>{name}</code> ({spellName(from ?? '')})
                </>
              )),
            }}
          />
        </p>
      )}
    </>
  );
}

function describeType({ type, unit, value_min, value_max }: ColumnDescriptor): string {
  const [least, most] = [value_min, value_max].map(bound => bound !== null && formatDecimal(bound, 6));
  const bounds =
    least && most
      ? t.columns.between(least, most)
      : least
        ? t.columns.atLeast(least)
        : most
          ? t.columns.atMost(most)
          : null;
  return [describeUnit(unit), bounds, type].filter(part => part !== null).join('; ');
}

function describeNull({ nullable, null_meaning }: ColumnDescriptor): string {
  if (!nullable) return t.columns.neverNull;
  return null_meaning ?? t.columns.unknownNull;
}

function Allowed(props: { readonly column: ColumnDescriptor; readonly known: ColumnValues | undefined }) {
  const { column, known } = props;
  const names = new Map(known?.values.map(({ value, label }) => [String(value), label]));
  const allowed = column.valid_values;
  if (allowed === null || allowed.length === 0) return null;
  const items = (
    <ul class="plain-list">
      {allowed.map(value => (
        <li key={String(value)}>
          <code>{String(value)}</code>
          {names.get(String(value)) && ` ${names.get(String(value))}`}
          {String(value) === column.total_value && ` ${t.columns.isTotal}`}
        </li>
      ))}
    </ul>
  );
  return allowed.length <= SHOWN_VALUES ? (
    <>
      <p class="hint">{t.columns.allowed}</p>
      {items}
    </>
  ) : (
    <details>
      <summary>{t.columns.countAllowed(formatCount(allowed.length))}</summary>
      {items}
    </details>
  );
}

export function QualityReport({ dataset: { quality } }: { readonly dataset: DatasetDocuments }) {
  const { rules } = quality;
  const count = (result: RuleResult['result']) =>
    formatCount(rules.filter(rule => rule.result === result).length);
  const all = t.counts.rules(rules.length);
  const ordered = [...rules].sort((a, b) => Number(a.result === 'passed') - Number(b.result === 'passed'));
  return (
    <>
      <p>{t.quality.summary(all, count('passed'), count('warned'), count('skipped'))}</p>
      <DataTable
        label={all}
        titles={[t.rules.rule, t.rules.result, t.columns.meaning, t.quality.found, t.quality.about]}
        texts={[2]}
        numbers={[3]}
        rows={ordered.map(rule => [
          <code>{rule.name}</code>,
          t.rules[rule.result],
          <>
            {rule.description}
            {rule.source === 'derived' && <span class="hint"> {t.quality.derived}</span>}
          </>,
          rule.found === null ? (rule.reason ?? '') : formatDecimal(rule.found, 6),
          <>
            {rule.dimension}
            {rule.column && (
              <>
                <br />
                <code>{rule.column}</code>
              </>
            )}
          </>,
        ])}
      />
    </>
  );
}
