/** Trees with people's pages of three publishers, and their datasets as the explorer knows them. */
import { readFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import type { DimensionSchemaDocument, Scalar } from '../../build/format/documents.ts';
import { openStagedRows } from '../../site/explorer/engine/staged-rows.ts';
import type { DocumentSource } from '../../site/explorer/pages/documents.ts';
import { deriveDataset, type ExploredDataset, readDataset } from '../../site/explorer/view/dataset.ts';
import type { Rows } from '../../site/explorer/view/rows.ts';
import { AIR_CONTRACTS, AIR_LAKE } from '../publishers/air.ts';
import { keptPaged } from '../publishers/kept-weather.ts';
import {
  CLIMATE_CONTRACTS,
  CLIMATE_LAKE,
  CONTRACTS,
  LAKE,
  PUBLISHER,
  RAINFALL,
  REGIONS,
  rainFile,
  rainfallRows,
  TRAMS,
  tramRows,
} from '../publishers/weather.ts';

export const unevenPages = () => keptPaged('uneven', UNEVEN_CONTRACTS, UNEVEN_LAKE);
export const airPages = () => keptPaged('air', AIR_CONTRACTS, AIR_LAKE);
export const hostilePages = () => keptPaged('hostile', HOSTILE_CONTRACTS, HOSTILE_LAKE);

export async function readExplored(
  tree: string,
  key: string,
  dimensions: readonly DimensionSchemaDocument[] = [],
): Promise<ExploredDataset> {
  const read = async (name: string) => JSON.parse(await readFile(path.join(tree, name), 'utf8'));
  const documents = await readDataset(key, { read, readIfThere: read });
  return deriveDataset({ ...documents, dimensions });
}

type Row = Readonly<Record<string, Scalar | null>>;

/** Rows of a level over all its years, in the engine's form. */
export async function readLevelRows(
  tree: string,
  { key, manifest: { slices, columns } }: ExploredDataset,
  detail: string,
  keep: (row: Row) => boolean = () => true,
): Promise<Rows> {
  const files = slices.flatMap(slice => (slice.detail === detail ? slice.files.json : []));
  const pages = files.map(async file =>
    JSON.parse(await readFile(path.join(tree, 'api/v1', key, file.path), 'utf8')),
  );
  const rows: Row[] = (await Promise.all(pages)).flatMap(page => page.data).filter(keep);
  const cell = (row: number, column: number) => rows[row]?.[columns[column]?.name ?? ''] ?? null;
  return { columns, rows: rows.length, cell };
}

export const WITHHELD = 'The gauges were frozen.';
export const BREAKS = { stations: 2019, everywhere: 2021 } as const;

const SEMANTICS = '{ property: null_semantics, value: { suppressed_to_null: true, zero_is_real: false } }';
const METRIC = '- { property: value_max, value: 9000 }';

export const UNEVEN_CONTRACTS: Readonly<Record<string, string>> = {
  ...CONTRACTS,
  'rain/rainfall.yaml': RAINFALL.replace(
    METRIC,
    `${METRIC}
          - { property: null_meaning, value: "${WITHHELD}" }
          - property: series_breaks
            value:
              - { after: ${BREAKS.everywhere}, reason: "Another gauge." }
              - { after: ${BREAKS.stations}, levels: [stations], reason: "Stations moved." }`,
  )
    .replace('station_code, season]', 'station_code, season, manned]')
    .replace('{ property: key_metric', `${SEMANTICS}\n      - { property: key_metric`),
  'trams.odcs.yaml': TRAMS.replace(
    'grain, value: [year, region_code]',
    'grain, value: [year, region_code, line]',
  )
    .replace('{ property: grain,', '{ property: key_metric, value: rides }\n      - { property: grain,')
    .replace(
      '    quality:',
      `      - name: line
        logicalType: integer
        customProperties: [{ property: column_role, value: metric }]
    quality:`,
    ),
};

const SEASONS: Readonly<Record<number, string>> = {
  2019: "season <> 'wet'",
  2021: 'true',
  2022: "season <> 'all'",
};

const rainOf = (year: number, level: string) =>
  `SELECT * REPLACE (CASE WHEN season = 'wet' AND year = 2021 THEN NULL ELSE rain_mm END AS rain_mm)
    FROM (${rainfallRows(year, level)}) WHERE ${SEASONS[year]}`;

export const UNEVEN_LAKE: Readonly<Record<string, string>> = {
  ...LAKE,
  ...Object.fromEntries(
    Object.keys(SEASONS).flatMap(year =>
      ['stations', 'regions', 'nation'].map(level => [
        rainFile(Number(year), level),
        rainOf(Number(year), level),
      ]),
    ),
  ),
  ...Object.fromEntries(
    [2021, 2022].flatMap(year =>
      ['regions', 'nation'].map(level => [
        `transit/trams/year=${year}/${level}.parquet`,
        `SELECT *, unnest([1, 2])::INTEGER AS line FROM (${tramRows(year, level)})`,
      ]),
    ),
  ),
};

/** Markup that would show, run or close something if it weren't text. */
export const MARKUP = '<img src=x data-evil onerror="evil=1"><b data-evil>bold</b>';
const CLOSING = '</script><script>evil=2</script><style data-evil></style><!--listing--><!--digest-->';
/** A word that no line can hold. */
export const LONG = 'long'.repeat(80);
const ADDRESS = 'javascript:evil=3';
/** Characters that change the direction of the text around them, and how a page shows them. */
export const TURNED = 'Rain \u202edecnuonna\u202c \u2067and\u2069 \u200fmore\u061c';
export const SHOWN = 'Rain \\u202edecnuonna\\u202c \\u2067and\\u2069 \\u200fmore\\u061c';

const quoted = (text: string) => JSON.stringify(text);
const property = (name: string, value: string) => `  - { property: ${name}, value: ${quoted(value)} }\n`;

const HOSTILE_CONTRACTS: Readonly<Record<string, string>> = {
  ...CLIMATE_CONTRACTS,
  'publisher.yaml': PUBLISHER.replace(
    /^service: .*/m,
    `service: ${quoted(`Weather ${TURNED} ${MARKUP} ${LONG}`)}`,
  )
    .replace(/^description: .*/m, `description: ${quoted(CLOSING)}`)
    .replace(/^attribution: .*/m, `attribution: ${quoted(MARKUP)}`)
    .concat(`contact: ${quoted(ADDRESS)}\nlicense_url: ${quoted(ADDRESS)}\n`),
  'rain/rainfall.yaml': RAINFALL.replace('value: Rainfall }', `value: ${quoted(`${TURNED} ${MARKUP}`)} }`)
    .replace('value: Rain of a season. }', `value: ${quoted(`Rain ${CLOSING} ${LONG}`)} }`)
    .replace(
      'customProperties:\n',
      `tags: [${quoted(MARKUP)}, ${quoted(CLOSING)}]\ndescription: { purpose: ${quoted(CLOSING + LONG)}, usage: ${quoted(MARKUP)}, limitations: ${quoted(`\`${MARKUP}\``)} }\ncustomProperties:\n${property('source', MARKUP + LONG)}${property('source_url', ADDRESS)}`,
    )
    .replace('validValues: [all, wet, dry]', `validValues: [all, wet, dry, ${quoted(MARKUP)}]`)
    .replace(
      '- { property: value_max, value: 9000 }',
      `- { property: value_max, value: 9000 }\n          - { property: label, value: ${quoted(`mm ${MARKUP}`)} }\n          - { property: unit, value: ${quoted(`mm ${MARKUP}`)} }\n          - { property: null_meaning, value: ${quoted(CLOSING)} }`,
    ),
  'shared/regions.yaml': REGIONS.replace(
    '      - name: region_name\n        logicalType: string',
    `      - name: region_name\n        logicalType: string\n        customProperties: [{ property: label, value: ${quoted(MARKUP)} }]`,
  ),
};

/** A region's name is markup too. */
const HOSTILE_LAKE: Readonly<Record<string, string>> = {
  ...CLIMATE_LAKE,
  '_dimensions/regions.parquet': `SELECT * FROM (VALUES ('n', 'North ${MARKUP} ${LONG}'), ('s', 'South')) t(region_code, region_name)`,
};

export function stagedSource(tree: string): DocumentSource {
  const readBytes = (name: string) => {
    try {
      return readFileSync(path.join(tree, name));
    } catch {
      return null;
    }
  };
  return {
    baseUrl: null,
    readText: async name => readBytes(name)?.toString('utf8') ?? null,
    keep: (_, make) => make(),
    ...openStagedRows(readBytes),
  };
}
