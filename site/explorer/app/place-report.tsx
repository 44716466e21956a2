/** Shows the answer of every dataset about one place as it arrives. */

import { useState } from 'preact/hooks';
import type { Engine } from '../engine/engine.ts';
import { countOf, titleName } from '../view/format.ts';
import type { Place } from '../view/place-address.ts';
import type { SearchDocument } from '../view/search-document.ts';
import { explain } from './explanation.ts';
import { ErrorNotice } from './explore/error-notice.tsx';
import { usePlaceAnswers } from './place-answers.ts';
import { addressOf, PlaceCard } from './place-card.tsx';
import { readContext } from './place-context.ts';
import type { PlaceSubject } from './place-figures.ts';

interface Props {
  readonly root: URL;
  readonly document: SearchDocument;
  readonly place: Place;
  readonly engine: Engine;
}

export function PlaceReport({ root, document, place, engine }: Props) {
  const subjects = place.dimension.datasets.flatMap((rows): PlaceSubject[] => {
    const dataset = document.datasets.find(one => one.key === rows.key);
    return dataset ? [{ dataset, rows }] : [];
  });
  const alone = subjects.filter(({ rows, dataset }) => rows.alone && dataset.metric !== null);
  const others = subjects.filter(one => !alone.includes(one));
  const [compared, setCompared] = useState(true);
  const reading = usePlaceAnswers(engine, alone, place.key, (subject, figures, signal) =>
    readContext(engine, document, place, subject, figures, signal),
  );
  const { answers, contexts, stopped } = reading;
  const done = alone.filter((_, i) => answers[i] !== undefined).length;
  const busy = done < alone.length;
  const domains = [...new Set(alone.map(({ dataset }) => dataset.key.split('/')[0] ?? ''))];
  const absent = alone.filter((_, i) => answers[i] === 'no rows');
  const failures = answers.filter(answer => answer instanceof Error);
  const several = alone.filter((_, i) => answers[i] === 'no one figure');
  return (
    <>
      <p class="hint">Code: {place.key.join(' ')}</p>
      <div class="toolbar">
        <p role="status" class="hint">
          {busy
            ? `${done} of ${countOf(alone.length, 'dataset')} read${stopped ? ', then stopped.' : '…'}`
            : `${countOf(alone.length - absent.length - several.length - failures.length, 'dataset')} with figures for this place.`}
        </p>
        {busy && (
          <button type="button" class="button quiet small" onClick={stopped ? reading.resume : reading.stop}>
            {stopped ? 'Continue' : 'Stop'}
          </button>
        )}
      </div>
      {failures.length > 0 && (
        <ErrorNotice
          message={`${countOf(failures.length, 'dataset')} could not be read. ${explain(failures[0])}`}
          onRetry={reading.retry}
        />
      )}
      <label class="place-switch">
        <input
          type="checkbox"
          checked={compared}
          onChange={event => setCompared(event.currentTarget.checked)}
        />{' '}
        Show the larger places in grey
      </label>
      {domains.map(domain => (
        <section key={domain} aria-label={titleName(domain)}>
          <h2>{titleName(domain)}</h2>
          <div class="cards">
            {alone.map((subject, i) => {
              const answer = answers[i];
              if (!subject.dataset.key.startsWith(`${domain}/`)) return null;
              return (
                <PlaceCard
                  key={subject.dataset.key + subject.rows.detail}
                  root={root}
                  subject={subject}
                  place={place}
                  answer={answer}
                  context={contexts[i]}
                  compared={compared}
                  stopped={stopped}
                  put={element => reading.place(i, element)}
                />
              );
            })}
          </div>
        </section>
      ))}
      {others.length > 0 && (
        <section aria-label="More rows">
          <h2>More rows about this place</h2>
          <SubjectList root={root} subjects={others} place={place} />
        </section>
      )}
    </>
  );
}

function SubjectList(props: {
  readonly root: URL;
  readonly subjects: readonly PlaceSubject[];
  readonly place: Place;
}) {
  return (
    <ul>
      {props.subjects.map(subject => (
        <li key={subject.dataset.key + subject.rows.detail}>
          <a href={addressOf(props.root, subject, props.place)}>{subject.dataset.title}</a>
        </li>
      ))}
    </ul>
  );
}
