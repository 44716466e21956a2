import type { CodePlace, Key, PlaceLayout } from '../layout.ts';

/** Headers of the year. GOSA writes 2023-24, the department 2024. */
export const YEAR = ['LONG_SCHOOL_YEAR', 'SCHOOL_YEAR', 'School Year', 'Year', 'Cohort Year'];

/** Codes in GOSA's long tables. */
export const GOSA_CODES: CodePlace = {
  kind: 'codes',
  district: ['SCHOOL_DSTRCT_CD', 'SCHOOL_DISTRCT_CD', 'SCHOOL_DISTRICT_CD', 'DISTRICT_CODE', 'System ID'],
  school: ['INSTN_NUMBER', 'INSTITUTION_NUMBER', 'SCHOOL_CODE', 'School ID'],
};

/** Codes in the department's tables. */
export const GADOE_CODES: CodePlace = {
  kind: 'codes',
  district: ['System ID', 'SYSTEM_ID', 'District ID', 'System Code'],
  school: ['School ID', 'SCHOOL_ID', 'School Code'],
};

/** GOSA's wide tables of 2004 to 2010. */
export const PAIR_OF_CODES: PlaceLayout = { kind: 'pair', headers: ['SysSchoolID', 'SchoolID', 'School ID'] };

export const STUDENT_GROUP: Key = {
  headers: [
    'Reporting Label',
    'Reporting Category',
    'Reporting Category Code',
    'Subgroup',
    'Student Group',
    'LABEL_LVL_1_DESC',
    'SUBGROUP_NAME',
    'SUBGRP_DESC',
  ],
  group: true,
};

export const GRADE_CLUSTER: Key = {
  headers: ['Grade Cluster', 'GRADE_CLUSTER'],
  what: 'grade cluster',
  codes: {
    e: 'elementary',
    elementary: 'elementary',
    m: 'middle',
    middle: 'middle',
    h: 'high',
    high: 'high',
  },
};
