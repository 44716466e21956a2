/** Contracts and rows whose every text tries to be more than text, over the weather office of the build's tests. */
import { CLIMATE_CONTRACTS, CLIMATE_LAKE, PUBLISHER, RAINFALL, REGIONS } from '../publishers/weather.ts';

/** Markup that would show, run or close something, were it not text. */
export const MARKUP = '<img src=x data-evil onerror="evil=1"><b data-evil>bold</b>';
export const CLOSING = '</script><script>evil=2</script><style data-evil></style><!--listing--><!--digest-->';
/** A word that no line is long enough for. */
export const LONG = 'long'.repeat(80);
const ADDRESS = 'javascript:evil=3';

const quoted = (text: string) => JSON.stringify(text);
const property = (name: string, value: string) => `  - { property: ${name}, value: ${quoted(value)} }\n`;

export const HOSTILE_CONTRACTS: Readonly<Record<string, string>> = {
  ...CLIMATE_CONTRACTS,
  'publisher.yaml': PUBLISHER.replace(/^service: .*/m, `service: ${quoted(`Weather ${MARKUP} ${LONG}`)}`)
    .replace(/^description: .*/m, `description: ${quoted(CLOSING)}`)
    .replace(/^attribution: .*/m, `attribution: ${quoted(MARKUP)}`)
    .concat(`contact: ${quoted(ADDRESS)}\nlicense_url: ${quoted(ADDRESS)}\n`),
  'rain/rainfall.yaml': RAINFALL.replace('value: Rainfall }', `value: ${quoted(`Rain ${MARKUP}`)} }`)
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

/** A region is called by markup too. */
export const HOSTILE_LAKE: Readonly<Record<string, string>> = {
  ...CLIMATE_LAKE,
  '_dimensions/regions.parquet': `SELECT * FROM (VALUES ('n', 'North ${MARKUP} ${LONG}'), ('s', 'South')) t(region_code, region_name)`,
};
