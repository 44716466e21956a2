/** What each release changed in a dataset, newest first. */
import { describeChanges } from '../../../build/format/change-words.ts';
import type { ReleaseChanges } from '../../../build/format/changes.ts';
import { changesPath, datasetFeedPath, datasetFolder } from '../../../build/format/paths.ts';
import type { ChangedRow } from '../../query/followed.ts';
import { spellName } from '../view/format.ts';
import type { OpenDataset } from './documents.ts';

const MOST_RELEASES = 12;

/** `root` leads from the page to the tree's root. */
export function Changes({ dataset, root }: { readonly dataset: OpenDataset; readonly root: string }) {
  const { changes, changedRows, schema } = dataset;
  if (changes === null) return null;
  const { since, broken, releases, forgotten = [] } = changes;
  const folder = datasetFolder(schema.main_topic, schema.topic);
  const shown = releases.slice(0, MOST_RELEASES);
  return (
    <>
      <p>
        What releases changed since {since}
        {broken === undefined ? ', when the dataset was first published' : ''}. For programs:{' '}
        <a href={root + changesPath(folder)}>changes.json</a>; to follow:{' '}
        <a href={root + datasetFeedPath(folder)}>feed.xml</a>. The API answers{' '}
        <code>as_of={shown[1]?.date ?? since}</code> with the rows of that day.
      </p>
      {releases.length === 0 && <p>No release changed anything yet.</p>}
      {shown.length > 0 && (
        <ul class="rows">
          {shown.map((release, i) => (
            <li key={release.release}>
              <h3>{release.date}</h3>
              <Release release={release} />
              <ChangedRows rows={changedRows[i] ?? []} release={release} />
            </li>
          ))}
        </ul>
      )}
      {releases.length > shown.length && (
        <p>{`changes.json lists ${releases.length - shown.length} earlier ones.`}</p>
      )}
      {forgotten.map(({ release, date, reason }) => (
        <p key={release}>{`Rows of earlier releases were taken back on ${date}: ${reason}`}</p>
      ))}
    </>
  );
}

function Release({ release }: { readonly release: ReleaseChanges }) {
  return (
    <>
      <p>{describeChanges(release).join(' ')}</p>
      {(release.errata ?? []).map(({ date, wrong, corrected }) => (
        <p key={`${date} ${wrong}`}>{`Why: ${wrong} ${corrected}`}</p>
      ))}
    </>
  );
}

function ChangedRows({
  rows,
  release,
}: {
  readonly rows: readonly ChangedRow[];
  readonly release: ReleaseChanges;
}) {
  if (rows.length === 0) return null;
  const label = `Rows that the release of ${release.date} changed`;
  return (
    <section class="scroll" aria-label={label}>
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
                : change}
            </li>
          );
        })}
      </ul>
      {rows.length < countChanged(release) && <p class="hint">These are the first rows.</p>}
    </section>
  );
}

function countChanged({ added, removed, revised }: ReleaseChanges): number {
  return added + removed + revised;
}

function shownValue(value: ChangedRow['key'][number]): string {
  return value === null ? 'NULL' : String(value);
}
