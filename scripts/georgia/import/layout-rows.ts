import { identifier, literal } from '../../../build/lake/sql.ts';
import { flagColour, isOtherFlag, otherFlagRemark } from './education/flags.ts';
import { studentGroup } from './education/student-groups.ts';
import type { Figure, Key, Layout, PlaceLayout } from './layout.ts';
import { figureText } from './row-checks.ts';

/** Indexes of the blocks of which the file has any column. */
export function presentBlocks({ blocks }: Layout, present: ReadonlySet<string>): number[] {
  return [...blocks.keys()].filter(index => {
    const { needs, figures } = blocks[index]!;
    return (
      (needs === undefined || present.has(`b${needs.block}_${needs.column}`)) &&
      Object.keys(figures).some(column => present.has(`b${index}_${column}`))
    );
  });
}

function absentFigures(
  layout: Layout,
  index: number,
  present: ReadonlySet<string>,
  table: readonly string[],
): string[] {
  const keys = new Set(['year', 'district_code', 'school_code', ...Object.keys(layout.keys)]);
  return table.filter(column => !keys.has(column) && !present.has(`b${index}_${column}`));
}

export function gradesOf({ keys }: Layout): readonly string[] | undefined {
  const key = Object.values(keys).find(one => 'grades' in one);
  return key && 'grades' in key ? key.grades : undefined;
}

const GRADE_NAME = /(?:grade|gr)[\s_.-]*(0?[1-9]|1[0-2])(?!\d)/i;

/** The grade in a file's or sheet's name, `all` for all grades together, or undefined. */
export function gradeOfName(name: string): string | undefined {
  const found = [...name.matchAll(new RegExp(GRADE_NAME, 'gi'))].at(-1)?.[1];
  if (found !== undefined) return found.padStart(2, '0');
  return /all[\s_-]*grades/i.test(name) ? 'all' : undefined;
}

/** SQL for a text without case, spaces and punctuation. */
const plain = (cell: string) => `regexp_replace(lower(${cell}), '[^a-z0-9]', '', 'g')`;

/** SQL for the value of a key, NULL if its text is unknown, and for the reason to drop such a row. */
function keyValue(
  name: string,
  key: Key,
  fileName: string,
  present: ReadonlySet<string>,
): { readonly value: string; readonly problem?: string } {
  if ('value' in key) return { value: literal(key.value) };
  const cell = `k_${name}`;
  if ('group' in key)
    return {
      value: studentGroup(cell),
      problem: `WHEN ${name} IS NULL THEN concat('the student group "', ${cell}, '" is not one of the dataset''s')`,
    };
  if ('grades' in key) {
    const named = gradeOfName(fileName);
    const grades = key.grades.map(literal).join(', ');
    if (!present.has(cell))
      return {
        value: named === undefined || !key.grades.includes(named) ? 'NULL' : literal(named),
        problem: `WHEN ${name} IS NULL THEN 'no grade, in a column or in the name of the file or sheet'`,
      };
    const read = `lpad(nullif(regexp_extract(trim(${cell}), '^(?:grade\\s*)?0*(\\d{1,2})(?:\\.0*|st|nd|rd|th)?(?:\\s+grade)?$', 1, 'i'), ''), 2, '0')`;
    const all = `CASE WHEN upper(trim(${cell})) IN ('ALL', 'ALL GRADES') THEN 'all' ELSE ${read} END`;
    return {
      value: `CASE WHEN ${all} IN (${grades}) THEN ${all} END`,
      problem: `WHEN upper(trim(${cell})) IN ('ALL', 'ALL GRADES') AND ${name} IS NULL THEN 'all grades together'
        WHEN ${name} IS NULL THEN concat('the grade "', ${cell}, '" is not one of the dataset''s')`,
    };
  }
  const pairs = Object.entries(key.codes).map(([from, to]) => `${literal(from)}: ${literal(to)}`);
  return {
    value: `MAP {${pairs.join(', ')}}[${plain(cell)}]`,
    problem: `WHEN ${name} IS NULL THEN concat('the ${key.what} "', ${cell}, '" is not one of the dataset''s')`,
  };
}

