/** linkset.json: a dataset's links for machines, as RFC 9264 writes them and Signposting (FAIR) reads them. Pure. */
import type { Json } from '../format/json.ts';
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
  type DescribedDataset,
  datasetFile,
  datasetPage,
  isAddress,
  levelFiles,
  licenseAddress,
  releaseAddress,
  type TreeDescription,
} from './tree-description.ts';

type Target = { readonly href: string; readonly type: string; readonly title: string };

/** What the page is about and leads to, the address to cite first (of this release where a host keeps releases), then for each file of rows the way back. */
export function linksetDocument(tree: TreeDescription, dataset: DescribedDataset): Json {
  const { schema, manifest } = dataset;
  const { main_topic: domain, topic } = schema;
  const from = linksetPath(domain, topic);
  const to = (path: string) => addressOf(tree, from, path);
  const json = (path: string, title: string, type = 'application/json'): Target => ({
    href: to(path),
    type,
    title,
  });
  const file = (path: string, type: string, title: string): Target => ({
    href: to(datasetFile(dataset, { path })),
    type,
    title,
  });
  const page = to(datasetPage(tree, dataset));
  const release = releaseAddress(tree);
  const license = licenseAddress(tree.publisher);
  const files = levelFiles(manifest).flatMap(({ detail, slices, whole }): Target[] => {
    const csv = slices.at(-1)?.files.csv[0];
    const year = slices.at(-1)?.year;
    return [
      ...(whole === null ? [] : [file(whole.path, 'application/vnd.apache.parquet', `${detail}: all years`)]),
      ...(csv === undefined ? [] : [file(csv.path, 'text/csv', `${detail}: ${year}`)]),
    ];
  });
  const described = [
    json(schemaPath(domain, topic), 'schema'),
    json(jsonLdPath(domain, topic), 'schema.org', 'application/ld+json'),
    json(croissantPath(domain, topic), 'Croissant', 'application/ld+json'),
    json(contractPath(domain, topic, 'yaml'), 'data contract', 'application/yaml'),
    json(datasetManifestPath(domain, topic), 'every file with its hash'),
    json(ROOT.citation, 'citation', 'application/yaml'),
  ];
  const links = {
    'cite-as': [{ href: release === null ? page : new URL(datasetPage(tree, dataset), release).href }],
    type: [{ href: 'https://schema.org/Dataset' }, { href: 'https://schema.org/AboutPage' }],
    ...(license === null ? {} : { license: [{ href: license }] }),
    ...(isAddress(schema.source_url) ? { via: [{ href: schema.source_url }] } : {}),
    describedby: described,
    item: files,
  };
  const back = files.map(({ href }) => ({
    anchor: href,
    collection: [{ href: page, type: 'text/html' }],
    ...(license === null ? {} : { license: [{ href: license }] }),
  }));
  return { linkset: [{ anchor: page, ...links }, ...back] };
}
