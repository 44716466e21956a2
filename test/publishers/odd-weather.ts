/** The weather office with uneven rows, with markup as titles, and with hostile texts everywhere. */
import {
  CLIMATE_CONTRACTS,
  CLIMATE_LAKE,
  CONTRACTS,
  GONE,
  LAKE,
  MISTAKEN,
  PUBLISHER,
  RAIN_YEARS,
  RAINFALL,
  REGIONS,
  rainFile,
  rainfallRows,
  TRAMS,
  tramRows,
} from './weather.ts';

const WITHHELD = 'The gauges were frozen.';
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
const LONG = 'long'.repeat(80);
const ADDRESS = 'javascript:evil=3';
/** Characters that change the direction of the text around them, and how a page shows them. */
export const TURNED = 'Rain \u202edecnuonna\u202c \u2067and\u2069 \u200fmore\u061c';
export const SHOWN = 'Rain \\u202edecnuonna\\u202c \\u2067and\\u2069 \\u200fmore\\u061c';

const quoted = (text: string) => JSON.stringify(text);
const property = (name: string, value: string) => `  - { property: ${name}, value: ${quoted(value)} }\n`;

export const HOSTILE_CONTRACTS: Readonly<Record<string, string>> = {
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
export const HOSTILE_LAKE: Readonly<Record<string, string>> = {
  ...CLIMATE_LAKE,
  '_dimensions/regions.parquet': `SELECT * FROM (VALUES ('n', 'North ${MARKUP} ${LONG}'), ('s', 'South')) t(region_code, region_name)`,
};

export const TITLE = '"Rain" & <i data-evil>snow</i>';
export const TRAM_TITLE = 'Trams <b data-evil>bold</b>';

const titled = (contract: string) =>
  contract.replace('value: Rainfall }', `value: '${TITLE.replaceAll("'", "''")}' }`);

export const TITLED_CONTRACTS = { ...CONTRACTS, 'rain/rainfall.yaml': titled(RAINFALL) };

/** A column is renamed, something was wrong, and the trams are withdrawn. */
export const TITLED_LATER_CONTRACTS = {
  'rain/rainfall.yaml': titled(MISTAKEN.replace('<gauge> leaked', 'gauge <b data-evil>leaked</b>'))
    .replace('version: 1.2.0', 'version: 2.0.0')
    .replace('- name: wet_days', '- name: days_wet')
    .replace(/(name: days_wet[^[]*\[)/, '$1{ property: renamed_from, value: wet_days }, '),
  'trams.odcs.yaml': GONE.replace(
    'customProperties:\n',
    `customProperties:\n  - { property: title, value: ${JSON.stringify(TRAM_TITLE)} }\n`,
  ),
};

/** The wet days of a year differ too. */
export const TITLED_LATER_ROWS = Object.fromEntries(
  RAIN_YEARS.flatMap(year =>
    ['stations', 'regions', 'nation'].map(level => [
      rainFile(year, level),
      `SELECT * EXCLUDE wet_days, wet_days + ${year === 2021 ? 3 : 0} AS days_wet FROM (${rainfallRows(year, level)})`,
    ]),
  ),
);
