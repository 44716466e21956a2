/** datacite.json: the metadata with which a registry gives the release a DOI, in DataCite Metadata Schema 4.6. Pure. */

import type { Json } from '../format/json.ts';
import { copiesByPlace } from '../format/manifest.ts';
import { ROOT } from '../format/paths.ts';
import { yearPeriods } from '../format/year-runs.ts';
import {
  isAddress,
  licenseAddress,
  oneLine,
  publisherName,
  serviceText,
  spdxLicense,
  statedCreator,
  type TreeDescription,
} from './tree-description.ts';

type Fields = { readonly [name: string]: Json };

/**
 * The document has no DOI, because the registry assigns it. Until then the release's name identifies it
 * (`alternateIdentifiers`). `url` is the address for the DOI to lead to, if the tree knows its address.
 */
export function dataCiteDocument(tree: TreeDescription): Json {
  const { publisher, datasets, date, release, baseUrl } = tree;
  const name = oneLine(publisherName(publisher));
  const years = [...new Set(datasets.flatMap(({ schema }) => schema.available_years))].sort((a, b) => a - b);
  const subjects = [
    ...new Set(
      datasets.flatMap(({ schema }) => [schema.main_topic, ...schema.tags, schema.title].map(oneLine)),
    ),
  ]
    .filter(Boolean)
    .sort();
  return {
    schemaVersion: 'http://datacite.org/schema/kernel-4',
    identifiers: [],
    alternateIdentifiers: [{ alternateIdentifierType: 'release', alternateIdentifier: release }],
    ...(baseUrl === null ? {} : { url: baseUrl }),
    types: { resourceTypeGeneral: 'Dataset', resourceType: 'Statistical data' },
    creators: [{ name, nameType: 'Organizational' }],
    ...producers(tree),
    titles: [{ title: oneLine(publisher.service) }],
    publisher: { name },
    publicationYear: date.slice(0, 4),
    subjects: subjects.map(subject => ({ subject })),
    dates: [
      { date, dateType: 'Issued' },
      ...yearPeriods(years).map(period => ({ date: period, dateType: 'Coverage' })),
    ],
    ...(publisher.language === null ? {} : { language: publisher.language }),
    version: release,
    ...rights(tree),
    descriptions: [
      { description: serviceText(tree), descriptionType: 'Abstract' },
      {
        description: datasets
          .map(({ schema, manifest }) => `${manifest.dataset}: ${schema.title}`)
          .join('; '),
        descriptionType: 'TableOfContents',
      },
    ],
    sizes: sizes(tree),
    formats: ['application/json', 'text/csv', 'application/vnd.apache.parquet'],
    relatedIdentifiers:
      baseUrl === null
        ? []
        : [
            {
              relatedIdentifier: new URL(ROOT.manifest, baseUrl).href,
              relatedIdentifierType: 'URL',
              relationType: 'HasMetadata',
            },
          ],
  };
}

/** The offices that produced the figures in the tree. */
function producers({ datasets }: TreeDescription): Fields {
  const names = [...new Set(datasets.flatMap(dataset => statedCreator(dataset) ?? []))].sort();
  if (names.length === 0) return {};
  return {
    contributors: names.map(name => ({ name, nameType: 'Organizational', contributorType: 'Producer' })),
  };
}

function rights({ publisher }: TreeDescription): Fields {
  const { license, attribution } = publisher;
  const address = licenseAddress(publisher);
  const known = spdxLicense(publisher);
  if (license === null && !isAddress(address)) return {};
  return {
    rightsList: [
      {
        rights: [license, attribution === null ? null : `attribution: ${oneLine(attribution)}`]
          .filter(Boolean)
          .join('; '),
        ...(address === null ? {} : { rightsUri: address }),
        ...(known === null
          ? {}
          : {
              rightsIdentifier: known,
              rightsIdentifierScheme: 'SPDX',
              schemeUri: 'https://spdx.org/licenses/',
            }),
      },
    ],
  };
}

/** Numbers of datasets, rows, files and bytes of rows. The whole tree's size is unknown while it is written. */
function sizes({ datasets, dimensions }: TreeDescription): string[] {
  const rows = datasets.reduce((sum, { manifest }) => sum + manifest.rows, 0);
  const files = [
    ...datasets.flatMap(({ manifest }) => [
      ...manifest.slices.map(slice => slice.files),
      { json: [], csv: [], parquet: copiesByPlace(manifest).map(entry => entry.file) },
    ]),
    ...dimensions.map(({ manifest }) => manifest.files),
  ].flatMap(({ json, csv, parquet }) => [...json, ...csv, ...parquet]);
  const bytes = files.reduce((sum, file) => sum + file.bytes, 0);
  return [`${datasets.length} datasets`, `${rows} rows`, `${files.length} files of rows`, `${bytes} bytes`];
}
