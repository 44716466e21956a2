import { figure, type PhysicalType, type Shape, type SourceColumn, type Target, text } from './importer.ts';

/** Columns of places, which may be blank: such a row is of a larger place. */
const PLACES = ['county_fips', 'district_code', 'school_code', 'tract_geoid'];

const READS = {
  INTEGER: { holds: 'count', macro: 'count_of' },
  BIGINT: { holds: 'count', macro: 'count_of' },
  DOUBLE: { holds: 'number', macro: 'number_of' },
  BOOLEAN: { holds: 'boolean', macro: 'boolean_of' },
  VARCHAR: { holds: 'number', macro: '' },
} as const satisfies Readonly<Record<PhysicalType, object>>;

/**
 * The layout of a table that has the contract's own columns, under its names or after --columns gave it those: for files
 * whose layout nobody described. Figures are read unchanged, so a proportion must be one already.
 */
export function contractShape({ columns, key, level }: Target): Shape {
  const figures = Object.entries(columns).filter(([name]) => !key.includes(name));
  const firstFigure = figures.find(([, type]) => type !== 'VARCHAR')?.[0];
  const read = Object.entries(columns).map(([name, type], index): SourceColumn => {
    if (key.includes(name) || type === 'VARCHAR')
      return text(name, [name], key.includes(name) && name !== 'year' && !PLACES.includes(name));
    return {
      ...figure(name, READS[type].holds, [name], name === firstFigure),
      measure: `${name} ${index}`,
    };
  });
  const value = ([name, type]: readonly [string, PhysicalType]): string => {
    if (name === 'district_code' || name === 'school_code') return `${name}_of(${name}) AS ${name}`;
    if (name === 'year') return 'year_of(year, file_year) AS year';
    if (type === 'VARCHAR') return name;
    return `${READS[type].macro}(${name}) AS ${name}`;
  };
  const has = (name: string) => name in columns;
  const [wanted, school] = level ? ["'School'", 'school_code'] : ['NULL', "coalesce(school_code, 'ALL')"];
  return {
    name: 'columns of the contract',
    columns: read,
    supplies: present => figures.map(([name]) => name).filter(name => present.has(name)),
    select: present => `
      SELECT line, ${Object.entries(columns).map(value).join(', ')},
        CAST([${figures
          .filter(([name]) => !present.has(name))
          .map(([name]) => `'${name}'`)
          .join(', ')}] AS VARCHAR[]) AS unsaid,
        ${has('school_code') ? `place_problem(${wanted}, coalesce(district_code, 'ALL'), ${school})` : 'CAST(NULL AS VARCHAR)'} AS dropped,
        CASE
          ${level ? `WHEN true THEN '${level}'` : ''}
          ${has('tract_geoid') ? "WHEN tract_geoid IS NOT NULL THEN 'tracts'" : ''}
          ${has('county_fips') ? "WHEN county_fips IS NOT NULL THEN 'counties'" : ''}
          ${has('school_code') ? "WHEN school_code IS NOT NULL THEN 'schools'" : ''}
          ${has('district_code') ? "WHEN district_code IS NOT NULL THEN 'districts'" : ''}
          ELSE 'states' END AS detail
      FROM source`,
  };
}
