/** Checks the dimensions, then the datasets: loads rows, locks the database, runs every check. */
import type { BaseColumn, Contracts, Dataset, Dimension } from '../contract/dataset.ts';
import { type Diagnostic, sortDiagnostics } from '../contract/diagnostic.ts';
import { datasetFilters } from '../contract/filters.ts';
import { holdingsOf } from '../contract/years-and-levels.ts';
import type { ColumnValues, FilterDescriptor } from '../format/documents.ts';
import {
  allEnded,
  type Database,
  type DatabaseOptions,
  type Session,
  withDatabase,
  withinMemory,
  withSession,
} from '../lake/database.ts';
import {
  createEmptyTables,
  createSchemas,
  dimensionTable,
  factTable,
  filesOf,
  loadDimension,
  loadFacts,
  viewFacts,
} from '../lake/fact-table.ts';
import { findTables, type Inventory, type LakeSlice, placedInSlices } from '../lake/inventory.ts';
import type { LakeFile } from '../lake/lake-files.ts';
import { type ParquetShape, readFittingShapes, rowsOf } from '../lake/parquet-shape.ts';
import { findRowPlaces } from '../lake/prepared-table.ts';
import { findInexactDecimals, findUnfitTimes } from '../lake/row-time.ts';
import type { CheckOutcome, SubjectOutcome } from './check.ts';
import { datasetChecks, dimensionChecks } from './derived-checks.ts';
import { farValueWarnings } from './far-values.ts';
import { readValues } from './profile.ts';
import { checkTable } from './run-checks.ts';

export interface CheckStageInput {
  readonly contracts: Contracts;
  readonly inventory: Inventory;
  /** Of each database: the dimensions and each dataset have their own, because checking locks it. */
  readonly limits: DatabaseOptions;
  readonly ruleSeconds?: number | undefined;
  readonly maxRows?: number | undefined;
  readonly datasets: readonly Dataset[];
  /** Shapes that have been read already. */
  readonly shapes: ReadonlyMap<string, ParquetShape>;
  /** Runs a check, or returns a kept result of the same check. */
  readonly make: MakeChecked;
  /** Warnings and skipped rules count as errors. */
  readonly strict: boolean;
  readonly onChecked: (done: number, total: number, what: string) => void;
}

/** `subject` is null for the dimensions. `isSound`: whether a result may be kept. */
export type MakeChecked = <Value>(
  subject: Dataset | null,
  check: () => Promise<Value>,
  isSound: (value: Value) => boolean,
) => Promise<Value>;

export interface CheckStageResult {
  readonly dimensions: readonly CheckedDimension[];
  /** By dataset key. */
  readonly datasets: ReadonlyMap<string, CheckedDataset>;
  /** Errors: about files, and about rules that can't run. */
  readonly diagnostics: readonly Diagnostic[];
  readonly failures: readonly SubjectOutcome[];
  /** Rules that only warn, and skipped rules. */
  readonly notices: readonly SubjectOutcome[];
  readonly warnings: readonly Diagnostic[];
}

export async function runCheckStage(input: CheckStageInput): Promise<CheckStageResult> {
  const { contracts, inventory, limits, datasets, make, strict, onChecked } = input;
  const total = datasets.length + 1;
  const { diagnostics: unfit, checked } = await make(
    null,
    () =>
      withinMemory('the dimensions', () =>
        withDatabase(limits, database => checkDimensions(database, input)),
      ),
    found => found.diagnostics.length === 0 && found.checked.every(({ outcomes }) => isSound(outcomes)),
  );
  const diagnostics = [...unfit];
  onChecked(1, total, 'dimensions');
  const outcomes: SubjectOutcome[] = checked.flatMap(({ key, outcomes: list }) =>
    list.map(outcome => ({ subject: key, outcome })),
  );
  const found = new Map<string, CheckedDataset>();
  const passes = (key: string) =>
    checked.some(one => one.key === key && one.outcomes.every(({ result }) => result !== 'failed'));
  const broken = [...inventory.dimensions.keys()].filter(key => !passes(key));
  // If a dimension is broken, most failures of rows that refer to it are the dimension's fault.
  const checkable = datasets.filter(
    dataset =>
      broken.length === 0 ||
      ![
        ...dataset.foreignKeys.map(key => key.dimension),
        ...referencedDimensions(dataset, contracts).map(({ key }) => key),
      ].some(key => broken.includes(key)),
  );
  for (const dataset of checkable) {
    const { levels } = holdingsOf(dataset, inventory.slices.get(dataset.key) ?? []);
    const filters = datasetFilters(dataset, contracts, levels);
    const result = await make(
      dataset,
      () =>
        withinMemory(dataset.key, () =>
          withDatabase(limits, database => checkDataset(database, input, dataset, filters)),
        ),
      found => found.diagnostics.length === 0 && isSound(found.outcomes),
    );
    found.set(dataset.key, result);
    diagnostics.push(...result.diagnostics);
    outcomes.push(...result.outcomes.map(outcome => ({ subject: dataset.key, outcome })));
    onChecked(found.size + 1, total, dataset.key);
  }
  diagnostics.push(...outcomes.flatMap(({ outcome }) => outcome.problem ?? []));
  const failures = outcomes.filter(({ outcome: { result, problem } }) => result === 'failed' && !problem);
  const notices = outcomes.filter(({ outcome: { result } }) => result === 'warned' || result === 'skipped');
  const warnings = [...found.values()].flatMap(one => one.warnings);
  return {
    dimensions: checked,
    datasets: found,
    diagnostics: placedInSlices(sortDiagnostics([...diagnostics, ...(strict ? warnings : [])]), inventory),
    failures: await placedOutcomes([...failures, ...(strict ? notices : [])], input),
    notices: strict ? [] : notices,
    warnings: strict ? [] : warnings,
  };
}

