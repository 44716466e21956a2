/** The shown rows by the API, by SQL and as a feed of corrections. */
import { useEffect, useState } from 'preact/hooks';
import { datasetFeedPath, datasetFolder, PAGES } from '../../../../build/format/paths.ts';
import { formatQuery } from '../../../query/query-string.ts';
import { namePlace } from '../../view/chosen-places.ts';
import type { ExploredDataset } from '../../view/dataset.ts';
import { type Question, placeParam, toParameters } from '../../view/question.ts';
import { writeStatement } from '../../view/sql-statement.ts';

interface ApiRequestProps {
  readonly dataset: ExploredDataset;
  readonly question: Question;
  readonly root: URL;
}

const MOST_FOLLOWED = 2;

const FORMATS = ['json', 'csv', 'parquet'] as const;

export function ApiRequest({ dataset, question, root }: ApiRequestProps) {
  const [format, setFormat] = useState<(typeof FORMATS)[number]>('json');
  const pairs = toParameters(dataset, question).map(([name, value]) => ({ name, value }));
  const asked = format === 'json' ? pairs : [...pairs, { name: 'format', value: format }];
  const api = new URL(`api/v1/${dataset.key}${formatQuery(asked)}`, root).href;
  const statement = writeStatement(dataset, question);
  const console = new URL(`${PAGES.sql}/#${new URLSearchParams({ q: statement ?? '' })}`, root).href;
  // Of many places nobody follows each.
  const followed = question.places.length <= MOST_FOLLOWED ? question.places : [];
  return (
    <div class="explore-share">
      <div class="toolbar">
        {statement !== null && (
          <a class="button quiet small" href={console}>
            Open in SQL
          </a>
        )}
        {followed.map(key => (
          <a key={key} class="button quiet small" href={feedOf(dataset, question.detail, key, root)}>
            Follow corrections of {namePlace(dataset, { detail: question.detail, key })} (feed)
          </a>
        ))}
      </div>
      <div class="field">
        <label for="explore-api">The same rows from the API</label>
        <input
          id="explore-api"
          class="hash"
          type="text"
          readOnly
          value={api}
          onFocus={event => event.currentTarget.select()}
        />
      </div>
      <div class="toolbar explore-api-tools">
        <div role="group" aria-label="Format of the API’s answer" class="toolbar">
          {FORMATS.map(name => (
            <button
              key={name}
              type="button"
              class="chip"
              aria-pressed={name === format}
              onClick={() => setFormat(name)}
            >
              {name === 'parquet' ? 'Parquet' : name.toUpperCase()}
            </button>
          ))}
        </div>
        <CopyButton text={() => api} label="Copy the address" />
      </div>
      <p class="hint">
        On a host that only serves files, this address returns a whole file or nothing. The downloads on this
        page always work.
      </p>
    </div>
  );
}

/** On a host that only serves files, the feed of the whole dataset. */
function feedOf(dataset: ExploredDataset, detail: string, key: string, root: URL): string {
  const pairs = [
    { name: 'detail', value: detail },
    { name: placeParam(dataset), value: key },
  ];
  const path = datasetFeedPath(datasetFolder(dataset.schema.main_topic, dataset.schema.topic));
  return new URL(path + formatQuery(pairs), root).href;
}

interface CopyButtonProps {
  readonly label: string;
  text(): string;
}

export function CopyButton({ label, text }: CopyButtonProps) {
  const [said, setSaid] = useState('');
  useEffect(() => {
    if (said === '') return;
    const timer = setTimeout(() => setSaid(''), 4000);
    return () => clearTimeout(timer);
  }, [said]);
  const copy = () =>
    navigator.clipboard.writeText(text()).then(
      () => setSaid('Copied.'),
      () => setSaid('The browser does not allow copying here. Select the text and copy it.'),
    );
  return (
    <>
      <button type="button" class="button quiet small" onClick={copy}>
        {label}
      </button>
      <span role="status" class="hint">
        {said}
      </span>
    </>
  );
}
