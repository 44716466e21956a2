import { type Importer, text } from '../importer.ts';

/**
 * Census tracts of Georgia, 2020 boundaries. The source lists only codes. The name consists of the code's last six
 * digits, as the Census Bureau writes it: 950100 is Census Tract 9501, 950201 is Census Tract 9502.01.
 */
export const tracts: Importer = {
  name: 'tracts',
  reads: 'a list of 11-digit census tract codes',
  target: {
    path: '_dimensions/tracts',
    kind: 'dimension',
    columns: { tract_geoid: 'VARCHAR', tract_name: 'VARCHAR' },
    key: ['tract_geoid'],
  },
  shapes: [
    {
      name: 'tract codes',
      columns: [text('code', ['tract_geoid', 'GEOID', 'GEOID20', 'GEOIDFQ'])],
      select: () => `
        SELECT line, code AS tract_geoid,
          concat('Census Tract ', CAST(try_cast(code[6:9] AS INTEGER) AS VARCHAR),
            CASE WHEN code[10:11] <> '00' THEN concat('.', code[10:11]) ELSE '' END) AS tract_name,
          CASE WHEN NOT regexp_full_match(coalesce(code, ''), '13\\d{9}')
            THEN 'not a tract of Georgia: 13 and nine digits' END AS dropped
        FROM (SELECT line, regexp_replace(code, '^1400000US', '') AS code FROM source)`,
    },
  ],
  repeated: 'refuse',
  merges: true,
  words: /tract/i,
};
