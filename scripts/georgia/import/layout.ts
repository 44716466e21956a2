import { literal } from '../../../build/lake/sql.ts';
import { flagColour, isOtherFlag, otherFlagRemark } from './education/flags.ts';
import { studentGroup } from './education/student-groups.ts';
import { figure, type Importer, type Shape, type SourceColumn, type Target, text } from './importer.ts';

/**
 * The layout of published tables, as data: which headers tell it, and which column of the contract each holds.
 *
 * A row of the source becomes one row for each block that the file has. A long table has one block; a wide one, with
 * columns for every student group, has a block for each; a table that repeats the district's and the state's figures
 * beside the school's has a block for each level.
 */
export interface Layout {
  /** As the report calls it. */
  readonly name: string;
  /** Years in which the office published it. */
  readonly years: string;
  readonly place: PlaceLayout;
  /** Headers of the year; without them the file's name, title or --year gives it. */
  readonly year?: readonly string[];
  readonly keys: Readonly<Record<string, Key>>;
  readonly blocks: readonly Block[];
  /** Further columns that rules read, by name. */
  readonly beside?: Readonly<Record<string, readonly string[]>>;
  readonly rules?: readonly Rule[];
  /** True if a row whose figures are all blank is no row: the source lists every place. */
  readonly blankIsNoRow?: boolean;
  readonly twoRows?: boolean;
  readonly yearOfDate?: boolean;
}

/** A column for each code. */
export interface CodePlace {
  readonly kind: 'codes';
  readonly district: readonly string[];
  /** Without it all rows are of districts or the state. */
  readonly school?: readonly string[];
  /** False if the table's own word for a row's level is not read. */
  readonly levels?: boolean;
  /** True if a table without the column of a code is of the level above. */
  readonly optional?: boolean;
}

/** How a table names places. */
export type PlaceLayout =
  | CodePlace
  /** `601:103`, `601:ALL` and `ALL:ALL` in one column. */
  | { readonly kind: 'pair'; readonly headers: readonly string[] }
  /** `6010103` in one column: three digits of the district and four of the school. */
  | { readonly kind: 'seven digits'; readonly headers: readonly string[] };

/** A key column of the contract. */
export type Key =
  /** A column's texts, case, spaces and punctuation apart, and the codes that they stand for. */
  | {
      readonly headers: readonly string[];
      readonly what: string;
      readonly codes: Readonly<Record<string, string>>;
    }
  | { readonly headers: readonly string[]; readonly group: true }
  /** A grade in a column, in the sheet's or the file's name. */
  | { readonly headers: readonly string[]; readonly grades: readonly string[] }
  /** The same for all rows, unless a block says otherwise. */
  | { readonly value: string };

export interface Block {
  /** Values of key columns. */
  readonly keys?: Readonly<Record<string, string>>;
  readonly level?: 'states' | 'districts' | 'schools';
  /** A block without its figures counts only in files that have this column of another block. */
  readonly needs?: { readonly block: number; readonly column: string };
  readonly figures: Readonly<Record<string, Figure>>;
}

export interface Figure {
  readonly headers: readonly string[];
  /** What a cell holds: a percentage becomes a proportion, a score stays on its scale of 100. */
  readonly holds: 'count' | 'number' | 'percent' | 'score' | 'flag';
  /** A file without the column has another layout. */
  readonly required?: boolean;
}

/** SQL over a row's columns of the contract, its `line`, `file_year` and the layout's `beside`. */
export type Rule =
  | { readonly drop: string; readonly why: string }
  | { readonly remark: string; readonly why: string }
  /** Figures that mean nothing are left out: NULL, and reported. */
  | { readonly leaveOut: string; readonly column: string; readonly why: string };

const PLACE_NAMES = [
  text(
    'district_name',
    ['System Name', 'District Name', 'SCHOOL_DSTRCT_NM', 'SCHOOL_DISTRCT_NM', 'DISTRICT_NAME'],
    false,
  ),
  text('school_name', ['School Name', 'INSTN_NAME', 'INSTITUTION_NAME', 'schoolname', 'SchoolNme'], false),
];

const LEVEL = text('level', ['DETAIL_LVL_DESC', 'Detail Level', 'Reporting Level', 'Level'], false);

