/** Importers from their layouts: the columns by which a file is recognised, and SQL for its rows. */
import { identifier, literal, literals } from '../../../build/lake/sql.ts';
import { type LakeTable, type PhysicalType, readTable } from '../lake-table.ts';
import {
  blocksOf,
  cellName,
  type Figure,
  figure,
  gradeOfName,
  type Importer,
  type Key,
  type Layout,
  type PlaceLayout,
  type Present,
  presentBlocks,
  type Shape,
  type SourceColumn,
  type SourceFile,
  text,
  unsaid,
} from './importer.ts';
import { coded, textsOf } from './macros.ts';
import { figureText } from './report.ts';

type Optional = 'shapes' | 'about' | 'rows' | 'counted' | 'repeated' | 'words' | 'merges';

interface Declared extends Pick<Importer, 'path' | 'reads'>, Partial<Pick<Importer, Optional>> {
  readonly layouts?: readonly Layout[];
  /** The level of all rows; by default a row's place columns decide. */
  readonly level?: 'schools';
}

/** Files with the contract's own columns are read too, unless the table is a dimension. */
export function importer({ path, layouts = [], shapes = [], level, ...rest }: Declared): Importer {
  const published = [
    ...layouts.map(layout => layoutShape(layout, () => readTable(path), rest.merges ?? false)),
    ...shapes,
  ];
  return {
    repeated: 'refuse',
    merges: false,
    ...rest,
    path,
    name: path.replace(/^.*\//, ''),
    published,
    get target() {
      return readTable(path);
    },
    get shapes() {
      const target = readTable(path);
      return target.kind === 'dataset' ? [...published, contractShape(target, level)] : published;
    },
  };
}

const PLACE_NAMES = [
  text(
    'district_name',
    ['System Name', 'District Name', 'SCHOOL_DSTRCT_NM', 'SCHOOL_DISTRCT_NM', 'DISTRICT_NAME'],
    false,
  ),
  text('school_name', ['School Name', 'INSTN_NAME', 'INSTITUTION_NAME', 'schoolname', 'SchoolNme'], false),
];

const LEVEL = text('level', ['DETAIL_LVL_DESC', 'Detail Level', 'Reporting Level', 'Level'], false);

function layoutShape(layout: Layout, target: () => LakeTable, merges: boolean): Shape {
  const { place, year, yearOptional, keys = {}, beside = {}, ignored, rules } = layout;
  const scale = rules?.find(rule => 'scale' in rule);
  return {
    ...layout,
    columns: [
      ...(year ? [text('year', year, !yearOptional)] : []),
      ...placeColumns(place),
      ...Object.entries(keys).flatMap(([name, key]) =>
        'headers' in key
          ? [text(`k_${name}`, key.headers, key.otherwise === undefined && !('optional' in key))]
          : [],
      ),
      ...blocksOf(layout).flatMap(({ figures }, block) =>
        Object.entries(figures).map(([column, one]) => figureColumn(cellName(block, column), column, one)),
      ),
      ...Object.entries(beside).map(([name, headers]) => text(name, headers, false)),
      ...PLACE_NAMES,
      ...(ignored ?? []).map(header => ({ ...text(header, [header], false), ignored: true })),
    ],
    exact: ignored !== undefined,
    ...(scale && 'column' in scale ? { scaled: { column: scale.column, remark: scale.why } } : {}),
    select: (present, file) => selectRows(layout, target(), present, file),
    problem: file => fileProblem(layout, target(), file),
    ...(merges ? { supplies: present => suppliedColumns(layout, present) } : {}),
  };
}

function figureColumn(
  name: string,
  measure: string,
  { headers, holds, required = false }: Figure,
): SourceColumn {
  const kind = holds === 'flag' ? 'text' : holds === 'score' ? 'number' : holds;
  return {
    ...figure(name, kind, headers, required),
    measure,
    ...(holds === 'score' ? { scale: 100 as const } : {}),
  };
}

function placeColumns(place: PlaceLayout): SourceColumn[] {
  if (place.kind !== 'codes') return [text('place_key', place.headers)];
  return [
    ...(place.levels === false ? [] : [LEVEL]),
    text('district', place.district, !place.optional),
    text('school', place.school, !place.optional),
  ];
}

/** Columns that the file has in any block, except those that it only fills. */
function suppliedColumns(layout: Layout, present: Present): string[] {
  const columns = presentBlocks(layout, present).flatMap(index =>
    Object.keys(blocksOf(layout)[index]!.figures).filter(column => present.has(cellName(index, column))),
  );
  return [...new Set(columns)].filter(column => !(column in (layout.stale ?? {})));
}

function fileProblem({ keys = {} }: Layout, { values }: LakeTable, file: SourceFile): string | undefined {
  const grade = gradeOfName(file.name);
  for (const [name, key] of Object.entries(keys)) {
    if ('ofFile' in key && key.ofFile(file) === undefined) return key.missing;
    if ('optional' in key && grade !== undefined && !['all', ...values[name]!].includes(grade))
      return `is of grade ${Number(grade)}, which the dataset does not have`;
  }
  return undefined;
}

const READS = {
  INTEGER: { holds: 'count', macro: 'count_of' },
  DOUBLE: { holds: 'number', macro: 'number_of' },
  BOOLEAN: { holds: 'boolean', macro: 'boolean_of' },
} as const;

/** Columns of places with the level that each gives, the smallest last. They may be blank: such a row is of a larger place. */
const LEVELS = {
  district_code: 'districts',
  school_code: 'schools',
  county_fips: 'counties',
  tract_geoid: 'tracts',
} as const;

/**
 * The layout of a table that has the contract's own columns, under its names or after --columns gave it those: for files
 * whose layout nobody described. Figures are read unchanged, so a proportion must be one already.
 */
function contractShape({ columns, key }: LakeTable, level: Declared['level']): Shape {
  const figures = Object.keys(columns).filter(name => !key.includes(name));
  const firstFigure = figures.find(name => columns[name] !== 'VARCHAR');
  const column = ([name, type]: [string, PhysicalType], index: number): SourceColumn =>
    key.includes(name) || type === 'VARCHAR'
      ? text(name, [name], key.includes(name) && name !== 'year' && !(name in LEVELS))
      : { ...figure(name, READS[type].holds, [name], name === firstFigure), measure: `${name} ${index}` };
  const value = ([name, type]: [string, PhysicalType]): string => {
    if (name === 'district_code' || name === 'school_code') return `${name}_of(${name}) AS ${name}`;
    if (name === 'year') return 'year_of(year, file_year) AS year';
    return type === 'VARCHAR' ? name : `${READS[type].macro}(${name}) AS ${name}`;
  };
  const levels = Object.entries(LEVELS).filter(([name]) => name in columns);
  const detail = levels.reverse().map(([name, detail]) => `WHEN ${name} IS NOT NULL THEN '${detail}'`);
  const [wanted, school] = level ? ["'School'", 'school_code'] : ['NULL', "coalesce(school_code, 'ALL')"];
  return {
    name: 'columns of the contract',
    columns: Object.entries(columns).map(column),
    supplies: present => figures.filter(name => present.has(name)),
    select: present => `
      SELECT line, ${Object.entries(columns).map(value).join(', ')},
        ${unsaid(figures.filter(name => !present.has(name)))} AS unsaid,
        ${'school_code' in columns ? `place_problem(${wanted}, coalesce(district_code, 'ALL'), ${school})` : 'CAST(NULL AS VARCHAR)'} AS dropped,
        ${level ? `'${level}'` : `CASE ${detail.join(' ')} ELSE 'states' END`} AS detail
      FROM source`,
  };
}

interface KeyReading {
  /** SQL for the value, NULL if the text is unknown. */
  readonly value: string;
  /** SQL, branches of a CASE: why a row is dropped. */
  readonly problem: string;
}

function keyReading(
  name: string,
  key: Key,
  target: LakeTable,
  file: SourceFile,
  present: Present,
): KeyReading {
  const fixed = (value: string): KeyReading => ({ value: literal(value), problem: '' });
  if ('value' in key) return fixed(key.value);
  if ('ofFile' in key) return fixed(key.ofFile(file) ?? '');
  const cell = `k_${name}`;
  if (key.otherwise !== undefined && !present.has(cell)) return fixed(key.otherwise);
  const unknown = (what: string) =>
    `WHEN ${name} IS NULL THEN concat('the ${what} "', ${cell}, ${literal(`" ${key.unlike ?? "is not one of the dataset's"}`)})`;
  const values = key.only === undefined ? (target.values[name] ?? []) : [key.only];
  if ('studentGroup' in key) {
    const group = `student_group(${cell})`;
    return {
      value: key.only === undefined ? group : `CASE WHEN ${group} = ${literal(key.only)} THEN ${group} END`,
      problem: unknown('student group'),
    };
  }
  if ('grade' in key) {
    if (!present.has(cell)) {
      const named = gradeOfName(file.name);
      return {
        value: named === undefined || !values.includes(named) ? 'NULL' : literal(named),
        problem: `WHEN ${name} IS NULL THEN 'no grade, in a column or in the name of the file or sheet'`,
      };
    }
    // 3, 03, 3.0, 3rd or Grade 3.
    const read = `lpad(nullif(regexp_extract(trim(${cell}), '^(?:grade\\s*)?0*(\\d{1,2})(?:\\.0*|st|nd|rd|th)?(?:\\s+grade)?$', 1, 'i'), ''), 2, '0')`;
    const isAll = `upper(trim(${cell})) IN ('ALL', 'ALL GRADES')`;
    const grade = `CASE WHEN ${isAll} THEN 'all' ELSE ${read} END`;
    return {
      value: `CASE WHEN ${grade} IN (${literals(values)}) THEN ${grade} END`,
      problem: `WHEN ${isAll} AND ${name} IS NULL THEN 'all grades together' ${unknown('grade')}`,
    };
  }
  const plain = `plain_text(${cell})`;
  const codes = Object.fromEntries(values.map(code => [code, key.codes?.[code] ?? '']));
  const begins = Object.entries(codes).map(([code, others]) => {
    const any = textsOf(code, others).map(one => `starts_with(${plain}, '${one}')`);
    return `WHEN ${any.join(' OR ')} THEN '${code}'`;
  });
  return {
    value: key.beginnings ? `CASE ${begins.join(' ')} END` : coded(codes, plain),
    problem: unknown(key.what),
  };
}

/** SQL for the two codes as texts, ALL for a total, and for the source's word for the level. */
function placeCodes(
  place: PlaceLayout,
  present: Present,
): Readonly<Record<'district' | 'school' | 'level', string>> {
  switch (place.kind) {
    case 'pair': {
      const part = (index: number) =>
        `nullif(trim(split_part(replace(place_key, '"', ''), ':', ${index})), '')`;
      const district = `CASE WHEN contains(place_key, ':') THEN ${part(1)} ELSE '?' END`;
      return { district, school: part(2), level: 'NULL' };
    }
    case 'seven digits': {
      const key = `regexp_replace(trim(place_key), '\\.0+$', '')`;
      const district = `CASE WHEN regexp_full_match(${key}, '\\d{7}') THEN ${key}[1:3] ELSE '?' END`;
      return { district, school: `${key}[4:7]`, level: 'NULL' };
    }
    case 'codes': {
      const code = (name: string, total: string) =>
        present.has(name) ? `code_or_total(${name}, ${total})` : "'ALL'";
      return {
        district: code('district', 'district_name'),
        school: code('school', 'coalesce(school_name, CASE WHEN district IS NULL THEN district_name END)'),
        level: place.levels === false ? 'NULL' : 'level',
      };
    }
    default:
      return place satisfies never;
  }
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

/**
 * SQL for the rows of `source` that a layout gives, for a shape's `select`. Each step reads columns of the one before: a
 * macro within another repeats its text, and DuckDB spends half a second on the whole in one.
 */
export function selectRows(layout: Layout, target: LakeTable, present: Present, file: SourceFile): string {
  const { rules = [], yearBefore } = layout;
  const table = Object.keys(target.columns);
  const blocks = blocksOf(layout);
  const place = placeCodes(layout.place, present);
  const readings = new Map(
    Object.entries(layout.keys ?? {}).map(([name, key]) => [
      name,
      keyReading(name, key, target, file, present),
    ]),
  );
  const keys = [...new Set([...readings.keys(), ...blocks.flatMap(({ keys = {} }) => Object.keys(keys))])];
  const kinds = new Map(blocks.flatMap(({ figures }) => Object.entries(figures)));
  const figures = table.filter(column => kinds.has(column));
  const flags = figures.filter(column => kinds.get(column)!.holds === 'flag');
  const hasLevels = blocks.some(({ level }) => level);
  const isKey = new Set(['year', 'district_code', 'school_code', ...keys]);
  const nothing = 'CAST(NULL AS VARCHAR)';
  const values = presentBlocks(layout, present).map(index => {
    const block = blocks[index]!;
    const isPresent = (column: string) => present.has(cellName(index, column));
    return `(${[
      literal(block.level ?? ''),
      unsaid(table.filter(column => !isKey.has(column) && !isPresent(column))),
      ...keys.map(name => (block.keys?.[name] === undefined ? nothing : literal(block.keys[name]))),
      ...figures.map(column => (isPresent(column) ? `s.${cellName(index, column)}` : nothing)),
    ].join(', ')})`;
  });
  const names = [
    'block_level',
    'unsaid_of',
    ...keys.map(name => `own_${name}`),
    ...figures.map(name => `c_${name}`),
  ];
  const leftOut = rules.filter(rule => 'leaveOut' in rule);
  const served = figures.map(column => {
    const reasons = leftOut.filter(rule => rule.column === column).map(rule => `(${rule.leaveOut})`);
    return reasons.length === 0
      ? `, ${column}`
      : `, CASE WHEN NOT coalesce(${reasons.join(' OR ')}, false) THEN ${column} END AS ${column}`;
  });
  const blank = figures.map(column => `c_${column} IS NULL`).join(' AND ') || 'true';
  const branches = (conditions: readonly (readonly [string, string])[]) =>
    `CASE WHEN line IS NULL THEN NULL ${conditions.map(([when, then]) => `WHEN ${when} THEN ${then}`).join('\n')} END`;
  const rows = `
    SELECT line, year, ${['district_code', 'school_code', ...keys.filter(name => table.includes(name))].join(', ')},
      list_concat(unsaid_of, list_filter([${[
        ...flags.map(column => `CASE WHEN is_other_flag(c_${column}) THEN ${literal(column)} END`),
        ...leftOut.map(rule => `CASE WHEN ${rule.leaveOut} THEN ${literal(rule.column)} END`),
        'NULL',
      ].join(', ')}], x -> x IS NOT NULL)) AS unsaid,
      CASE
        WHEN place_wrong IS NOT NULL THEN place_wrong
        ${[...readings.values()].map(({ problem }) => problem).join('\n')}
        ${layout.blankIsNoRow ? `WHEN ${blank} THEN 'no figure: the source lists the place without any'` : ''}
        ${rules.map(rule => ('drop' in rule ? `WHEN ${rule.drop} THEN ${literal(rule.why)}` : '')).join('\n')}
      END AS dropped,
      ${branches([
        ...leftOut.map(rule => [rule.leaveOut, literal(rule.why)] as const),
        ...flags.map(
          name =>
            [
              `is_other_flag(c_${name})`,
              `concat('the flag "', c_${name}, '" is not green (G), yellow (Y) or red (R) and is left out')`,
            ] as const,
        ),
        ...rules.flatMap(rule => ('remark' in rule ? [[rule.remark, literal(rule.why)] as const] : [])),
        ...(yearBefore ? [['is_before', yearBefore.remark] as const] : []),
      ])} AS remark,
      detail_of(district_code, school_code) AS detail${served.join('')}${hasLevels ? `, ${saidOf(figures)} AS said` : ''}
    FROM (
      SELECT * ${yearBefore ? 'REPLACE (CASE WHEN is_before THEN year - 1 ELSE year END AS year)' : ''}
        ${figures.map(column => `, ${readFigure(`c_${column}`, kinds.get(column)!)} AS ${column}`).join('')}
      FROM (
        SELECT * ${yearBefore ? `, coalesce(${yearBefore.when}, false) AS is_before` : ''}
        FROM (
          SELECT * EXCLUDE (year), coalesce(year_of_bare(year), CASE WHEN year IS NULL THEN file_year END) AS year,
            CASE block_level WHEN 'states' THEN NULL ELSE district_code_of(system) END AS district_code,
            CASE WHEN block_level IN ('states', 'districts') THEN NULL ELSE school_code_of(school_text) END AS school_code,
            place_problem(level_text, system, school_text) AS place_wrong
            ${keys.map(name => `, coalesce(own_${name}, ${readings.get(name)?.value ?? 'NULL'}) AS ${name}`).join('')}
          FROM (
            SELECT * REPLACE (bare_year(year) AS year), ${SYSTEM} AS system
            FROM (
              SELECT s.* ${layout.year === undefined ? ', CAST(NULL AS VARCHAR) AS year' : ''},
                ${place.district} AS district_text, ${place.school} AS school_text, ${place.level} AS level_text, g.*
              FROM source s, (VALUES ${values.join(', ')}) AS g(${names.join(', ')}))))))`;
  return hasLevels ? onceAbove(rows, ['year', 'district_code', ...keys]) : rows;
}

/** SQL for figures as the file has them: `num_tested 84240, avg_score 497`. */
function saidOf(figures: readonly string[]): string {
  return `concat_ws(', ', ${figures.map(name => `concat('${name} ', ${figureText(identifier(name))})`).join(', ')})`;
}

/** The share of rows, and their number, that decide which of several repeated figures is right. */
const CLEAR_SHARE = 0.95;
const FEWEST_ROWS = 20;

/** SQL: rows of districts and the state, repeated beside every school, count once. If nearly all agree, the others are dropped. */
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

function readFigure(cell: string, { holds, value }: Figure): string {
  if (value !== undefined) return value;
  switch (holds) {
    case 'count':
      return `count_of(${cell})`;
    case 'percent':
      return `proportion_of(${cell})`;
    case 'number':
    case 'score':
      return `number_of(${cell})`;
    case 'flag':
      return `flag_colour(${cell})`;
    default:
      return holds satisfies never;
  }
}
