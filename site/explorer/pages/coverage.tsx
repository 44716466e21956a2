/** The years and levels of a dataset, and the files of each. */
import { copiesByPlace, type PublishedFile, type SliceEntry } from '../../../build/format/manifest.ts';
import { datasetFolder, NO_YEAR } from '../../../build/format/paths.ts';
import { t } from '../messages/messages.ts';
import { formatBytes, formatCount, missingYears } from '../view/format.ts';
import { levelTitle } from '../view/levels.ts';
import type { OpenDataset } from './documents.ts';
import { DataTable } from './text.tsx';

/** Counts rows by year and level. A year that was never collected has a line too. */
export function CoverageTable({
  dataset: { schema, manifest, explored },
}: {
  readonly dataset: OpenDataset;
}) {
  const { available_years: years, detail_levels: levels, year_gaps } = schema;
  const rows = new Map(manifest.slices.map(slice => [`${slice.year}/${slice.detail}`, slice.rows]));
  const gaps = new Set([...year_gaps, ...missingYears(years)]);
  const all = schema.time?.unit === 'none' ? [NO_YEAR] : [...years, ...gaps].sort((a, b) => b - a);
  return (
    <DataTable
      label={all[0] === NO_YEAR ? t.files.rowsByLevel : t.files.rowsByYear}
      titles={[all[0] === NO_YEAR ? '' : t.files.year, ...levels.map(level => levelTitle(explored, level))]}
      numbers={levels.map((_, i) => i + 1)}
    >
      {all.map(year => (
        <tr key={year}>
          <th scope="row">{year === NO_YEAR ? t.files.rows : year}</th>
          {levels.map(level => {
            const count = rows.get(`${year}/${level}`);
            return count === undefined ? (
              <td key={level} class="number null">
                {t.files.notPublished}
              </td>
            ) : (
              <td key={level} class="number">
                {formatCount(count)}
              </td>
            );
          })}
        </tr>
      ))}
    </DataTable>
  );
}

interface FilesProps {
  readonly dataset: OpenDataset;
  /** Leads from the page to the tree's root. */
  readonly root: string;
}

export function Downloads({ dataset, root }: FilesProps) {
  const { schema, manifest, explored } = dataset;
  const folder = `${root}${datasetFolder(schema.main_topic, schema.topic)}/`;
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
          <FileTable label={t.files.allYearsOf} folder={folder} files={wholes} />
        </>
      )}
      <h3>{schema.time?.unit === 'none' ? t.files.allRows : t.files.byYear}</h3>
      <p>{t.files.advice}</p>
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
  const named = (format: string, list: readonly (PublishedFile & { readonly rows: number })[]) =>
    list.map((file, i) => ({
      name: year === NO_YEAR ? t.files.allRows : String(year),
      format: list.length > 1 ? t.files.page(format, formatCount(i + 1)) : format,
      rows: file.rows,
      file,
    }));
  return [...named('CSV', files.csv), ...named('JSON', files.json), ...named('Parquet', files.parquet)];
}

function FileTable(props: {
  readonly label: string;
  readonly folder: string;
  readonly files: readonly NamedFile[];
}) {
  return (
    <DataTable
      label={props.label}
      titles={[t.files.file, t.files.rows, t.files.size, 'SHA-256']}
      numbers={[1, 2]}
    >
      {props.files.map(({ name, format, rows, file }) => (
        <tr key={file.path}>
          <th scope="row">
            <a href={props.folder + file.path}>
              {name}, {format}
            </a>
          </th>
          <td class="number">{formatCount(rows)}</td>
          <td class="number">{formatBytes(file.bytes)}</td>
          <td>
            <code class="hash">{file.sha256}</code>
          </td>
        </tr>
      ))}
    </DataTable>
  );
}
