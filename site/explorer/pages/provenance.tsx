/** A dataset's source, licence, contacts and citation. */

import { renderBibtex } from '../../../build/format/bibtex.ts';
import {
  contractPath,
  croissantPath,
  datasetManifestPath,
  qualityPath,
  schemaPath,
  valuesPath,
} from '../../../build/format/paths.ts';
import { oneLine } from '../../../build/format/shown-text.ts';
import { t } from '../messages/messages.ts';
import { parseServiceTerms } from '../view/contract.ts';
import type { DatasetDocuments, Documents } from './documents.ts';
import { rootFrom } from './layout.tsx';
import { ADDRESS, Code, Facts, Link } from './text.tsx';

interface Props {
  readonly documents: Documents;
  readonly dataset: DatasetDocuments;
}

export function Provenance({ documents: { service, manifest: tree }, dataset }: Props) {
  const root = rootFrom(dataset.folder);
  const modified = tree.datasets.find(({ key }) => key === dataset.key)?.modified.slice(0, 10);
  const { schema, manifest, contract } = dataset;
  const { main_topic: domain, topic } = schema;
  const files: readonly (readonly [string, string])[] = [
    [t.source.contractYaml, contractPath(domain, topic, 'yaml')],
    [t.source.contractJson, contractPath(domain, topic, 'json')],
    [t.source.schema, schemaPath(domain, topic)],
    [t.nouns.values, valuesPath(domain, topic)],
    [t.nouns.quality, qualityPath(domain, topic)],
    [t.source.manifest, datasetManifestPath(domain, topic)],
    [t.source.croissant, croissantPath(domain, topic)],
  ];
  const frequency = schema.update_frequency ?? t.source.notStated;
  const updates = [
    modified ? t.source.updatedOn(frequency, modified) : frequency,
    ...(schema.next_update ? [t.source.nextBy(schema.next_update)] : []),
  ];
  const list = (
    <ul class="on-page">
      {files.map(([label, path]) => (
        <li key={path}>
          <a href={root + path}>{label}</a>
        </li>
      ))}
    </ul>
  );
  return (
    <Facts
      facts={[
        [
          t.nouns.source,
          <Link to={schema.source_url} text={schema.source ?? schema.source_url ?? t.source.notStated} />,
        ],
        schema.creator === undefined ? null : [t.source.madeBy, schema.creator],
        [t.source.publishedBy, service.service],
        service.attribution ? [t.nouns.attribution, service.attribution] : null,
        [t.nouns.licence, <Link to={service.license_url} text={service.license ?? t.source.notStated} />],
        [t.source.updated, updates.join('; ')],
        schema.tags.length > 0 ? [t.source.tags, schema.tags.join(', ')] : null,
        ...parseServiceTerms(contract).map(
          ({ label, lines }) =>
            [label, ...lines.map(({ text, link }) => <Link key={text} to={link} text={text} />)] as const,
        ),
        [t.nouns.version, t.source.versionOf(manifest.version, manifest.release)],
        [t.source.hash, <code>{schema.schema_hash}</code>],
        [t.source.documents, list],
      ]}
    />
  );
}

export function CitationSection({ documents, dataset }: Props) {
  const { text, bibtex } = renderCitation(documents, dataset);
  const address = documents.source.baseUrl;
  return (
    <>
      <Code label={t.citation.name} code={text} address={address} kind="text" />
      <h3>BibTeX</h3>
      <Code label="BibTeX" code={bibtex} address={address} kind="bibtex" />
    </>
  );
}

/** Both texts have ADDRESS for the tree's address. */
function renderCitation(
  { service, manifest: tree }: Documents,
  { schema, manifest, folder }: DatasetDocuments,
) {
  const year = tree.date.slice(0, 4);
  const author = oneLine(schema.creator ?? schema.source ?? service.attribution ?? service.service);
  const title = oneLine(schema.title);
  const url = ADDRESS + folder;
  const source =
    schema.source === null || oneLine(schema.source) === author
      ? ''
      : ` ${t.words.source(oneLine(schema.source))}`;
  const notice = tree.sample ? ` ${t.frame.sample}` : '';
  const publisher = oneLine(service.service);
  const note = t.citation.note(manifest.release) + source + notice;
  return {
    text: `${t.citation.text(author, year, title, manifest.version, manifest.release, publisher)}${source}${notice} ${url}`,
    bibtex: renderBibtex([schema.main_topic, schema.topic, year], {
      ...{ author, title, year, publisher, version: manifest.version, note, url },
    }),
  };
}
