import { type Importer, text } from '../importer.ts';

/** Counties of Georgia. "Appling" and "Appling County, Georgia" are Appling County: a school district may be called Appling too. */
export const counties: Importer = {
  name: 'counties',
  reads: 'a list of counties with their FIPS codes and names',
  target: {
    path: '_dimensions/counties',
    kind: 'dimension',
    columns: { county_fips: 'VARCHAR', county_name: 'VARCHAR' },
    key: ['county_fips'],
  },
  shapes: [
    {
      name: 'county codes and names',
      columns: [
        text('code', ['county_fips', 'GEOID', 'FIPS', 'county_geoid']),
        text('name', ['county_name', 'NAMELSAD', 'NAME', 'County']),
      ],
      select: () => `
        SELECT line, code AS county_fips,
          regexp_replace(name, '(\\s+County)?(\\s*,\\s*(Georgia|GA))?$', '', 'i') || ' County' AS county_name,
          CASE
            WHEN NOT regexp_full_match(coalesce(code, ''), '13\\d{3}') THEN 'not a county of Georgia: 13 and three digits'
            WHEN name IS NULL THEN 'no name'
          END AS dropped
        FROM source`,
    },
  ],
  repeated: 'refuse',
  merges: true,
  words: /count(y|ies)/i,
};
