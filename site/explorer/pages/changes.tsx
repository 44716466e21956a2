/** What each release changed in a dataset, newest first. */
import { describeChanges } from '../../../build/format/change-words.ts';
import { MOST_TOLD_ROWS, type ReleaseChanges } from '../../../build/format/changes.ts';
import { changesPath, datasetFeedPath, datasetFolder } from '../../../build/format/paths.ts';
import { t } from '../messages/messages.ts';
import type { FigureChange } from '../view/changes.ts';
import { formatCount } from '../view/format.ts';
import type { OpenDataset } from './documents.ts';
import { Line } from './text.tsx';

const MOST_RELEASES = 12;

/** `root` leads from the page to the tree's root. */
export function Changes({ dataset, root }: { readonly dataset: OpenDataset; readonly root: string }) {
  const { changes, changedFigures, schema } = dataset;
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
              <Figures figures={changedFigures[i] ?? []} release={release} />
              {release.rows && (
                <p>
                  <Line
                    text={countChanged(release) > MOST_TOLD_ROWS ? t.changes.theseRows : t.changes.allRows}
                    parts={{ file: <a href={`${root}${folder}/${release.rows.path}`}>JSON</a> }}
                  />
                </p>
              )}
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

function Figures({
  figures,
  release,
}: {
  readonly figures: readonly FigureChange[];
  readonly release: ReleaseChanges;
}) {
  if (figures.length === 0) return null;
  const label = t.changes.rowsOf(release.date);
  return (
    <section class="scroll" aria-label={label}>
      <ul>
        {figures.map(({ key, change, columns }) => (
          <li key={key}>
            {`${key}: `}
            {change === 'revised'
              ? columns.map(({ name, old, now }, i) => (
                  <span key={name}>
                    {i > 0 && ', '}
                    <code>{name}</code> {shownValue(old)} → {shownValue(now)}
                  </span>
                ))
              : t.changes[change]}
          </li>
        ))}
      </ul>
      {figures.length < countChanged(release) && <p class="hint">{t.changes.firstRows}</p>}
    </section>
  );
}

function countChanged({ added, removed, revised }: ReleaseChanges): number {
  return added + removed + revised;
}

function shownValue(value: FigureChange['columns'][number]['old']): string {
  return value === null ? 'NULL' : String(value);
}
