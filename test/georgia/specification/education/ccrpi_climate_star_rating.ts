import { changeFirst, type Specification } from '../facts.ts';
import { SCHOOLS_ALONE } from './school-places.ts';

export const specification: Specification = {
  key: 'education/ccrpi_climate_star_rating',
  alike: [SCHOOLS_ALONE],
  facts: {
    years: [2014, 2024],
    gaps: [2020, 2021, 2022, 2023],
    summaryYears: [2014, 2019, 2024],
    grain: ['year', 'district_code', 'school_code'],
    keyMetric: 'school_climate_star_rating',
  },
  columns: {
    school_climate_star_rating: {
      type: 'number',
      nullable: true,
      role: 'metric',
      unit: 'rating',
      min: 1,
      max: 5,
    },
  },
  sentences: {
    'School-level ordinal rating, whole stars.': ['whole_stars'],
    'Stars 1 to 5.': ['school_climate_star_rating_range'],
    'Built from four equally weighted components.': 'The components are not in the dataset.',
    'Published 2014-2019 and 2024; no data for 2020, 2021, 2022, 2023.': [
      'year_known',
      'year_in_folder',
      'year_not_null',
    ],
    'Detail levels: schools only.': ['district_code_not_null', 'school_code_not_null'],
    'district_code: FK districts; school_code: FK schools, composite with district_code.': [
      'district_code_known',
      'school_code_known',
    ],
    'One row per school and year (no demographic breakdown).': ['grain_unique'],
    'No filterable categorical columns.': 'A statement about the columns, which the schema document shows.',
    'Suppressed cells are NULL.': ['school_climate_star_rating_range'],
    'The single overall score lives in ccrpi_scoring_by_component.': 'A pointer to another dataset.',
  },
  breaks: {
    whole_stars: changeFirst('school_climate_star_rating = 2.5', 'school_climate_star_rating IS NOT NULL'),
  },
};
