/** The front page: figures, a map and questions of each domain, then all datasets. A script adds search and filters. */
import type { DatasetSummary, WithdrawnSummary } from '../../../build/format/documents.ts';
import { pageFolder } from '../../../build/format/paths.ts';
import type { ExploredDataset } from '../view/dataset.ts';
import { countOf, spanOf, spellName, titleName } from '../view/format.ts';
import { levelName, levelTitle } from '../view/levels.ts';
import { coveredSummary } from '../view/wording.ts';
import type { Documents } from './documents.ts';
import { type FrontDomain, FrontSection } from './front-figures.tsx';
import { type Bundle, renderPage } from './layout.tsx';

export function renderCatalogPage(
  documents: Documents,
  front: readonly FrontDomain[],
  bundle: Bundle,
): string {
  const { service, list, health, manifest, withdrawn } = documents;
  const domains = [...new Set(list.datasets.map(one => one.main_topic))].sort();
  const levels = [...new Set(list.datasets.flatMap(one => one.detail_levels))].sort();
  const years = [...new Set(list.datasets.flatMap(one => one.available_years))].sort((a, b) => b - a);
  const explored = new Map(
    front.flatMap(({ datasets }) => datasets.map(one => [one.key, one.explored] as const)),
  );
  const titleOf = (level: string): [string, string] => {
    const dataset = [...explored.values()].find(one => one.levels.some(({ name }) => name === level));
    return [level, dataset ? levelTitle(dataset, level) : titleName(level)];
  };
  const modified = new Map(manifest.datasets.map(one => [one.key, one.modified.slice(0, 10)]));
  return renderPage(
    documents,
    bundle,
    {
      folder: '',
      section: 'data',
      title: service.service,
      description: service.description || `Datasets of ${service.service}.`,
      entry: 'app/explorer.ts',
    },
    <>
      <h1>{service.service}</h1>
      {service.description && <p class="lead">{service.description}</p>}
      <p>
        {countOf(health.datasets, 'dataset')}, {countOf(health.rows, 'row')}.{' '}
        {countOf(health.rules.run, 'quality check')} ran before publication.
      </p>
      <search class="needs-script" aria-label="Datasets and places">
        <form id="catalog-form">
          <div class="fields tight">
            <div class="field wide">
              <label for="catalog-search">Search for a subject or a place</label>
              <input id="catalog-search" type="search" name="q" autocomplete="off" spellcheck={false} />
            </div>
            <Choice name="domain" label="Domain" any="All domains" values={domains.map(named)} />
            <Choice name="level" label="Level" any="All levels" values={levels.map(titleOf)} />
            <Choice
              name="year"
              label="Year"
              any="All years"
              values={years.map(year => [String(year), String(year)])}
            />
          </div>
        </form>
      </search>
      <p id="catalog-status" class="hint needs-script" role="status" />
      <section id="catalog-results" aria-label="Results" hidden />
      <div id="front">
        {front.map(one => (
          <FrontSection key={one.domain} front={one} title={titleName(one.domain)} />
        ))}
      </div>
      <div id="catalog">
        {domains.map(domain => (
          <section key={domain} aria-labelledby={`all-${domain}`}>
            <h2 id={`all-${domain}`}>All datasets: {titleName(domain)}</h2>
            <ul class="rows">
              {list.datasets
                .filter(one => one.main_topic === domain)
                .map(one => (
                  <Entry
                    key={one.topic}
                    dataset={one}
                    explored={explored.get(`${one.main_topic}/${one.topic}`)}
                    modified={modified.get(`${one.main_topic}/${one.topic}`) ?? ''}
                  />
                ))}
            </ul>
          </section>
        ))}
        {withdrawn.length > 0 && (
          <section id="withdrawn" aria-labelledby="withdrawn-title">
            <h2 id="withdrawn-title">Withdrawn</h2>
            <p>These datasets are no longer published. Their pages say why, and what to use instead.</p>
            <ul class="rows">
              {withdrawn.map(one => (
                <WithdrawnEntry key={one.key} dataset={one} />
              ))}
            </ul>
          </section>
        )}
      </div>
    </>,
  );
}

function named(name: string): [string, string] {
  return [name, titleName(name)];
}

function Choice(props: {
  readonly name: string;
  readonly label: string;
  readonly any: string;
  readonly values: readonly (readonly [string, string])[];
}) {
  const id = `catalog-${props.name}`;
  return (
    <div class="field">
      <label for={id}>{props.label}</label>
      <select id={id} name={props.name}>
        <option value="">{props.any}</option>
        {props.values.map(([value, text]) => (
          <option key={value} value={value}>
            {text}
          </option>
        ))}
      </select>
    </div>
  );
}

function Entry(props: {
  readonly dataset: DatasetSummary;
  readonly explored: ExploredDataset | undefined;
  readonly modified: string;
}) {
  const { dataset, explored, modified } = props;
  const nameOf = (level: string) => (explored ? levelName(explored, level) : spellName(level));
  const { main_topic, topic, title, available_years, detail_levels, rows } = dataset;
  const summary = coveredSummary(dataset);
  return (
    <li
      data-key={`${main_topic}/${topic}`}
      data-domain={main_topic}
      data-levels={detail_levels.join(' ')}
      data-years={available_years.join(' ')}
    >
      <h3>
        <a href={pageFolder(main_topic, topic)}>{title}</a>
      </h3>
      {summary && <p>{summary}</p>}
      <p class="hint">
        {[...spanOf(dataset), detail_levels.map(nameOf).join(', '), countOf(rows, 'row')].join(' · ')}
        {modified && ` · changed ${modified}`}
      </p>
    </li>
  );
}

/** A withdrawn dataset has no levels or years, so the filters by level and year hide it. */
function WithdrawnEntry({
  dataset: { key, title, withdrawn, reason },
}: {
  readonly dataset: WithdrawnSummary;
}) {
  const [domain = '', topic = ''] = key.split('/');
  return (
    <li data-key={key} data-domain={domain}>
      <h3>
        <a href={pageFolder(domain, topic)}>{title}</a>
      </h3>
      <p>{reason}</p>
      <p class="hint">
        {titleName(domain)} · withdrawn {withdrawn}
      </p>
    </li>
  );
}
