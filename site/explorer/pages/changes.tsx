/** What each release changed in a dataset, newest first. */
import { describeChanges } from '../../../build/format/change-words.ts';
import type { ReleaseChanges } from '../../../build/format/changes.ts';
import { changesPath, datasetFeedPath, datasetFolder } from '../../../build/format/paths.ts';
import type { ChangedRow } from '../../query/followed.ts';
import { t } from '../messages/messages.ts';
import { formatCount, spellName } from '../view/format.ts';
import type { OpenDataset } from './documents.ts';
import { Line } from './text.tsx';

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
        <Line
          text={(broken === undefined ? t.changes.lead : t.changes.leadBroken)(
            since,
            shown[1]?.date ?? since,
          )}
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
              <Release release={release} />
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

function Release({ release }: { readonly release: ReleaseChanges }) {
  return (
    <>
      <p>{describeChanges(release, t.changes.words).join(' ')}</p>
      {(release.errata ?? []).map(({ date, wrong, corrected }) => (
        <p key={`${date} ${wrong}`}>{t.changes.why(wrong, corrected)}</p>
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
  const label = t.changes.rowsOf(release.date);
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
                : t.changes[change]}
            </li>
          );
        })}
      </ul>
      {rows.length < countChanged(release) && <p class="hint">{t.changes.firstRows}</p>}
    </section>
  );
}

function countChanged({ added, removed, revised }: ReleaseChanges): number {
  return added + removed + revised;
}

function shownValue(value: ChangedRow['key'][number]): string {
  return value === null ? 'NULL' : String(value);
}
