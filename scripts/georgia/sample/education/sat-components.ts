/** A component of the test: a section, an essay dimension or a composite. */
export interface Component {
  readonly name: string;
  /** First and last school year that reports it. */
  readonly years: readonly [number, number];
  /** SQL over summed points, `tested` and `tested_in_math`: the mean score, unrounded. */
  readonly score: string;
  /** SQL: how many took it; by default `tested`. */
  readonly tested?: string;
  /** The lowest and the highest score. */
  readonly scale: readonly [number, number];
}

export const sections: readonly Component[] = [
  { name: 'reading', years: [2004, 2016], score: '200 + verbal / tested', scale: [200, 800] },
  { name: 'mathematics', years: [2004, 2016], score: '200 + math / tested', scale: [200, 800] },
  { name: 'writing', years: [2006, 2016], score: '200 + writing / tested', scale: [200, 800] },
  { name: 'verbal_math', years: [2004, 2005], score: '400 + (verbal + math) / tested', scale: [400, 1600] },
  {
    name: 'evidence_based_reading_and_writing',
    years: [2017, 2024],
    score: '200 + verbal / tested',
    scale: [200, 800],
  },
  {
    name: 'math_section_score',
    years: [2017, 2024],
    score: '200 + math / tested',
    tested: 'tested_in_math',
    scale: [200, 800],
  },
  {
    // Its number tested is the mean of both sections'.
    name: 'combined_test_score',
    years: [2017, 2024],
    score: '400 + (verbal + math) / tested',
    tested: '(tested + tested_in_math) / 2',
    scale: [400, 1600],
  },
  {
    name: 'reading_test_score',
    years: [2017, 2024],
    score: '100 + reading_test / tested',
    scale: [100, 400],
  },
  {
    name: 'writlang_test_score',
    years: [2017, 2024],
    score: '100 + (verbal - reading_test) / tested',
    scale: [100, 400],
  },
];

/** Essays were optional from 2017 and ended in 2021. Points are hundredths. */
export const essays: readonly Component[] = [
  ...['reading', 'analysis', 'writing'].map(
    (dimension): Component => ({
      name: `essay_${dimension}_score`,
      years: [2017, 2021],
      score: `2 + essay_${dimension} / essays / 100`,
      tested: 'essays',
      scale: [2, 8],
    }),
  ),
  {
    name: 'essay_total',
    years: [2017, 2021],
    score: '6 + (essay_reading + essay_analysis + essay_writing) / essays / 100',
    tested: 'essays',
    scale: [6, 24],
  },
];

/** Reading, mathematics and writing together, under the dataset's own name for some years. */
export function threeSections(name: string, years: readonly [number, number]): Component {
  return { name, years, score: '600 + (verbal + math + writing) / tested', scale: [600, 2400] };
}

/** SQL for the rows of a component, from the CTE `summed`, with the limits of a score. */
export function componentRows({ name, years, score, tested = 'tested', scale }: Component): string {
  const decimals = name.startsWith('essay_') ? 2 : 1;
  return `SELECT
        year, district_code, school_code, demographic, detail, '${name}' AS test_component,
        ${tested} AS num_tested, round(${score}, ${decimals}) AS avg_score,
        ${scale[0]} AS least_score, ${scale[1]} AS most_score
      FROM summed
      WHERE year BETWEEN ${years[0]} AND ${years[1]}`;
}