/** SQL for the two codes as texts, ALL for a total, over `source`. */
function placeCodes(
  place: PlaceLayout,
  present: ReadonlySet<string>,
): { readonly district: string; readonly school: string; readonly level: string } {
  if (place.kind === 'pair') {
    const key = `replace(place_key, '"', '')`;
    const part = (index: number) => `nullif(trim(split_part(${key}, ':', ${index})), '')`;
    return {
      district: `CASE WHEN contains(place_key, ':') THEN ${part(1)} ELSE '?' END`,
      school: part(2),
      level: 'NULL',
    };
  }
  if (place.kind === 'seven digits') {
    const key = `regexp_replace(trim(place_key), '\\.0+$', '')`;
    return {
      district: `CASE WHEN regexp_full_match(${key}, '\\d{7}') THEN ${key}[1:3] ELSE '?' END`,
      school: `${key}[4:7]`,
      level: 'NULL',
    };
  }
  const total = (name: string, total: string) =>
    present.has(name) ? `code_or_total(${name}, ${total})` : "'ALL'";
  return {
    district: total('district', 'district_name'),
    school: place.school
      ? total('school', 'coalesce(school_name, CASE WHEN district IS NULL THEN district_name END)')
      : "'ALL'",
    level: place.levels === false ? 'NULL' : 'level',
  };
}

/**
 * SQL: until 2017 the offices list charter schools of the state under its systems 782 and 783, since then each as a
 * system of seven digits. Files of 2015 write some of these as 782-0110, and three state schools as systems 799.
 */
const SYSTEM = `CASE
  WHEN regexp_full_match(district_text, '\\d{3}-\\d{4}') THEN replace(district_text, '-', '')
  WHEN district_text IN ('782', '783') AND is_school_code(school_text) THEN concat(district_text, lpad(bare_code(school_text), 4, '0'))
  WHEN district_text = '799' AND is_total(school_text) THEN CASE
    WHEN regexp_matches(district_name, 'atlanta area', 'i') THEN '7991893'
    WHEN regexp_matches(district_name, 'academy.*blind', 'i') THEN '7991894'
    WHEN regexp_matches(district_name, 'school.*deaf', 'i') THEN '7991895' ELSE '799' END
  ELSE district_text END`;

/** SQL for the rows of `source` that a layout gives, for a shape's `select`. */
export function selectRows(
  layout: Layout,
  table: readonly string[],
  present: ReadonlySet<string>,
  fileName: string,
): string {
  const place = placeCodes(layout.place, present);
  const keys = Object.entries(layout.keys);
  const keyNames = keys.map(([name]) => name);
  const read = new Map(keys.map(([name, key]) => [name, keyValue(name, key, fileName, present)]));
  const figures = table.filter(column => layout.blocks.some(({ figures }) => column in figures));
  const kinds = new Map(
    layout.blocks.flatMap(({ figures }) =>
      Object.entries(figures).map(([column, one]) => [column, one.holds] as const),
    ),
  );
  const own = new Map(
    layout.blocks.flatMap(({ figures }) =>
      Object.entries(figures).map(([column, one]) => [column, one.value] as const),
    ),
  );
  const blocks = presentBlocks(layout, present);
  const values = blocks.map(index => {
    const block = layout.blocks[index]!;
    const cells = figures.map(column =>
      present.has(`b${index}_${column}`) ? `s.b${index}_${column}` : 'CAST(NULL AS VARCHAR)',
    );
    const said = `CAST([${absentFigures(layout, index, present, table).map(literal).join(', ')}] AS VARCHAR[])`;
    const keyed = keyNames.map(name =>
      block.keys?.[name] === undefined ? 'CAST(NULL AS VARCHAR)' : literal(block.keys[name]),
    );
    return `(${[literal(block.level ?? ''), said, ...keyed, ...cells].join(', ')})`;
  });
  const columns = [
    'block_level',
    'unsaid_of',
    ...keyNames.map(name => `own_${name}`),
    ...figures.map(column => `c_${column}`),
  ];
  const rules = layout.rules ?? [];
  const leftOut = rules.filter(rule => 'leaveOut' in rule);
  const flags = figures.filter(column => kinds.get(column) === 'flag');
  const outOf = (column: string) =>
    leftOut
      .filter(rule => rule.column === column)
      .map(rule => `(${rule.leaveOut})`)
      .join(' OR ');
  const value = (column: string) =>
    outOf(column) === ''
      ? column
      : `CASE WHEN NOT coalesce(${outOf(column)}, false) THEN ${column} END AS ${column}`;
  const blank = figures.map(column => `c_${column} IS NULL`).join(' AND ') || 'true';
  const rows = `
    SELECT line, year, ${['district_code', 'school_code', ...keyNames].join(', ')},
      list_concat(unsaid_of, list_filter([${[
        ...flags.map(column => `CASE WHEN ${isOtherFlag(`c_${column}`)} THEN ${literal(column)} END`),
        ...leftOut.map(rule => `CASE WHEN ${rule.leaveOut} THEN ${literal(rule.column)} END`),
        'NULL',
      ].join(', ')}], x -> x IS NOT NULL)) AS unsaid,
      CASE
        WHEN place_wrong IS NOT NULL THEN place_wrong
        ${[...read.values()].map(({ problem }) => problem ?? '').join('\n')}
        ${layout.blankIsNoRow ? `WHEN ${blank} THEN 'no figure: the source lists the place without any'` : ''}
        ${rules.map(rule => ('drop' in rule ? `WHEN ${rule.drop} THEN ${literal(rule.why)}` : '')).join('\n')}
        ELSE NULL
      END AS dropped,
      CASE
        WHEN line IS NULL THEN NULL
        ${leftOut.map(rule => `WHEN ${rule.leaveOut} THEN ${literal(rule.why)}`).join('\n')}
        ${flags.map(column => otherFlagRemark(`c_${column}`)).join('\n')}
        ${rules.map(rule => ('remark' in rule ? `WHEN ${rule.remark} THEN ${literal(rule.why)}` : '')).join('\n')}
        ELSE NULL
      END AS remark,
      detail_of(district_code, school_code) AS detail${figures.map(column => `, ${value(column)}`).join('')}${layout.blocks.some(({ level }) => level) ? `, ${saidOf(figures)} AS said` : ''}
    FROM (
      SELECT *, ${figures.map(column => `${own.get(column) ?? readFigure(`c_${column}`, kinds.get(column)!)} AS ${column}`).join(', ') || '1 AS one'}
      FROM (
        SELECT * EXCLUDE (year), year_of(year, file_year) AS year,
          CASE block_level WHEN 'states' THEN NULL ELSE district_code_of(${SYSTEM}) END AS district_code,
          CASE WHEN block_level IN ('states', 'districts') THEN NULL ELSE school_code_of(school_text) END AS school_code,
          place_problem(level_text, ${SYSTEM}, school_text) AS place_wrong
          ${keys.map(([name]) => `, coalesce(own_${name}, ${read.get(name)!.value}) AS ${name}`).join('')}
        FROM (
          SELECT s.* ${layout.year === undefined ? ', CAST(NULL AS VARCHAR) AS year' : ''},
            ${place.district} AS district_text, ${place.school} AS school_text, ${place.level} AS level_text, g.*
          FROM source s, (VALUES ${values.join(', ')}) AS g(${columns.join(', ')}))))`;
  return layout.blocks.some(({ level }) => level)
    ? onceAbove(rows, ['year', 'district_code', ...keyNames])
    : rows;
}