/** Adds the rows' places in the lake's files, if these have lines. */
async function placedOutcomes(
  outcomes: readonly SubjectOutcome[],
  { contracts, inventory, limits }: CheckStageInput,
): Promise<readonly SubjectOutcome[]> {
  const tables = findTables({ files: inventory.tables }, contracts);
  if (tables.length === 0 || outcomes.length === 0) return outcomes;
  try {
    return await withSession(limits, async session => {
      const placed: SubjectOutcome[] = [];
      for (const { subject, outcome } of outcomes) {
        const own = tables.filter(({ owner }) => owner.key === subject);
        const places = await findRowPlaces(session, own, outcome.rows);
        placed.push({ subject, outcome: places.some(Boolean) ? { ...outcome, places } : outcome });
      }
      return placed;
    });
  } catch {
    // The problem matters more than its place.
    return outcomes;
  }
}

/** A skipped rule may run next time, and a failed one shows its rows only if it runs again. */
function isSound(outcomes: readonly CheckOutcome[]): boolean {
  return outcomes.every(({ result }) => result === 'passed' || result === 'warned');
}

interface CheckedDataset {
  /** With problems of files, no rule ran. */
  readonly diagnostics: readonly Diagnostic[];
  readonly outcomes: readonly CheckOutcome[];
  /** About rows that break no rule. */
  readonly warnings: readonly Diagnostic[];
  readonly shapes: ReadonlyMap<string, ParquetShape>;
  readonly values: readonly ColumnValues[];
}

export function referencedDatasets(dataset: Dataset, contracts: Contracts): Dataset[] {
  const text = ruleText(dataset);
  return contracts.datasets.filter(
    other => other.key !== dataset.key && names(text, other.domain, other.topic),
  );
}

export function referencedDimensions(dataset: Dataset, contracts: Contracts): Dimension[] {
  const text = ruleText(dataset);
  return [...contracts.dimensions.values()].filter(({ name }) => names(text, '_dimensions', name));
}

/** Tables that rules could read if the lake had them. */
function absentTables(contracts: Contracts, loaded: ReadonlySet<string>): Set<string> {
  const tables = [
    ...contracts.datasets.map(factTable),
    ...[...contracts.dimensions.values()].map(dimensionTable),
  ];
  return new Set(tables.map(({ name }) => name).filter(name => !loaded.has(name)));
}

function ruleText(contract: Dataset | Dimension): string {
  return contract.rules.map(rule => (rule.measure.kind === 'sql' ? rule.measure.query : '')).join('\n');
}

function names(text: string, schema: string, table: string): boolean {
  // Most texts name no table, and this test is fast.
  if (!text.toLowerCase().includes(table.toLowerCase())) return false;
  return new RegExp(`(^|[^\\w])"?${schema}"?\\s*\\.\\s*"?${table}"?($|[^\\w])`, 'i').test(text);
}

/** A dataset with more rows is read from its files, because its rows don't fit into memory. */
const MOST_LOADED = 500_000;

/** Expects an empty database, and locks it. */
async function checkDataset(
  database: Database,
  input: CheckStageInput,
  dataset: Dataset,
  filters: readonly FilterDescriptor[],
): Promise<CheckedDataset> {
  const { contracts, inventory, ruleSeconds } = input;
  const slices = inventory.slices.get(dataset.key) ?? [];
  // Independent statements run in parallel, each on its own session.
  const [session, second, third] = [
    await database.connect(),
    await database.connect(),
    await database.connect(),
  ];
  const { shapes, diagnostics: unfit } = await readFactShapes(session, dataset, slices, input);
  const files = slices.flatMap(slice => slice.files);
  const diagnostics =
    unfit.length > 0 ? unfit : await findUnfitValues(session, dataset.columns, files, shapes);
  if (diagnostics.length > 0) return { diagnostics, outcomes: [], warnings: [], shapes, values: [] };
  await createSchemas(
    session,
    contracts.datasets.map(other => other.domain),
  );
  const checks = datasetChecks(dataset, contracts, slices);
  const loaded = await loadReferences(session, dataset, input);
  const axes = filters.flatMap(({ kind, column }) =>
    kind === 'categorical' && column !== undefined ? [column] : [],
  );
  const isLoaded = rowsOf(slices, shapes) <= MOST_LOADED;
  await (isLoaded ? loadFacts : viewFacts)(session, dataset, slices, shapes);
  const others = referencedDatasets(dataset, contracts).map(({ key }) => inventory.slices.get(key) ?? []);
  await database.lock([...(isLoaded ? [] : filesOf(slices)), ...others.flatMap(filesOf)]);
  const absent = absentTables(contracts, loaded);
  const checking = { session, subject: factTable(dataset), slices, checks, loaded, absent, ruleSeconds };
  const outcomes = await checkTable(checking, second, axes);
  const years = slices.map(slice => slice.year);
  const [warnings, values] = await allEnded([
    farValueWarnings(third, dataset, slices),
    readValues([session, second], dataset, contracts, filters, years),
  ]);
  return { diagnostics: [], outcomes, warnings, shapes, values };
}

