/** The source of the rows, their licence, whom to ask, and their citation. */
import { Fragment } from 'preact';
import {
  contractPath,
  croissantPath,
  datasetManifestPath,
  qualityPath,
  schemaPath,
  valuesPath,
} from '../../../build/format/paths.ts';
import { parseServiceTerms } from '../view/contract.ts';
import { renderCitation } from './citation.ts';
import type { OpenDataset } from './documents.ts';
import type { Publication } from './publication.ts';
import { Code, Link } from './text.tsx';

interface Props {
  readonly publication: Publication;
  readonly dataset: OpenDataset;
  /** Leads from the page to the tree's root. */
  readonly root: string;
}

export function Provenance({ publication: { service, modified }, dataset, root }: Props) {
  const { schema, manifest, contract } = dataset;
  const { main_topic: domain, topic } = schema;
  const files: readonly (readonly [string, string])[] = [
    ['Contract (YAML)', contractPath(domain, topic, 'yaml')],
    ['Contract (JSON)', contractPath(domain, topic, 'json')],
    ['Schema', schemaPath(domain, topic)],
    ['Values', valuesPath(domain, topic)],
    ['Quality', qualityPath(domain, topic)],
    ['Manifest', datasetManifestPath(domain, topic)],
    ['Croissant', croissantPath(domain, topic)],
  ];
  return (
    <>
      <dl class="facts">
        <dt>Source</dt>
        <dd>
          <Link to={schema.source_url} text={schema.source ?? schema.source_url ?? 'not stated'} />
        </dd>
        {schema.creator !== undefined && (
          <>
            <dt>Made by</dt>
            <dd>{schema.creator}</dd>
          </>
        )}
        <dt>Published by</dt>
        <dd>{service.service}</dd>
        {service.attribution && (
          <>
            <dt>Attribution</dt>
            <dd>{service.attribution}</dd>
          </>
        )}
        <dt>Licence</dt>
        <dd>{service.license ? <Link to={service.license_url} text={service.license} /> : 'not stated'}</dd>
        <dt>Updated</dt>
        <dd>
          {schema.update_frequency ?? 'not stated'}
          {modified && `; last change ${modified}`}
        </dd>
        {schema.tags.length > 0 && (
          <>
            <dt>Tags</dt>
            <dd>{schema.tags.join(', ')}</dd>
          </>
        )}
        {parseServiceTerms(contract).map(({ label, lines }) => (
          <Fragment key={label}>
            <dt>{label}</dt>
            {lines.map(({ text, link }) => (
              <dd key={text}>
                <Link to={link} text={text} />
              </dd>
            ))}
          </Fragment>
        ))}
        <dt>Version</dt>
        <dd>
          {manifest.version}, release {manifest.release}
        </dd>
        <dt>Schema hash</dt>
        <dd>
          <code class="long">{schema.schema_hash}</code>
        </dd>
        <dt>Documents</dt>
        <dd>
          <ul class="on-page">
            {files.map(([label, path]) => (
              <li key={path}>
                <a href={root + path}>{label}</a>
              </li>
            ))}
          </ul>
        </dd>
      </dl>
    </>
  );
}

export function CitationSection({ publication, dataset }: Omit<Props, 'root'>) {
  const { text, bibtex } = renderCitation(publication, dataset);
  const address = publication.baseUrl;
  return (
    <>
      <Code label="Citation" code={text} address={address} kind="text" />
      <h3>BibTeX</h3>
      <Code label="Citation as BibTeX" code={bibtex} address={address} kind="bibtex" />
    </>
  );
}
