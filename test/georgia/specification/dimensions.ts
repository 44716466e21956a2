import { type Break, changeFirst } from './facts.ts';

/** What the specification (2.4, 2.6 and the contract dialect) says of one dimension, and how its rules break. */
export interface DimensionSpecification {
  /** `<name>` for a global one, `<domain>/<name>` for a domain's own. */
  readonly key: string;
  /** A column whose join it is, as 2.4 writes it. */
  readonly joinedBy: string;
  readonly primaryKey: readonly string[];
  readonly attributes: readonly string[];
  /** Attributes of its own rows, which no join adds. */
  readonly own?: readonly string[];
  readonly scope: 'global' | 'domain';
  readonly linkKeys?: readonly string[];
  readonly hasSemantics?: true;
  /** Attribute columns whose values are listed, so that they are filters of every dataset that joins. */
  readonly lists: Readonly<Record<string, readonly string[]>>;
  readonly breaks: Readonly<Record<string, Break>>;
}

export const dimensionSpecifications: readonly DimensionSpecification[] = [
  {
    key: 'block_groups',
    joinedBy: 'block_group_geoid',
    primaryKey: ['block_group_geoid'],
    attributes: [],
    scope: 'global',
    lists: {},
    breaks: {
      block_group_geoid_is_georgia: changeFirst("block_group_geoid = '12' || substr(block_group_geoid, 3)"),
      block_group_in_known_tract: changeFirst("block_group_geoid = '139999999999'"),
    },
  },
  {
    key: 'counties',
    joinedBy: 'county_fips',
    primaryKey: ['county_fips'],
    attributes: ['county_name'],
    scope: 'global',
    lists: {},
    breaks: {
      county_fips_is_georgia: changeFirst("county_fips = '1' || county_fips"),
      county_name_without_suffix: changeFirst("county_name = county_name || ' County'"),
      county_name_unique: changeFirst(
        'county_name = (SELECT max(county_name) FROM t)',
        'county_name <> (SELECT max(county_name) FROM t)',
      ),
    },
  },
  {
    key: 'tracts',
    joinedBy: 'tract_geoid',
    primaryKey: ['tract_geoid'],
    attributes: ['tract_name'],
    scope: 'global',
    lists: {},
    breaks: {
      tract_geoid_is_georgia: changeFirst('tract_geoid = substr(tract_geoid, 1, 10)'),
      tract_in_known_county: changeFirst("tract_geoid = '13999' || substr(tract_geoid, 6)"),
    },
  },
  {
    key: 'education/demographics',
    joinedBy: 'demographic',
    primaryKey: ['demographic'],
    attributes: ['demographic_label', 'demographic_category'],
    scope: 'domain',
    hasSemantics: true,
    lists: {
      demographic_category: [
        'total',
        'race_ethnicity',
        'sex',
        'disability',
        'income',
        'language',
        'migrant_status',
        'housing',
        'foster_care',
        'military_family',
      ],
    },
    breaks: {
      all_is_the_only_total: "UPDATE t SET demographic_category = 'total' WHERE demographic = 'female'",
    },
  },
  {
    key: 'education/districts',
    joinedBy: 'district_code',
    primaryKey: ['district_code'],
    attributes: ['district_name', 'district_census_id', 'district_type'],
    own: ['entry_origin', 'first_year', 'last_year'],
    scope: 'domain',
    linkKeys: ['district_census_id'],
    lists: {
      district_type: [
        'commission_charter',
        'resa',
        'standard',
        'state_agency',
        'state_charter',
        'state_school',
        'state_special',
      ],
    },
    breaks: {
      service_agency_codes: changeFirst("district_type = 'standard'", "district_type = 'resa'"),
      treatment_centers_are_special: `UPDATE t SET district_type = 'state_agency' WHERE district_code = 'RTC'`,
    },
  },
  {
    key: 'education/schools',
    joinedBy: 'school_code',
    primaryKey: ['district_code', 'school_code'],
    attributes: ['school_name'],
    own: ['entry_origin', 'first_year', 'last_year'],
    scope: 'domain',
    lists: {},
    breaks: {
      four_character_codes: changeFirst('school_code = substr(school_code, 2)'),
    },
  },
];
