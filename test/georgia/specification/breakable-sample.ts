/** The rows of the whole sample in one database. The rows of one dataset or dimension may be broken. */
import { tmpdir } from 'node:os';
import type { Check, CheckOutcome } from '../../../build/check/check.ts';
import { checkTable } from '../../../build/check/run-checks.ts';
import type { Contracts, Dataset, Dimension } from '../../../build/contract/dataset.ts';
import { Database, type Session } from '../../../build/lake/database.ts';
import {
  createSchemas,
  dimensionTable,
  factTable,
  loadDimension,
  loadFacts,
  SLICE_COLUMN,
} from '../../../build/lake/fact-table.ts';
import { type Inventory, type LakeSlice, takeInventory } from '../../../build/lake/inventory.ts';
import { openLake } from '../../../build/lake/lake-location.ts';
import { readShapes } from '../../../build/lake/parquet-shape.ts';
import { identifier, literals } from '../../../build/lake/sql.ts';
import { readOwnContracts } from './contracts.ts';
import { sampleLake } from './sample.ts';

type Contract = Dataset | Dimension;

export class BreakableSample {
  readonly session: Session;
  readonly contracts: Contracts;
  readonly all: readonly Contract[];
  readonly #inventory: Inventory;
  readonly #database: Database;

  private constructor(contracts: Contracts, inventory: Inventory, database: Database, session: Session) {
    this.contracts = contracts;
    this.all = [...contracts.dimensions.values(), ...contracts.datasets];
    this.#inventory = inventory;
    this.#database = database;
    this.session = session;
  }

  static async open(): Promise<BreakableSample> {
    const contracts = await readOwnContracts();
    const lake = await sampleLake();
    const { inventory } = takeInventory(await openLake(lake, lake), contracts);
    const limits = { threads: 2, memoryLimit: '800MB', temporaryFolder: tmpdir() };
    const database = await Database.open(limits);
    const session = await database.connect();
    const sample = new BreakableSample(contracts, inventory, database, session);
    const domains = contracts.datasets.map(dataset => dataset.domain);
    await createSchemas(session, domains);
    for (const contract of sample.all) {
      const slices = sample.slicesOf(contract);
      const own = contract.kind === 'dimension' ? [inventory.dimensions.get(contract.key)!] : [];
      const files = [...own, ...slices.flatMap(slice => slice.files)];
      const { shapes } = await readShapes(session, files);
      if (contract.kind === 'dataset') await loadFacts(session, contract, slices, shapes);
      else await loadDimension(session, contract, files[0]!, shapes.get(files[0]!.path)!);
    }
    // From here on nothing can be read or written but tables, as in a build.
    await database.lock();
    return sample;
  }

  slicesOf({ kind, key }: Contract): readonly LakeSlice[] {
    return kind === 'dataset' ? (this.#inventory.slices.get(key) ?? []) : [];
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

  /** Outcomes on the rows of `t`, as they are or after a change that is undone. */
  async outcomes(contract: Contract, checks: readonly Check[], change?: string): Promise<CheckOutcome[]> {
    const { session } = this;
    const subject = { ...tableOf(contract), table: 'main.t' };
    const loaded = new Set(this.all.map(one => tableOf(one).name));
    await session.run('BEGIN');
    try {
      if (change !== undefined) await session.run(change);
      return await checkTable({ session, subject, slices: this.slicesOf(contract), checks, loaded });
    } finally {
      await session.run('ROLLBACK');
    }
  }
}

function tableOf(contract: Contract) {
  return contract.kind === 'dataset' ? factTable(contract) : dimensionTable(contract);
}
