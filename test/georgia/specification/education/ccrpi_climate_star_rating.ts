import type { DatasetSpecification } from '../facts.ts';

export const specification: DatasetSpecification = {
  key: 'education/ccrpi_climate_star_rating',
  facts: {
    years: [2014, 2024],
    gaps: [2020, 2021, 2022, 2023],
    summaryYears: [2014, 2019, 2024],
    levels: ['schools'],
    defaultDetail: 'schools',
    grain: ['year', 'district_code', 'school_code'],
    keyMetric: 'school_climate_star_rating',
    columns: {
      year: { type: 'integer', nullable: false, role: 'year' },
      district_code: { type: 'string', nullable: false, role: 'fk_district' },
      school_code: { type: 'string', nullable: false, role: 'fk_school' },
      school_climate_star_rating: {
        type: 'number',
        nullable: true,
        role: 'metric',
        unit: 'rating',
        min: 1,
        max: 5,
      },
    },
  },
  sentences: [
    { says: 'School-level ordinal rating, whole stars.', rules: ['whole_stars'] },
    { says: 'Stars 1 to 5.', rules: ['school_climate_star_rating_range'] },
    {
      says: 'Built from four equally weighted components.',
      rules: [],
      why: 'The components are not in the dataset.',
    },
    {
      says: 'Published 2014-2019 and 2024; no data for 2020, 2021, 2022, 2023.',
      rules: ['year_known', 'year_in_folder', 'year_not_null'],
    },
    {
      says: 'Detail levels: schools only.',
      rules: ['district_code_not_null', 'school_code_not_null'],
    },
    {
      says: 'district_code: FK districts; school_code: FK schools, composite with district_code.',
      rules: ['district_code_known', 'school_code_known'],
    },
    { says: 'One row per school and year (no demographic breakdown).', rules: ['grain_unique'] },
    {
      says: 'No filterable categorical columns.',
      rules: [],
      why: 'A statement about the columns, which the schema document shows.',
    },
    { says: 'Suppressed cells are NULL.', rules: ['school_climate_star_rating_range'] },
    {
      says: 'The single overall score lives in ccrpi_scoring_by_component.',
      rules: [],
      why: 'A pointer to another dataset.',
    },
  ],
  breaks: {
    whole_stars: `
      UPDATE t SET school_climate_star_rating = 2.5
      WHERE rowid = (SELECT min(rowid) FROM t WHERE school_climate_star_rating IS NOT NULL)`,
  },
};
