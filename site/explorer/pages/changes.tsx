/** What each release changed in a dataset, newest first; and the known errors of earlier releases. */
import { describeChanges, type ReleaseChanges } from '../../../build/format/changes.ts';
import type { Erratum } from '../../../build/format/documents.ts';
import { changesPath, datasetFeedPath, datasetFolder, errataPath } from '../../../build/format/paths.ts';
import type { ChangedRow } from '../../query/past.ts';
import { t } from '../messages/messages.ts';
import { formatCount, formatYears, spellName } from '../view/format.ts';
import type { DatasetDocuments } from './documents.ts';
import { rootFrom } from './layout.tsx';
import { Facts, Line, Paragraphs } from './text.tsx';

const MOST_RELEASES = 12;

export function Changes({ dataset }: { readonly dataset: DatasetDocuments }) {
  const { changes, changedRows, schema } = dataset;
  if (changes === null) return null;
  const { since, broken, releases, forgotten = [] } = changes;
  const folder = datasetFolder(schema.main_topic, schema.topic);
  const root = rootFrom(dataset.folder);
  const shown = releases.slice(0, MOST_RELEASES);
  return (
    <>
      <p>
        <Line
          text={t.changes.lead(since, shown[1]?.date ?? since, broken === undefined)}
          parts={{
            list: <a href={root + changesPath(folder)}>changes.json</a>,
            feed: <a href={root + datasetFeedPath(folder)}>feed.xml</a>,
          }}
        />
      </p>
      {releases.length === 0 && <p>{t.changes.none}</p>}
      {shown.length > 0 && (
        <ul class="rows">
          {shown.map((release, i) => (
            <li key={release.release}>
              <h3>{release.date}</h3>
              <p>{describeChanges(release, t.changes.words).join(' ')}</p>
              {(release.errata ?? []).map(({ date, wrong, corrected }) => (
                <p key={`${date} ${wrong}`}>{t.changes.why(wrong, corrected)}</p>
              ))}
              <ChangedRows rows={changedRows[i] ?? []} release={release} />
            </li>
          ))}
        </ul>
      )}
      {releases.length > shown.length && (
        <p>{t.changes.earlier(formatCount(releases.length - shown.length))}</p>
      )}
      {forgotten.map(({ release, date, reason }) => (
        <p key={release}>{t.changes.forgotten(date, reason)}</p>
      ))}
    </>
  );
}

function ChangedRows(props: { readonly rows: readonly ChangedRow[]; readonly release: ReleaseChanges }) {
  const { rows, release } = props;
  if (rows.length === 0) return null;
  return (
    <section aria-label={t.changes.rowsOf(release.date)}>
      <ul>
        {rows.map(({ detail, key, change, values }) => {
          const name = [spellName(detail), ...key.filter(part => part !== null)].join(', ');
          return (
            <li key={name}>
              {`${name}: `}
              {change === 'revised'
                ? values.map(({ name: column, old, now }, i) => (
                    <span key={column}>
                      {i > 0 && ', '}
                      <code>{column}</code> {shownValue(old)} → {shownValue(now)}
                    </span>
                  ))
                : t.changes[change]}
            </li>
          );
        })}
      </ul>
      {rows.length < release.added + release.removed + release.revised && (
        <p class="hint">{t.changes.firstRows}</p>
      )}
    </section>
  );
}

function shownValue(value: ChangedRow['key'][number]): string {
  return value === null ? 'NULL' : String(value);
}

export function Errata({ dataset }: { readonly dataset: DatasetDocuments }) {
  const { schema, errata, folder } = dataset;
  const file = rootFrom(folder) + errataPath(schema.main_topic, schema.topic);
  return (
    <>
      <p>
        <Line text={t.errata.lead} parts={{ file: <a href={file}>errata.json</a> }} />
      </p>
      <ul class="rows">
        {errata.map(erratum => (
          <li key={`${erratum.date} ${erratum.wrong}`}>
            <h3>{erratum.date}</h3>
            <Facts
              facts={[
                [t.errata.wrong, <Paragraphs text={erratum.wrong} />],
                [t.errata.corrected, <Paragraphs text={erratum.corrected} />],
                ...affectedBy(erratum, dataset),
              ]}
            />
          </li>
        ))}
      </ul>
    </>
  );
}

/** An empty list means all years, levels, columns or releases. */
function affectedBy({ years, levels, columns, releases }: Erratum, { schema }: DatasetDocuments) {
  const known = new Map(schema.columns.map(column => [column.name, column.label]));
  const named = columns.map((name, i) => (
    <>
      {i > 0 && ', '}
      {known.has(name) ? `${known.get(name)} ` : ''}
      <code>{name}</code>
    </>
  ));
  return [
    years.length > 0 ? ([t.nouns.years, formatYears(years)] as const) : null,
    levels.length > 0 ? ([t.errata.levels, levels.map(spellName).join(', ')] as const) : null,
    columns.length > 0 ? ([t.nouns.columns, named] as const) : null,
    releases.length > 0 ? ([t.errata.releases, releases.join(', ')] as const) : null,
  ];
}