/** The shape that reads a layout into a table with these columns. */
export function shapeOf(layout: Layout, table: readonly string[], merges: boolean): Shape {
  const { blocks } = layout;
  const cells = blocks.flatMap((block, index) =>
    Object.entries(block.figures).map(([column, { headers, holds, required }]): SourceColumn => {
      const kind = holds === 'flag' ? undefined : holds === 'score' ? 'number' : holds;
      const name = `b${index}_${column}`;
      const one =
        kind === undefined
          ? text(name, headers, required ?? false)
          : figure(name, kind, headers, required ?? false);
      return { ...one, measure: column, ...(holds === 'score' ? { scale: 100 as const } : {}) };
    }),
  );
  const beside = Object.entries(layout.beside ?? {}).map(([name, headers]) => text(name, headers, false));
  const shape: Shape = {
    name: layout.name,
    columns: [
      ...yearColumn(layout),
      ...placeColumns(layout.place),
      ...keyColumns(layout),
      ...cells,
      ...beside,
      ...PLACE_NAMES,
    ],
    ...(layout.twoRows ? { twoRows: true } : {}),
    ...(layout.yearOfDate ? { yearOfDate: true } : {}),
    select: (present, file) => selectRows(layout, table, present, file.name),
    problem: ({ name }) => gradeProblem(layout, name),
    lacks: present => lackedColumns(layout, present),
    ...(merges ? { supplies: (present: ReadonlySet<string>) => suppliedColumns(layout, present) } : {}),
  };
  return shape;
}

function yearColumn({ year }: Layout): SourceColumn[] {
  return year === undefined ? [] : [text('year', year)];
}

function placeColumns(place: PlaceLayout): SourceColumn[] {
  if (place.kind !== 'codes') return [text('place_key', place.headers)];
  return [
    ...(place.levels === false ? [] : [LEVEL]),
    text('district', place.district, !place.optional),
    ...(place.school ? [text('school', place.school, !place.optional)] : []),
  ];
}

function keyColumns({ keys }: Layout): SourceColumn[] {
  return Object.entries(keys).flatMap(([name, key]) =>
    'headers' in key ? [text(`k_${name}`, key.headers, !('grades' in key))] : [],
  );
}

