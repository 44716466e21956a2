/** The known errors of a dataset's earlier releases: they stay on the page for ever, newest first. */
import type { Erratum } from '../../../build/format/documents.ts';
import { errataPath } from '../../../build/format/paths.ts';
import { t } from '../messages/messages.ts';
import { formatYears, spellName } from '../view/format.ts';
import type { OpenDataset } from './documents.ts';
import { Line, Paragraphs } from './text.tsx';

/** `root` leads from the page to the tree's root. */
export function Errata({ dataset, root }: { readonly dataset: OpenDataset; readonly root: string }) {
  const { schema, errata } = dataset;
  return (
    <>
      <p>
        <Line
          text={t.errata.lead}
          parts={{ file: <a href={root + errataPath(schema.main_topic, schema.topic)}>errata.json</a> }}
        />
      </p>
      <ul class="rows">
        {errata.map(erratum => (
          <li key={`${erratum.date} ${erratum.wrong}`}>
            <h3>{erratum.date}</h3>
            <dl class="facts">
              <dt>{t.errata.wrong}</dt>
              <dd>
                <Paragraphs text={erratum.wrong} />
              </dd>
              <dt>{t.errata.corrected}</dt>
              <dd>
                <Paragraphs text={erratum.corrected} />
              </dd>
              <Affected erratum={erratum} dataset={dataset} />
            </dl>
          </li>
        ))}
      </ul>
    </>
  );
}

/** An empty list means all years, levels, columns or releases. */
function Affected({ erratum, dataset }: { readonly erratum: Erratum; readonly dataset: OpenDataset }) {
  const { years, levels, columns, releases } = erratum;
  const known = new Map(dataset.schema.columns.map(column => [column.name, column.label]));
  return (
    <>
      {years.length > 0 && (
        <>
          <dt>{t.errata.years}</dt>
          <dd>{formatYears(years)}</dd>
        </>
      )}
      {levels.length > 0 && (
        <>
          <dt>{t.errata.levels}</dt>
          <dd>{levels.map(spellName).join(', ')}</dd>
        </>
      )}
      {columns.length > 0 && (
        <>
          <dt>{t.errata.columns}</dt>
          <dd>
            {columns.map((name, i) => (
              <>
                {i > 0 && ', '}
                {known.has(name) ? `${known.get(name)} ` : ''}
                <code>{name}</code>
              </>
            ))}
          </dd>
        </>
      )}
      {releases.length > 0 && (
        <>
          <dt>{t.errata.releases}</dt>
          <dd>{releases.join(', ')}</dd>
        </>
      )}
    </>
  );
}
