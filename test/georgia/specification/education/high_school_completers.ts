import type { DatasetSpecification } from '../facts.ts';

export const specification: DatasetSpecification = {
  key: 'education/high_school_completers',
  facts: {
    version: '1.1.0',
    years: [2011, 2024],
    gaps: [],
    levels: ['districts', 'schools', 'states'],
    defaultDetail: 'schools',
    grain: ['year', 'district_code', 'school_code', 'demographic', 'completer_type', 'credential_type'],
    keyMetric: 'num_completers',
    columns: {
      year: { type: 'integer', nullable: false, role: 'year' },
      district_code: { type: 'string', nullable: true, role: 'fk_district' },
      school_code: { type: 'string', nullable: true, role: 'fk_school' },
      demographic: {
        type: 'string',
        nullable: false,
        role: 'fk_demographic',
        values: [
          'all',
          'asian_pacific_islander',
          'black',
          'female',
          'hispanic',
          'male',
          'multiracial',
          'native_american',
          'white',
        ],
      },
      completer_type: {
        type: 'string',
        nullable: false,
        role: 'categorical',
        values: ['graduates', 'other_completers'],
      },
      credential_type: {
        type: 'string',
        nullable: false,
        role: 'categorical',
        values: [
          'certificates_of_attendance',
          'diplomas_college_prep',
          'diplomas_college_prep_and_vocational',
          'diplomas_vocational',
          'general_education_diplomas',
          'special_education_diplomas',
        ],
      },
      num_completers: { type: 'integer', nullable: true, role: 'metric', unit: 'count' },
      pct_of_credential_type: { type: 'number', nullable: true, role: 'metric', unit: 'proportion' },
    },
  },
  sentences: [
    { says: 'Years 2011-2024; detail districts, schools, states', rules: ['year_known', 'level_keys'] },
    {
      says: 'Grain: year, district_code, school_code, demographic, completer_type, credential_type',
      rules: ['grain_unique'],
    },
    {
      says: 'year (integer, not null): ending calendar year of the school year',
      rules: ['year_not_null', 'year_known', 'year_in_folder'],
    },
    {
      says: 'district_code: FK districts; 3-digit zero-padded for standard districts, 7-digit for state-charter or state-school operators',
      rules: ['district_code_format', 'district_code_known'],
    },
    { says: 'district_code is NULL on state rows', rules: ['level_keys'] },
    {
      says: 'school_code: FK schools, composite with district_code; 4-character zero-padded',
      rules: ['school_code_format', 'school_code_known'],
    },
    { says: 'school_code is NULL on district and state rows', rules: ['level_keys'] },
    {
      says: 'demographic (9): not null, FK demographics',
      rules: ['demographic_values', 'demographic_not_null', 'demographic_known'],
    },
    {
      says: '`all` is the total and overlaps every other value; subgroups are exclusive only within their own category',
      rules: ['groups_within_total'],
    },
    {
      says: 'The too-few-students marker and blank cells become NULL',
      rules: [],
      why: 'Once the marker is NULL nothing tells it from a blank cell.',
    },
    { says: 'completer_type: graduates, other_completers', rules: ['completer_type_values'] },
    {
      says: 'completer_type is determined by credential_type: graduates are the four diploma credentials, other_completers special education diplomas and certificates of attendance',
      rules: ['completer_type_follows_credential'],
    },
    { says: 'credential_type: six values', rules: ['credential_type_values'] },
    { says: 'Year 2011 lacks general_education_diplomas', rules: ['no_general_education_diplomas_in_2011'] },
    { says: 'num_completers (count)', rules: ['num_completers_range'] },
    {
      says: 'NULL means suppressed; real zeros appear only in 2012-2017 and 2021-2022',
      rules: ['zero_completers_only_in_documented_years'],
    },
    {
      says: 'every published 2023-2024 count is at least 10',
      rules: ['published_counts_at_least_ten_from_2023'],
    },
    {
      says: "pct_of_credential_type (proportion): demographic share within the credential's all total",
      rules: ['pct_of_credential_type_range', 'share_is_count_over_credential_total'],
    },
    { says: 'the all row is 1.0 where published', rules: ['share_of_all_students_is_one'] },
    {
      says: 'can be non-NULL while num_completers is NULL',
      rules: [],
      why: 'A permission: both states are valid.',
    },
    { says: 'do not sum across credentials', rules: [], why: 'Advice on reading.' },
  ],
  breaks: {
    district_code_format:
      'UPDATE t SET district_code = substr(district_code, 2) WHERE rowid = (SELECT min(rowid) FROM t WHERE length(district_code) = 3)',
    school_code_format:
      "UPDATE t SET school_code = school_code || '0' WHERE rowid = (SELECT min(rowid) FROM t WHERE school_code IS NOT NULL)",
    completer_type_follows_credential:
      "UPDATE t SET completer_type = 'graduates' WHERE rowid = (SELECT min(rowid) FROM t WHERE completer_type = 'other_completers')",
    no_general_education_diplomas_in_2011:
      "UPDATE t SET year = 2011 WHERE rowid = (SELECT min(rowid) FROM t WHERE credential_type = 'general_education_diplomas')",
    zero_completers_only_in_documented_years:
      'UPDATE t SET num_completers = 0 WHERE rowid = (SELECT min(rowid) FROM t WHERE num_completers IS NOT NULL AND (year = 2011 OR year BETWEEN 2018 AND 2020 OR year >= 2023))',
    published_counts_at_least_ten_from_2023:
      'UPDATE t SET num_completers = 9 WHERE rowid = (SELECT min(rowid) FROM t WHERE year >= 2023 AND num_completers IS NOT NULL)',
    share_of_all_students_is_one:
      "UPDATE t SET pct_of_credential_type = 0.9 WHERE rowid = (SELECT min(rowid) FROM t WHERE demographic = 'all' AND pct_of_credential_type IS NOT NULL)",
    share_is_count_over_credential_total:
      "UPDATE t SET pct_of_credential_type = CASE WHEN pct_of_credential_type > 0.5 THEN pct_of_credential_type - 0.1 ELSE pct_of_credential_type + 0.1 END WHERE rowid = (SELECT min(g.rowid) FROM t g JOIN t a ON a.year = g.year AND a.district_code IS NOT DISTINCT FROM g.district_code AND a.school_code IS NOT DISTINCT FROM g.school_code AND a.credential_type = g.credential_type WHERE a.demographic = 'all' AND a.num_completers > 0 AND g.demographic <> 'all' AND g.num_completers IS NOT NULL AND g.pct_of_credential_type IS NOT NULL)",
    groups_within_total:
      "UPDATE t SET num_completers = num_completers + 10000000 WHERE rowid = (SELECT min(g.rowid) FROM t g JOIN t a ON a.year = g.year AND a.district_code IS NOT DISTINCT FROM g.district_code AND a.school_code IS NOT DISTINCT FROM g.school_code AND a.completer_type = g.completer_type AND a.credential_type = g.credential_type WHERE a.demographic = 'all' AND a.num_completers IS NOT NULL AND g.demographic <> 'all' AND g.num_completers IS NOT NULL)",
  },
};