/** Finds values that can't be published as promised, before a cast would fail or change them. */
async function findUnfitValues(
  session: Session,
  columns: readonly BaseColumn[],
  files: readonly LakeFile[],
  shapes: ReadonlyMap<string, ParquetShape>,
): Promise<Diagnostic[]> {
  return [
    ...(await findInexactDecimals(session, columns, files, shapes)),
    ...(await findUnfitTimes(session, columns, files, shapes)),
  ];
}

function readFactShapes(
  session: Session,
  dataset: Dataset,
  slices: readonly LakeSlice[],
  { shapes, maxRows }: Partial<Pick<CheckStageInput, 'shapes' | 'maxRows'>>,
) {
  const owned = { contract: dataset, groups: slices.map(slice => slice.files) };
  return readFittingShapes(session, [owned], shapes, maxRows);
}

/** Loads the dimensions that joins and rules read, and views of other datasets. Returns their names. */
async function loadReferences(
  session: Session,
  dataset: Dataset,
  input: CheckStageInput,
): Promise<Set<string>> {
  const { contracts, inventory, shapes: known } = input;
  const loaded = new Set<string>([dataset.key]);
  const joined = new Set(dataset.foreignKeys.map(key => key.dimension));
  const read = new Set(referencedDimensions(dataset, contracts).map(({ key }) => key));
  // If two dimensions share a name, the joined one is loaded last and keeps it.
  const ordered = [...contracts.dimensions.values()].sort(
    (a, b) => Number(joined.has(a.key)) - Number(joined.has(b.key)),
  );
  for (const dimension of ordered) {
    const file = inventory.dimensions.get(dimension.key);
    if (!(joined.has(dimension.key) || read.has(dimension.key))) continue;
    // No row needs it.
    if (file === undefined && joined.has(dimension.key)) {
      await createEmptyTables(session, [dimension]);
      loaded.add(dimensionTable(dimension).name);
    }
    if (file === undefined) continue;
    const owned = { contract: dimension, groups: [[file]] };
    const { shapes, diagnostics } = await readFittingShapes(session, [owned], known);
    const shape = shapes.get(file.path);
    if (shape === undefined || diagnostics.length > 0) continue;
    await loadDimension(session, dimension, file, shape);
    loaded.add(dimensionTable(dimension).name);
  }
  for (const other of referencedDatasets(dataset, contracts)) {
    const slices = inventory.slices.get(other.key);
    if (slices === undefined) continue;
    const { shapes, diagnostics } = await readFactShapes(session, other, slices, { shapes: known });
    if (diagnostics.length > 0) continue;
    await viewFacts(session, other, slices, shapes);
    loaded.add(other.key);
  }
  return loaded;
}

interface CheckedDimension {
  readonly key: string;
  readonly shape: ParquetShape;
  readonly outcomes: readonly CheckOutcome[];
}

/** Expects an empty database, and locks it. */
async function checkDimensions(
  database: Database,
  { contracts, inventory, ruleSeconds, maxRows }: CheckStageInput,
): Promise<{ diagnostics: Diagnostic[]; checked: CheckedDimension[] }> {
  const session = await database.connect();
  const diagnostics: Diagnostic[] = [];
  const sound: { dimension: Dimension; shape: ParquetShape }[] = [];
  await createSchemas(session, []);
  for (const dimension of contracts.dimensions.values()) {
    const file = inventory.dimensions.get(dimension.key);
    if (file === undefined) continue;
    const owned = { contract: dimension, groups: [[file]] };
    const { shapes, diagnostics: wrong } = await readFittingShapes(session, [owned], undefined, maxRows);
    const shape = shapes.get(file.path);
    if (wrong.length === 0)
      wrong.push(...(await findUnfitValues(session, dimension.columns, [file], shapes)));
    diagnostics.push(...wrong);
    if (shape === undefined || wrong.length > 0) continue;
    await loadDimension(session, dimension, file, shape);
    sound.push({ dimension, shape });
  }
  await database.lock();
  const loaded = new Set(sound.map(({ dimension }) => dimensionTable(dimension).name));
  const checked: CheckedDimension[] = [];
  for (const one of sound) {
    const subject = dimensionTable(one.dimension);
    const checks = dimensionChecks(one.dimension);
    const absent = absentTables(contracts, loaded);
    const outcomes = await checkTable({ session, subject, slices: [], checks, loaded, absent, ruleSeconds });
    checked.push({ key: one.dimension.key, shape: one.shape, outcomes });
  }
  return { diagnostics, checked };
}
