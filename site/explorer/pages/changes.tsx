/** What each release changed in a dataset, newest first. */
import { describeChanges } from '../../../build/format/change-words.ts';
import { MOST_TOLD_ROWS, type ReleaseChanges } from '../../../build/format/changes.ts';
import { changesPath, datasetFeedPath, datasetFolder } from '../../../build/format/paths.ts';
import type { FigureChange } from '../view/changes.ts';
import type { OpenDataset } from './documents.ts';

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
              <Figures figures={changedFigures[i] ?? []} release={release} />
              {release.rows && (
                <p>
                  {countChanged(release) > MOST_TOLD_ROWS ? 'These rows' : 'All rows'}, with old and new
                  values: <a href={`${root}${folder}/${release.rows.path}`}>JSON</a>
                </p>
              )}
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

function Figures({
  figures,
  release,
}: {
  readonly figures: readonly FigureChange[];
  readonly release: ReleaseChanges;
}) {
  if (figures.length === 0) return null;
  const label = `Rows that the release of ${release.date} changed`;
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
              : change}
          </li>
        ))}
      </ul>
      {figures.length < countChanged(release) && <p class="hint">These are the first rows.</p>}
    </section>
  );
}

function countChanged({ added, removed, revised }: ReleaseChanges): number {
  return added + removed + revised;
}

function shownValue(value: FigureChange['columns'][number]['old']): string {
  return value === null ? 'NULL' : String(value);
}
