import { datasetImporter, tableOf } from '../layout-shape.ts';
import { GADOE_CODES, YEAR } from './place-layouts.ts';

/** School climate star ratings, Department of Education. The files' other column, the CCRPI single score, is another dataset's. */
export const ccrpiClimateStarRating = datasetImporter(
  tableOf(
    'education/ccrpi_climate_star_rating',
    'year:i district_code:s school_code:s school_climate_star_rating:d',
    'year district_code school_code',
  ),
  "GaDOE's School Climate Star Rating workbooks",
  [
    {
      name: 'school climate star ratings',
      years: '2014-2019, 2024',
      place: GADOE_CODES,
      year: YEAR,
      keys: {},
      blocks: [
        {
          figures: {
            school_climate_star_rating: {
              headers: ['School Climate Star Rating', 'Climate Star Rating', 'Star Rating'],
              holds: 'number',
              required: true,
            },
          },
        },
      ],
      rules: [
        { drop: 'school_code IS NULL', why: 'not a school: only schools have ratings' },
        {
          leaveOut: 'school_climate_star_rating NOT IN (1, 2, 3, 4, 5)',
          column: 'school_climate_star_rating',
          why: 'the rating is not one to five whole stars and is left out',
          scale: true,
        },
      ],
    },
  ],
);
