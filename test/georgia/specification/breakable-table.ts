/**
 * A dataset's or a dimension's sample rows in a table `t` that may be broken: each change is made in a transaction,
 * held against one check by the code that a build runs, and rolled back.
 */
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { Check, CheckOutcome } from '../../../build/check/check.ts';
import { referencedDatasets } from '../../../build/check/dataset-checks.ts';
import { checkTable } from '../../../build/check/run-checks.ts';
import type { Contracts, Dataset, Dimension } from '../../../build/contract/dataset.ts';
import { Database, type Session } from '../../../build/lake/database.ts';
import {
  createSchemas,
  dimensionTable,
  duckdbType,
  factTable,
  type LoadedTable,
  loadDimension,
  loadFacts,
  SLICE_COLUMN,
} from '../../../build/lake/fact-table.ts';
import { type Inventory, type LakeSlice, takeInventory } from '../../../build/lake/inventory.ts';
import type { LakeFile } from '../../../build/lake/lake-files.ts';
import { openLake } from '../../../build/lake/lake-location.ts';
import { readShapes } from '../../../build/lake/parquet-shape.ts';
import { identifier, literal, literals } from '../../../build/lake/sql.ts';
import type { Break } from './facts.ts';

export async function readInventory(lake: string, contracts: Contracts): Promise<Inventory> {
  const { inventory } = takeInventory(await openLake(lake, lake), contracts);
  return inventory;
}

export class BreakableTable {
  readonly session: Session;
  readonly slices: readonly LakeSlice[];
  readonly #database: Database;
  readonly #subject: LoadedTable;
  readonly #loaded: ReadonlySet<string>;
  readonly #contract: Dataset | Dimension;
  /** The lake's file of each slice, or of the dimension. */
  readonly #files: readonly LakeFile[];

  private constructor(
    database: Database,
    session: Session,
    subject: LoadedTable,
    slices: readonly LakeSlice[],
    loaded: ReadonlySet<string>,
    contract: Dataset | Dimension,
    files: readonly LakeFile[],
  ) {
    this.#contract = contract;
    this.#files = files;
    this.#database = database;
    this.session = session;
    this.#subject = subject;
    this.slices = slices;
    this.#loaded = loaded;
  }

  /** Loads the rows, and every table that the contract's rules may read besides. */
  static async open(
    contracts: Contracts,
    inventory: Inventory,
    contract: Dataset | Dimension,
  ): Promise<BreakableTable> {
    const database = await Database.open({
      threads: 2,
      memoryLimit: '800MB',
      temporaryFolder: tmpdir(),
    });
    const session = await database.connect();
    await createSchemas(
      session,
      contracts.datasets.map(dataset => dataset.domain),
    );
    const loaded = new Set<string>();
    for (const dimension of contracts.dimensions.values()) {
      const file = inventory.dimensions.get(dimension.key);
      if (file === undefined) continue;
      const shape = (await shapesOf(session, [file])).get(file.path);
      if (shape === undefined) throw new Error(`${file.path} cannot be read.`);
      await loadDimension(session, dimension, file, shape);
      loaded.add(dimensionTable(dimension).name);
    }
    const isDataset = contract.kind === 'dataset';
    for (const dataset of isDataset ? [contract, ...referencedDatasets(contract, contracts)] : []) {
      const slices = inventory.slices.get(dataset.key) ?? [];
      const files = slices.flatMap(slice => slice.files);
      await loadFacts(session, dataset, slices, await shapesOf(session, files));
      loaded.add(dataset.key);
    }
    const slices = isDataset ? (inventory.slices.get(contract.key) ?? []) : [];
    const subject = isDataset ? factTable(contract) : dimensionTable(contract);
    await createBreakable(session, contract, subject, slices);
    const own = isDataset ? undefined : inventory.dimensions.get(contract.key);
    // The sample has one file a slice.
    const files = own === undefined ? slices.flatMap(slice => slice.files) : [own];
    const breakable = { ...subject, table: 'main.t' };
    return new BreakableTable(database, session, breakable, slices, loaded, contract, files);
  }

  /** From here on nothing can be read or written but tables, as in a build. */
  lock(): Promise<void> {
    return this.#database.lock();
  }

  /** Outcomes on the rows after a change, or as they are. The rows are as before when it returns. */
  async outcomes(checks: readonly Check[], change?: Break): Promise<CheckOutcome[]> {
    const { session, slices } = this;
    await session.run('BEGIN');
    try {
      if (change !== undefined) await session.run(change);
      return await checkTable({ session, subject: this.#subject, slices, checks, loaded: this.#loaded });
    } finally {
      await session.run('ROLLBACK');
    }
  }

  /**
   * Writes the files of a lake that a change touches, as they are after it. Returns their paths; the rows are as
   * before. Only before `lock`.
   */
  async writeBroken(change: Break, lake: string): Promise<string[]> {
    const { session } = this;
    const names = this.#contract.columns.map(column => identifier(column.name));
    const sums = async () => {
      const rows = await session.rows<{ slice: number; sum: string }>(
        `SELECT ${SLICE_COLUMN} AS slice, sum(hash(${names.join(', ')})::HUGEINT)::VARCHAR AS sum FROM t GROUP BY 1`,
      );
      return new Map(rows.map(({ slice, sum }) => [slice, sum]));
    };
    await session.run('BEGIN');
    try {
      const before = await sums();
      await session.run(change);
      const after = await sums();
      const touched = [...after.keys()].filter(slice => after.get(slice) !== before.get(slice));
      for (const slice of touched) {
        const file = path.join(lake, this.#files[slice]!.path);
        const list = this.#contract.columns.map(
          (column, i) => `${names[i]}::${duckdbType(column)} AS ${names[i]}`,
        );
        await session.run(
          `COPY (SELECT ${list.join(', ')} FROM t WHERE ${SLICE_COLUMN} = ${slice}) TO ${literal(file)} (FORMAT parquet)`,
        );
      }
      return touched.map(slice => this.#files[slice]!.path);
    } finally {
      await session.run('ROLLBACK');
    }
  }

  close(): void {
    this.#database.close();
  }
}

async function shapesOf(session: Session, files: readonly LakeFile[]) {
  const { shapes, diagnostics } = await readShapes(session, files);
  if (diagnostics.length > 0) throw new Error(diagnostics.map(one => one.message).join('\n'));
  return shapes;
}

/** `t`: the loaded rows, and `detail`; the contract's own view of the rows reads it from now on. */
async function createBreakable(
  session: Session,
  contract: Dataset | Dimension,
  { table, view }: LoadedTable,
  slices: readonly LakeSlice[],
): Promise<void> {
  const detail =
    contract.kind === 'dataset'
      ? `, ([${literals(slices.map(slice => slice.detail))}])[${SLICE_COLUMN} + 1] AS detail`
      : '';
  await session.run(`CREATE TABLE main.t AS SELECT *${detail} FROM ${table}`);
  await session.run(`DROP VIEW ${view}`);
  const names = contract.columns.map(column => identifier(column.name)).join(', ');
  await session.run(`CREATE VIEW ${view} AS SELECT ${names} FROM main.t`);
  if (contract.kind === 'dimension') return;
  await session.run(`DROP TABLE ${table}`);
}
