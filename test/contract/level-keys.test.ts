import { expect, test } from 'vitest';
import { deriveLevelKeys } from '../../build/contract/levels.ts';

const column = (name: string, role: string, nullable = true) => ({ name, role, nullable });
const join = (targetObject: string, ...columns: string[]) => ({
  targetObject,
  columns,
  column: columns.at(-1)!,
});

const education = {
  placeColumns: ['district_code', 'school_code'],
  columns: [
    column('district_code', 'fk_district'),
    column('school_code', 'fk_school'),
    column('demographic', 'fk_demographic'),
  ],
  foreignKeys: [
    join('districts', 'district_code'),
    join('schools', 'district_code', 'school_code'),
    join('demographics', 'demographic'),
  ],
};

const census = {
  placeColumns: ['county_fips', 'district_code'],
  columns: [column('county_fips', 'fk_county'), column('district_code', 'fk_district', false)],
  foreignKeys: [join('fips_counties', 'county_fips'), join('districts', 'district_code')],
};

/** Each line: a level, and the place columns that its rows have and lack. */
const cases = [
  ['schools', education, ['district_code', 'school_code'], []],
  ['districts', education, ['district_code'], ['school_code']],
  ['states', education, [], ['district_code', 'school_code']],
  ['demographics', education, [], ['district_code', 'school_code']],
  ['counties', census, ['county_fips'], []],
  ['fips_counties', census, ['county_fips'], []],
  ['districts', census, [], ['county_fips']],
] as const;

test.each(cases)('%s', (level, dataset, present, absent) => {
  expect(deriveLevelKeys({ ...dataset, levels: [level] }).get(level)).toEqual({ present, absent });
});
