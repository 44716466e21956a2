import { COUNT, category, groups, PROPORTION } from '../columns.ts';
import { changeFirst, type Specification } from '../facts.ts';
import { PADDED_CODES, PADDED_CODES_OR_NULL, SCHOOLS_AND_ABOVE } from './school-places.ts';

export const specification: Specification = {
  key: 'education/high_school_completers',
  alike: [SCHOOLS_AND_ABOVE, PADDED_CODES, PADDED_CODES_OR_NULL],
  facts: {
    version: '1.1.0',
    years: [2011, 2024],
    levels: ['districts', 'schools', 'states'],
    defaultDetail: 'schools',
    grain: ['year', 'district_code', 'school_code', 'demographic', 'completer_type', 'credential_type'],
    keyMetric: 'num_completers',
  },
  columns: {
    demographic: groups(
      'all asian_pacific_islander black female hispanic male multiracial native_american white',
    ),
    completer_type: category('graduates other_completers'),
    credential_type: category(`
        certificates_of_attendance diplomas_college_prep diplomas_college_prep_and_vocational
        diplomas_vocational general_education_diplomas special_education_diplomas`),
    num_completers: COUNT,
    pct_of_credential_type: PROPORTION,
  },
  sentences: {
    'Years 2011-2024; detail districts, schools, states': ['year_known', 'level_keys'],
    'Grain: year, district_code, school_code, demographic, completer_type, credential_type': ['grain_unique'],
    'demographic (9): not null, FK demographics': [
      'demographic_values',
      'demographic_not_null',
      'demographic_known',
    ],
    '`all` is the total and overlaps every other value; subgroups are exclusive only within their own category':
      ['groups_within_total'],
    'completer_type: graduates, other_completers': ['completer_type_values'],
    'completer_type is determined by credential_type: graduates are the four diploma credentials, other_completers special education diplomas and certificates of attendance':
      ['completer_type_follows_credential'],
    'credential_type: six values': ['credential_type_values'],
    'Year 2011 lacks general_education_diplomas': ['no_general_education_diplomas_in_2011'],
    'num_completers (count)': ['num_completers_range'],
    'NULL means suppressed; real zeros appear only in 2012-2017 and 2021-2022': [
      'zero_completers_only_in_documented_years',
    ],
    'every published 2023-2024 count is at least 10': ['published_counts_at_least_ten_from_2023'],
    "pct_of_credential_type (proportion): demographic share within the credential's all total": [
      'pct_of_credential_type_range',
      'share_is_count_over_credential_total',
    ],
    'the all row is 1.0 where published': ['share_of_all_students_is_one'],
    'can be non-NULL while num_completers is NULL': 'A permission: both states are valid.',
    'do not sum across credentials': 'Advice on reading.',
  },
  breaks: {
    completer_type_follows_credential: changeFirst(
      "completer_type = 'graduates'",
      "completer_type = 'other_completers'",
    ),
    no_general_education_diplomas_in_2011: changeFirst(
      'year = 2011',
      "credential_type = 'general_education_diplomas'",
    ),
    zero_completers_only_in_documented_years: changeFirst(
      'num_completers = 0',
      'num_completers IS NOT NULL AND (year = 2011 OR year BETWEEN 2018 AND 2020 OR year >= 2023)',
    ),
    published_counts_at_least_ten_from_2023: changeFirst(
      'num_completers = 9',
      'year >= 2023 AND num_completers IS NOT NULL',
    ),
    share_of_all_students_is_one: changeFirst(
      'pct_of_credential_type = 0.9',
      "demographic = 'all' AND pct_of_credential_type IS NOT NULL",
    ),
    share_is_count_over_credential_total:
      "UPDATE t SET pct_of_credential_type = CASE WHEN pct_of_credential_type > 0.5 THEN pct_of_credential_type - 0.1 ELSE pct_of_credential_type + 0.1 END WHERE rowid = (SELECT min(g.rowid) FROM t g JOIN t a ON a.year = g.year AND a.district_code IS NOT DISTINCT FROM g.district_code AND a.school_code IS NOT DISTINCT FROM g.school_code AND a.credential_type = g.credential_type WHERE a.demographic = 'all' AND a.num_completers > 0 AND g.demographic <> 'all' AND g.num_completers IS NOT NULL AND g.pct_of_credential_type IS NOT NULL)",
    groups_within_total:
      "UPDATE t SET num_completers = num_completers + 10000000 WHERE rowid = (SELECT min(g.rowid) FROM t g JOIN t a ON a.year = g.year AND a.district_code IS NOT DISTINCT FROM g.district_code AND a.school_code IS NOT DISTINCT FROM g.school_code AND a.completer_type = g.completer_type AND a.credential_type = g.credential_type WHERE a.demographic = 'all' AND a.num_completers IS NOT NULL AND g.demographic <> 'all' AND g.num_completers IS NOT NULL)",
  },
};