/** Indexes of the blocks of which the file has any column. */
function presentBlocks({ blocks }: Layout, present: ReadonlySet<string>): number[] {
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

/** Columns that a block lacks although others have them. */
function lackedColumns(layout: Layout, present: ReadonlySet<string>): string[] {
  const blocks = presentBlocks(layout, present);
  const known = new Set(
    blocks.flatMap(index =>
      Object.keys(layout.blocks[index]!.figures).filter(column => present.has(`b${index}_${column}`)),
    ),
  );
  return blocks.flatMap(index =>
    Object.keys(layout.blocks[index]!.figures)
      .filter(column => known.has(column) && !present.has(`b${index}_${column}`))
      .map(column => `b${index}_${column}`),
  );
}

function suppliedColumns(layout: Layout, present: ReadonlySet<string>): string[] {
  return [
    ...new Set(
      presentBlocks(layout, present).flatMap(index =>
        Object.keys(layout.blocks[index]!.figures).filter(column => present.has(`b${index}_${column}`)),
      ),
    ),
  ];
}

function gradesOf({ keys }: Layout): readonly string[] | undefined {
  const key = Object.values(keys).find(one => 'grades' in one);
  return key && 'grades' in key ? key.grades : undefined;
}

const GRADE_NAME = /(?:grade|gr)[\s_.-]*(0?[1-9]|1[0-2])(?!\d)/i;

/** The grade in a file's or sheet's name, `all` for all grades together, or undefined. */
function gradeOfName(name: string): string | undefined {
  const found = [...name.matchAll(new RegExp(GRADE_NAME, 'gi'))].at(-1)?.[1];
  if (found !== undefined) return found.padStart(2, '0');
  return /all[\s_-]*grades/i.test(name) ? 'all' : undefined;
}

function gradeProblem(layout: Layout, name: string): string | undefined {
  const grades = gradesOf(layout);
  const grade = gradeOfName(name);
  if (grades === undefined || grade === undefined || grade === 'all' || grades.includes(grade))
    return undefined;
  return `is of grade ${Number(grade)}, which the dataset does not have`;
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
 * system of seven digits. The older files write some of these as 782-0110.
 */
const CHARTER = `CASE
  WHEN regexp_full_match(district_text, '\\d{3}-\\d{4}') THEN replace(district_text, '-', '')
  WHEN district_text IN ('782', '783') AND is_school_code(school_text) THEN concat(district_text, lpad(bare_code(school_text), 4, '0'))
  ELSE district_text END`;

function selectRows(
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
  const blocks = presentBlocks(layout, present);
  const values = blocks.map(index => {
    const block = layout.blocks[index]!;
    const cells = figures.map(column =>
      present.has(`b${index}_${column}`) ? `s.b${index}_${column}` : 'CAST(NULL AS VARCHAR)',
    );
    const said = `CAST([${absentFigures(layout, index, present, table).map(literal).join(', ')}] AS VARCHAR[])`;
    const own = keyNames.map(name =>
      block.keys?.[name] === undefined ? 'CAST(NULL AS VARCHAR)' : literal(block.keys[name]),
    );
    return `(${[literal(block.level ?? ''), said, ...own, ...cells].join(', ')})`;
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
  return `
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
        ${leftOut.map(rule => `WHEN ${rule.leaveOut} THEN ${literal(rule.why)}`).join('\n')}
        ${flags.map(column => otherFlagRemark(`c_${column}`)).join('\n')}
        ${rules.map(rule => ('remark' in rule ? `WHEN ${rule.remark} THEN ${literal(rule.why)}` : '')).join('\n')}
        ELSE NULL
      END AS remark,
      detail_of(district_code, school_code) AS detail${figures.map(column => `, ${value(column)}`).join('')}
    FROM (
      SELECT *, ${figures.map(column => `${readFigure(`c_${column}`, kinds.get(column)!)} AS ${column}`).join(', ') || '1 AS one'}
      FROM (
        SELECT * EXCLUDE (year), year_of(year, file_year) AS year,
          CASE block_level WHEN 'states' THEN NULL ELSE district_code_of(${CHARTER}) END AS district_code,
          CASE WHEN block_level IN ('states', 'districts') THEN NULL ELSE school_code_of(school_text) END AS school_code,
          place_problem(level_text, ${CHARTER}, school_text) AS place_wrong
          ${keys.map(([name]) => `, coalesce(own_${name}, ${read.get(name)!.value}) AS ${name}`).join('')}
        FROM (
          SELECT s.* ${layout.year === undefined ? ', CAST(NULL AS VARCHAR) AS year' : ''},
            ${place.district} AS district_text, ${place.school} AS school_text, ${place.level} AS level_text, g.*
          FROM source s, (VALUES ${values.join(', ')}) AS g(${columns.join(', ')}))))
    ${layout.blocks.some(({ level }) => level) ? onceAbove(['year', 'district_code', ...keyNames, ...figures]) : ''}`;
}

/** SQL: rows of districts and the state, which stand beside every school, count once. */
function onceAbove(columns: readonly string[]): string {
  return `QUALIFY detail = 'schools' OR row_number() OVER (PARTITION BY detail, ${columns.join(', ')} ORDER BY line) = 1`;
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

/** A table of the lake, from lists such as `year:i district_code:s` and `year district_code`. */
export function tableOf(path: string, columns: string, key: string): Target {
  const types = { i: 'INTEGER', d: 'DOUBLE', s: 'VARCHAR' } as const;
  const entries = columns.split(/\s+/).map(column => {
    const [name, type] = column.split(':') as [string, keyof typeof types];
    return [name, types[type]] as const;
  });
  return { path, kind: 'dataset', columns: Object.fromEntries(entries), key: key.split(/\s+/) };
}

/** The importer of a dataset all of whose layouts are data. */
export function datasetImporter(
  target: Target,
  reads: string,
  layouts: readonly Layout[],
  merges = false,
): Importer {
  return {
    name: target.path.replace(/^.*\//, ''),
    reads,
    target,
    shapes: layouts.map(layout => shapeOf(layout, Object.keys(target.columns), merges)),
    repeated: 'refuse',
    merges,
  };
}
