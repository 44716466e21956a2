import { datasetImporter, tableOf } from '../layout-shape.ts';
import { GOSA_CODES, YEAR } from './place-layouts.ts';

/** High school completers by credential, Governor's Office of Student Achievement. Asian includes Pacific Islanders. */
export const highSchoolCompleters = datasetImporter(
  tableOf(
    'education/high_school_completers',
    'year:i district_code:s school_code:s demographic:s completer_type:s credential_type:s num_completers:i pct_of_credential_type:d',
    'year district_code school_code demographic completer_type credential_type',
  ),
  "GOSA's High School Completers downloads, one file per school year",
  [
    {
      name: 'completers by credential',
      years: '2011-2024',
      place: GOSA_CODES,
      year: YEAR,
      keys: {
        demographic: { headers: ['LABEL_LVL_5_CD'], group: true },
        completer_type: {
          headers: ['COMPLETER_TYPE'],
          what: 'kind of completer',
          codes: { graduates: 'graduates', othercompleters: 'other_completers' },
        },
        credential_type: {
          headers: ['LABEL_LVL_1_DESC'],
          what: 'credential',
          codes: {
            certificatesofattendance: 'certificates_of_attendance',
            diplomaswithbothcollegeprepvoc: 'diplomas_college_prep_and_vocational',
            diplomaswithbothcollegeprepvocationalendorsements: 'diplomas_college_prep_and_vocational',
            diplomaswithcollegeprependorsements: 'diplomas_college_prep',
            diplomaswithvocationalendorsements: 'diplomas_vocational',
            generaleducationdiplomas: 'general_education_diplomas',
            specialeducationdiplomas: 'special_education_diplomas',
          },
        },
      },
      blocks: [
        {
          figures: {
            num_completers: { headers: ['PROGRAM_TOTAL'], holds: 'count', required: true },
            pct_of_credential_type: { headers: ['PROGRAM_PERCENT'], holds: 'percent', required: true },
          },
        },
      ],
    },
  ],
);
