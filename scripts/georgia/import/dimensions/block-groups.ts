import { type Importer, text } from '../importer.ts';

/** Census block groups of Georgia, 2020 boundaries: codes alone, since block groups have no names. */
export const blockGroups: Importer = {
  name: 'block_groups',
  reads: 'a list of 12-digit census block group codes',
  target: {
    path: '_dimensions/block_groups',
    kind: 'dimension',
    columns: { block_group_geoid: 'VARCHAR' },
    key: ['block_group_geoid'],
  },
  shapes: [
    {
      name: 'block group codes',
      columns: [text('code', ['block_group_geoid', 'GEOID', 'GEOID20', 'GEOIDFQ'])],
      select: () => `
        SELECT line, code AS block_group_geoid,
          CASE WHEN NOT regexp_full_match(coalesce(code, ''), '13\\d{10}')
            THEN 'not a block group of Georgia: 13 and ten digits' END AS dropped
        FROM (SELECT line, regexp_replace(code, '^1500000US', '') AS code FROM source)`,
    },
  ],
  repeated: 'refuse',
  merges: true,
  words: /block/i,
};
