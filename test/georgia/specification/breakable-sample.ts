/**
 * The rows of the whole sample in one database. The rows of one dataset or dimension may be broken: each change is made
 * in a transaction, held against checks by the code that a build runs, and rolled back.
 */
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { Check, CheckOutcome } from '../../../build/check/check.ts';
import { checkTable } from '../../../build/check/run-checks.ts';
import type { Contracts, Dataset, Dimension } from '../../../build/contract/dataset.ts';
import { Database, type Session } from '../../../build/lake/database.ts';
import {
  createSchemas,
  dimensionTable,
  duckdbType,
  factTable,
  loadDimension,
  loadFacts,
  SLICE_COLUMN,
} from '../../../build/lake/fact-table.ts';
import { type Inventory, type LakeSlice, takeInventory } from '../../../build/lake/inventory.ts';
import type { LakeFile } from '../../../build/lake/lake-files.ts';
import { openLake } from '../../../build/lake/lake-location.ts';
import { readShapes } from '../../../build/lake/parquet-shape.ts';
import { identifier, literal, literals } from '../../../build/lake/sql.ts';
import { readOwnContracts } from './contracts.ts';
import { sampleLake } from './sample.ts';

type Contract = Dataset | Dimension;

export class BreakableSample {
  readonly session: Session;
  readonly contracts: Contracts;
  readonly #inventory: Inventory;
  readonly #database: Database;
  /** Names of all tables, which rules may read. */
  readonly #loaded: ReadonlySet<string>;

  private constructor(contracts: Contracts, inventory: Inventory, database: Database, session: Session) {
    this.contracts = contracts;
    this.#inventory = inventory;
    this.#database = database;
    this.session = session;
    this.#loaded = new Set([...this.all()].map(contract => tableOf(contract).name));
  }

  static async open(): Promise<BreakableSample> {
    const contracts = await readOwnContracts();
    const lake = await sampleLake();
    const { inventory } = takeInventory(await openLake(lake, lake), contracts);
    const limits = { threads: 2, memoryLimit: '800MB', temporaryFolder: tmpdir() };
    const database = await Database.open(limits);
    const session = await database.connect();
    const sample = new BreakableSample(contracts, inventory, database, session);
    await createSchemas(
      session,
      contracts.datasets.map(dataset => dataset.domain),
    );
    for (const contract of sample.all()) {
      const files = sample.filesOf(contract);
      const { shapes, diagnostics } = await readShapes(session, files);
      if (diagnostics.length > 0) throw new Error(diagnostics.map(one => one.message).join('\n'));
      if (contract.kind === 'dataset') await loadFacts(session, contract, sample.slicesOf(contract), shapes);
      else await loadDimension(session, contract, files[0]!, shapes.get(files[0]!.path)!);
    }
    return sample;
  }

  *all(): Iterable<Contract> {
    yield* this.contracts.dimensions.values();
    yield* this.contracts.datasets;
  }

  slicesOf({ kind, key }: Contract): readonly LakeSlice[] {
    return kind === 'dataset' ? (this.#inventory.slices.get(key) ?? []) : [];
  }

  /** The lake's file of each slice, or of the dimension: the sample has one of each. */
  filesOf(contract: Contract): readonly LakeFile[] {
    const own = contract.kind === 'dimension' ? this.#inventory.dimensions.get(contract.key) : undefined;
    return own === undefined ? this.slicesOf(contract).flatMap(slice => slice.files) : [own];
  }

  /** From here on nothing can be read or written but tables, as in a build. */
  lock(): Promise<void> {
    return this.#database.lock();
  }

  close(): void {
    this.#database.close();
  }

  /** Until it is put back, `t` has the contract's rows and `detail`, and the contract's own view reads it. */
  async takeOut(contract: Contract): Promise<void> {
    const { table, view } = tableOf(contract);
    const details = literals(this.slicesOf(contract).map(slice => slice.detail));
    const detail = contract.kind === 'dataset' ? `, ([${details}])[${SLICE_COLUMN} + 1] AS detail` : '';
    await this.session.run(`CREATE TABLE main.t AS SELECT *${detail} FROM ${table}`);
    await this.#readFrom('main.t', view, contract);
  }

  async putBack(contract: Contract): Promise<void> {
    const { table, view } = tableOf(contract);
    await this.#readFrom(table, view, contract);
    await this.session.run('DROP TABLE main.t');
  }

  #readFrom(table: string, view: string, { columns }: Contract): Promise<void> {
    const names = columns.map(column => identifier(column.name)).join(', ');
    return this.session.run(`CREATE OR REPLACE VIEW ${view} AS SELECT ${names} FROM ${table}`);
  }

  /** Outcomes on the rows of `t` after changes, or as they are. */
  outcomes(
    contract: Contract,
    checks: readonly Check[],
    changes: readonly string[] = [],
  ): Promise<CheckOutcome[]> {
    const subject = { ...tableOf(contract), table: 'main.t' };
    const { session } = this;
    return this.#undone(changes, () =>
      checkTable({ session, subject, slices: this.slicesOf(contract), checks, loaded: this.#loaded }),
    );
  }

  /** Writes the files of a lake that a change touches, as they are after it. Returns their paths. */
  async writeBroken(contract: Contract, change: string, lake: string): Promise<string[]> {
    const { session } = this;
    const names = contract.columns.map(column => identifier(column.name));
    const sums = async () => {
      const rows = await session.rows<{ slice: number; sum: string }>(
        `SELECT ${SLICE_COLUMN} AS slice, sum(hash(${names.join(', ')})::HUGEINT)::VARCHAR AS sum FROM t GROUP BY 1`,
      );
      return new Map(rows.map(({ slice, sum }) => [slice, sum]));
    };
    const before = await sums();
    return this.#undone([change], async () => {
      const after = await sums();
      const touched = [...after.keys()].filter(slice => after.get(slice) !== before.get(slice));
      const files = this.filesOf(contract);
      const list = contract.columns.map((one, i) => `${names[i]}::${duckdbType(one)} AS ${names[i]}`);
      for (const slice of touched) {
        const rows = `SELECT ${list.join(', ')} FROM t WHERE ${SLICE_COLUMN} = ${slice}`;
        const file = literal(path.join(lake, files[slice]!.path));
        await session.run(`COPY (${rows}) TO ${file} (FORMAT parquet)`);
      }
      return touched.map(slice => files[slice]!.path);
    });
  }

  async #undone<Result>(changes: readonly string[], run: () => Promise<Result>): Promise<Result> {
    await this.session.run('BEGIN');
    try {
      for (const change of changes) await this.session.run(change);
      return await run();
    } finally {
      await this.session.run('ROLLBACK');
    }
  }
}

function tableOf(contract: Contract) {
  return contract.kind === 'dataset' ? factTable(contract) : dimensionTable(contract);
}
