/**
 * demographics: every group that any dataset reports. `share` is the group's share of students state-wide (NULL for
 * groups of one test's registration form only); `tilt` makes it smaller where z is high; `growth` is its
 * yearly change. `effect` shifts outcomes of the group on the logit scale: positive is worse. Groups of an
 * `exhaustive` category add up to `all`. All figures are invented.
 */
export const demographicsSql = `
  CREATE TABLE demographics AS
  SELECT * FROM (VALUES
    ('all',                           'All',                           'total',           true,  1.0,   0.0,  0.0,    0.0),
    ('asian_pacific_islander',        'Asian or Pacific Islander',     'race_ethnicity',  true,  0.05,  -0.5, 0.02,  -0.6),
    ('black',                         'Black',                         'race_ethnicity',  true,  0.36,  0.5,  0.0,    0.2),
    ('hispanic',                      'Hispanic',                      'race_ethnicity',  true,  0.18,  0.2,  0.03,   0.15),
    ('multiracial',                   'Multiracial',                   'race_ethnicity',  true,  0.045, -0.1, 0.03,   0.05),
    ('native_american',               'Native American',               'race_ethnicity',  true,  0.003, 0.0,  0.0,    0.2),
    ('other',                         'Other',                         'race_ethnicity',  true,  NULL,  0.0,  0.0,    0.0),
    ('race_unknown',                  'Race unknown',                  'race_ethnicity',  true,  NULL,  0.0,  0.0,    0.0),
    ('white',                         'White',                         'race_ethnicity',  true,  0.362, -0.4, -0.015, -0.1),
    ('female',                        'Female',                        'sex',             true,  0.488, 0.0,  0.0,   -0.1),
    ('male',                          'Male',                          'sex',             true,  0.512, 0.0,  0.0,    0.1),
    ('students_with_disabilities',    'Students with disabilities',    'disability',      true,  0.12,  0.1,  0.008,  0.6),
    ('students_without_disabilities', 'Students without disabilities', 'disability',      true,  0.88,  0.0,  0.0,   -0.1),
    ('economically_disadvantaged',    'Economically disadvantaged',    'income',          true,  0.58,  0.4,  0.0,    0.25),
    ('not_economically_disadvantaged', 'Not economically disadvantaged', 'income',        true,  0.42,  -0.4, 0.0,   -0.45),
    ('english_learners',              'English learners',              'language',        false, 0.08,  0.3,  0.03,   0.3),
    ('migrant',                       'Migrant',                       'migrant_status',  false, 0.004, 0.2,  -0.01,  0.3),
    ('homeless',                      'Homeless',                      'housing',         false, 0.021, 0.3,  0.01,   0.9),
    ('foster_care',                   'Foster care',                   'foster_care',     false, 0.006, 0.2,  0.0,    0.7),
    ('active_duty',                   'Active duty parent',            'military_family', false, 0.016, -0.2, 0.0,   -0.3)
  ) t(demographic, demographic_label, demographic_category, exhaustive, share, tilt, growth, effect)`;
