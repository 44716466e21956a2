/** datacite.json: the metadata with which a registry gives the release a DOI, in DataCite Metadata Schema 4.6. Pure. */
import type { Fields } from '../format/json.ts';
import { copiesByPlace } from '../format/manifest.ts';
import { ROOT } from '../format/paths.ts';
import { yearPeriods } from '../format/year-runs.ts';
import { absolute, oneLine, sortedWords, type TreeDescription, treeFacts } from './tree-description.ts';

/**
 * The document has no DOI, because the registry assigns it. Until then the release's name identifies it
 * (`alternateIdentifiers`). `url` is the address for the DOI to lead to, if the tree knows its address.
 */
export function dataCiteDocument(tree: TreeDescription): Fields {
  const { publisher, datasets, date, release } = tree;
  const facts = treeFacts(tree);
  const name = oneLine(facts.publisher);
  const years = [...new Set(datasets.flatMap(({ schema }) => schema.available_years))].sort((a, b) => a - b);
  const words = datasets.flatMap(({ schema }) => [schema.main_topic, ...schema.tags, schema.title]);
  const subjects = sortedWords(words.map(oneLine).filter(Boolean)) ?? [];
  const manifest = absolute(tree, ROOT.manifest);
  return {
    schemaVersion: 'http://datacite.org/schema/kernel-4',
    identifiers: [],
    alternateIdentifiers: [{ alternateIdentifierType: 'release', alternateIdentifier: release }],
    url: tree.baseUrl ?? undefined,
    types: { resourceTypeGeneral: 'Dataset', resourceType: 'Statistical data' },
    creators: [{ name, nameType: 'Organizational' }],
    contributors: facts.creators?.map(office => ({
      name: office,
      nameType: 'Organizational',
      contributorType: 'Producer',
    })),
    titles: [{ title: oneLine(publisher.service) }],
    publisher: { name },
    publicationYear: date.slice(0, 4),
    subjects: subjects.map(subject => ({ subject })),
    dates: [
      { date, dateType: 'Issued' },
      ...yearPeriods(years).map(period => ({ date: period, dateType: 'Coverage' })),
    ],
    language: publisher.language ?? undefined,
    version: release,
    rightsList: rights(tree),
    descriptions: [
      { description: facts.text, descriptionType: 'Abstract' },
      {
        description: datasets.map(one => `${one.manifest.dataset}: ${one.schema.title}`).join('; '),
        descriptionType: 'TableOfContents',
      },
    ],
    sizes: sizes(tree),
    formats: ['application/json', 'text/csv', 'application/vnd.apache.parquet'],
    relatedIdentifiers: [manifest].flatMap(address =>
      address
        ? { relatedIdentifier: address, relatedIdentifierType: 'URL', relationType: 'HasMetadata' }
        : [],
    ),
  };
}

function rights(tree: TreeDescription): Fields[] | undefined {
  const { license, attribution } = tree.publisher;
  const { license: address, spdx: known } = treeFacts(tree);
  if (license === null && address === undefined) return undefined;
  const credit = attribution && `attribution: ${oneLine(attribution)}`;
  return [
    {
      rights: [license, credit].filter(Boolean).join('; '),
      rightsUri: address,
      ...(known && {
        rightsIdentifier: known,
        rightsIdentifierScheme: 'SPDX',
        schemeUri: 'https://spdx.org/licenses/',
      }),
    },
  ];
}

/** Numbers of datasets, rows, files and bytes of rows. The whole tree's size is unknown while it is written. */
function sizes(tree: TreeDescription): string[] {
  const { datasets } = tree;
  const rows = datasets.reduce((sum, { manifest }) => sum + manifest.rows, 0);
  const files = [
    ...datasets.flatMap(({ manifest }) => [
      ...manifest.slices.flatMap(slice => Object.values(slice.files).flat()),
      ...copiesByPlace(manifest).map(entry => entry.file),
    ]),
    ...treeFacts(tree).dimensions.flatMap(({ manifest }) => Object.values(manifest.files).flat()),
  ];
  const bytes = files.reduce((sum, file) => sum + file.bytes, 0);
  return [`${datasets.length} datasets`, `${rows} rows`, `${files.length} files of rows`, `${bytes} bytes`];
}
