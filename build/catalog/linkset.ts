/** linkset.json: a dataset's links for machines, as RFC 9264 writes them and Signposting (FAIR) reads them. Pure. */
import type { Fields } from '../format/json.ts';
import {
  contractPath,
  croissantPath,
  datasetManifestPath,
  jsonLdPath,
  linksetPath,
  ROOT,
  schemaPath,
} from '../format/paths.ts';
import {
  addressOf,
  type DatasetRecord,
  datasetFacts,
  type TreeDescription,
  treeFacts,
} from './tree-description.ts';

/** What the page is about and leads to, the address to cite first (of this release where a host keeps releases), then for each file of rows the way back. */
export function linksetDocument(tree: TreeDescription, dataset: DatasetRecord): Fields {
  const { domain, topic, page: path, source, downloads } = datasetFacts(tree, dataset);
  const { release, license: address } = treeFacts(tree);
  const to = (path: string) => addressOf(tree, linksetPath(domain, topic), path);
  const target = (path: string, title: string, type = 'application/json') => ({
    href: to(path),
    type,
    title,
  });
  const link = (href: string | undefined) => href && [{ href }];
  const page = to(path);
  const license = link(address);
  const files = downloads.map(one => target(one.path, one.title, one.type));
  return {
    linkset: [
      {
        anchor: page,
        'cite-as': link(release === undefined ? page : new URL(path, release).href),
        type: [{ href: 'https://schema.org/Dataset' }, { href: 'https://schema.org/AboutPage' }],
        license,
        via: link(source),
        describedby: [
          target(schemaPath(domain, topic), 'schema'),
          target(jsonLdPath(domain, topic), 'schema.org', 'application/ld+json'),
          target(croissantPath(domain, topic), 'Croissant', 'application/ld+json'),
          target(contractPath(domain, topic, 'yaml'), 'data contract', 'application/yaml'),
          target(datasetManifestPath(domain, topic), 'every file with its hash'),
          target(ROOT.citation, 'citation', 'application/yaml'),
        ],
        item: files,
      },
      ...files.map(({ href }) => ({
        anchor: href,
        collection: [{ href: page, type: 'text/html' }],
        license,
      })),
    ],
  };
}
