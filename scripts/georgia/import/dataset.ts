/** Importers from their layouts, which become shapes of files, beside one of the contract's own columns. */
import { type LakeTable, type PhysicalType, readTable } from '../lake-table.ts';
import {
  blocksOf,
  cellName,
  type Figure,
  figure,
  gradeOfName,
  type Importer,
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
import { selectRows } from './layout-rows.ts';

interface Declared extends Partial<Omit<Importer, 'path' | 'reads'>>, Pick<Importer, 'path' | 'reads'> {
  readonly layouts?: readonly Layout[];
  /** The level of all rows; by default a row's place columns decide. */
  readonly level?: 'schools';
}

/** Files with the contract's own columns are read too, unless the table is a dimension. Contracts are read when needed. */
export function importer({ path, layouts = [], shapes = [], level, ...rest }: Declared): Importer {
  let all: readonly Shape[] | undefined;
  return {
    repeated: 'refuse',
    merges: false,
    ...rest,
    path,
    name: path.replace(/^.*\//, ''),
    get target() {
      return readTable(path);
    },
    get shapes() {
      const target = readTable(path);
      all ??= [
        ...layouts.map(layout => layoutShape(layout, target, rest.merges ?? false)),
        ...shapes,
        ...(target.kind === 'dataset' ? [contractShape(target, level)] : []),
      ];
      return all;
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

function layoutShape(layout: Layout, target: LakeTable, merges: boolean): Shape {
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
    select: (present, file) => selectRows(layout, target, present, file),
    problem: file => fileProblem(layout, target, file),
    lacks: present => lackedColumns(layout, present),
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

/** Columns that the file has in any block. */
function columnsOf(layout: Layout, present: Present): Set<string> {
  const columns = presentBlocks(layout, present).flatMap(index =>
    Object.keys(blocksOf(layout)[index]!.figures).filter(column => present.has(cellName(index, column))),
  );
  return new Set(columns);
}

/** Columns that a block lacks although others have them. */
function lackedColumns(layout: Layout, present: Present): string[] {
  const known = columnsOf(layout, present);
  return presentBlocks(layout, present).flatMap(index =>
    Object.keys(blocksOf(layout)[index]!.figures)
      .filter(column => known.has(column) && !present.has(cellName(index, column)))
      .map(column => cellName(index, column)),
  );
}

function suppliedColumns(layout: Layout, present: Present): string[] {
  return [...columnsOf(layout, present)].filter(column => !(column in (layout.stale ?? {})));
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
