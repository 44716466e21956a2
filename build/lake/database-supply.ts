/** Databases of the same limits, one after the other: the next is opened while something else is done. */
import { Database, type DatabaseOptions } from './database.ts';

export class DatabaseSupply {
  readonly #options: DatabaseOptions;
  #spare: Promise<Database> | null = null;

  constructor(options: DatabaseOptions) {
    this.#options = options;
  }

  /** Begins to open the one that is asked for next. */
  prepare(): void {
    this.#opening();
  }

  /** Runs with a database of its own, which is closed then. `another` says whether one more will be asked for. */
  async use<Result>(another: boolean, act: (database: Database) => Promise<Result>): Promise<Result> {
    const opening = this.#opening();
    this.#spare = null;
    const database = await opening;
    try {
      if (another) this.prepare();
      return await act(database);
    } finally {
      database.close();
    }
  }

  /** Closes the one that nobody asked for. */
  async close(): Promise<void> {
    const database = await this.#spare?.catch(() => null);
    this.#spare = null;
    database?.close();
  }

  #opening(): Promise<Database> {
    if (this.#spare === null) {
      this.#spare = Database.open(this.#options);
      // What went wrong is for whoever asks for it.
      this.#spare.catch(() => undefined);
    }
    return this.#spare;
  }
}
