import { figure, type Importer, type Shape, type SourceColumn, type Target, text } from './importer.ts';
import type { Layout, PlaceLayout } from './layout.ts';
import { gradeOfName, gradesOf, presentBlocks, selectRows } from './layout-rows.ts';

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
  const scale = layout.rules?.find(rule => 'scale' in rule);
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
    ...(layout.shared ? { shared: true } : {}),
    ...(layout.about ? { about: () => layout.about! } : {}),
    ...(scale && 'column' in scale ? { scaled: { column: scale.column, remark: scale.why } } : {}),
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

function gradeProblem(layout: Layout, name: string): string | undefined {
  const grades = gradesOf(layout);
  const grade = gradeOfName(name);
  if (grades === undefined || grade === undefined || grade === 'all' || grades.includes(grade))
    return undefined;
  return `is of grade ${Number(grade)}, which the dataset does not have`;
}

/** A table of the lake, from lists such as `year:i district_code:s` and `year district_code`. */
export function tableOf(path: string, columns: string, key: string): Target {
  const types = { i: 'INTEGER', d: 'DOUBLE', s: 'VARCHAR', b: 'BOOLEAN' } as const;
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
    shapes: [...layouts.map(layout => shapeOf(layout, Object.keys(target.columns), merges))],
    repeated: 'refuse',
    merges,
  };
}