/** SQL for figures as the file has them: `num_tested 84240, avg_score 497`. */
function saidOf(figures: readonly string[]): string {
  return `concat_ws(', ', ${figures.map(name => `concat('${name} ', ${figureText(identifier(name))})`).join(', ')})`;
}

/** The share of rows, and their number, that settle which of several repeated figures is right. */
const CLEAR_SHARE = 0.95;
const FEWEST_ROWS = 20;

/**
 * SQL: rows of districts and the state, which are beside every school, count once. If nearly all rows repeat the same
 * figures, the others are dropped.
 */
function onceAbove(rows: string, keys: readonly string[]): string {
  const place = ['detail', ...keys, 'dropped IS NULL'].join(', ');
  const settled = `detail <> 'schools' AND dropped IS NULL AND same < most AND among >= ${FEWEST_ROWS}
    AND most >= ${CLEAR_SHARE} * among`;
  return `
    SELECT * EXCLUDE (said, same, among, most, usual) REPLACE (CASE WHEN ${settled}
      THEN concat('what it repeats of its ', detail[:-2], ' (', said, ') is not what ', most, ' of ', among, ' rows repeat (', usual, ')')
      ELSE dropped END AS dropped)
    FROM (
      SELECT *, max(same) OVER place AS most, arg_max(said, same) OVER place AS usual
      FROM (
        SELECT *, count(*) OVER (PARTITION BY ${place}, said) AS same, count(*) OVER (PARTITION BY ${place}) AS among
        FROM (${rows}))
      WINDOW place AS (PARTITION BY ${place}))
    QUALIFY detail = 'schools' OR (${settled})
      OR row_number() OVER (PARTITION BY ${place}, said ORDER BY line) = 1`;
}

function readFigure(cell: string, holds: Figure['holds']): string {
  switch (holds) {
    case 'count':
      return `count_of(${cell})`;
    case 'percent':
      return `proportion_of(${cell})`;
    case 'number':
    case 'score':
      return `number_of(${cell})`;
    case 'flag':
      return flagColour(cell);
    default:
      return holds satisfies never;
  }
}
