/**
 * The state's names of student groups since 2004, with the group of each. Case, spaces and punctuation do not count. The
 * sources have one Asian and Pacific Islander group under several names.
 */
const GROUP_NAMES: Readonly<Record<string, string>> = {
  all: 'all',
  total: 'all',
  allstudents: 'all',
  activeduty: 'active_duty',
  militaryconnected: 'active_duty',
  americanindian: 'native_american',
  americanindianalaskan: 'native_american',
  americanindianalaskannative: 'native_american',
  americanindianoralaskannative: 'native_american',
  nativeamerican: 'native_american',
  nativeamericanalaskannative: 'native_american',
  nativeameralaskannative: 'native_american',
  asian: 'asian_pacific_islander',
  asianpacificislander: 'asian_pacific_islander',
  asianorpacificislander: 'asian_pacific_islander',
  black: 'black',
  blackorafricanamerican: 'black',
  economicallydisadvantaged: 'economically_disadvantaged',
  englishlearner: 'english_learners',
  englishlearners: 'english_learners',
  limitedenglishproficient: 'english_learners',
  female: 'female',
  foster: 'foster_care',
  fostercare: 'foster_care',
  hispanic: 'hispanic',
  homeless: 'homeless',
  male: 'male',
  migrant: 'migrant',
  multi: 'multiracial',
  multiracial: 'multiracial',
  noteconomicallydisadvantaged: 'not_economically_disadvantaged',
  studentswithdisability: 'students_with_disabilities',
  studentswithdisabilities: 'students_with_disabilities',
  studentswithoutdisability: 'students_without_disabilities',
  studentswithoutdisabilities: 'students_without_disabilities',
  white: 'white',
};

/** SQL that reads a group's name (VARCHAR) as its code; NULL if the name is unknown. */
export function studentGroup(cell: string): string {
  const bare = `regexp_replace(regexp_replace(lower(${cell}), '^\\s*grad(uation)? rate\\s*-?', ''), '[^a-z0-9]', '', 'g')`;
  const names = Object.entries(GROUP_NAMES).map(([name, code]) => `'${name}': '${code}'`);
  return `MAP {${names.join(', ')}}[${bare}]`;
}
