/** Runs the tasks of a page, in a worker or in a test. */

import { TreeMismatch } from '../../edge/files/files.ts';
import { HostError } from '../../edge/files/watched-fetch.ts';
import { EngineError, type Progress } from './engine.ts';
import type { Task, TaskResult } from './messages.ts';
import { inTime, SILENCE } from './patience.ts';
import { readAllRows, readFirstRows, type TaskControl } from './rows-answer.ts';
import type { SqlAnswers } from './sql-answer.ts';
import { type TreeAccess, TreeReader } from './tree-reader.ts';

interface TaskOptions {
  readonly signal: AbortSignal;
  readonly onProgress: (progress: Progress) => void;
}

export class TaskRunner {
  private readonly reader: TreeReader;
  private readonly module: URL;
  private readonly silence: number;
  private sql: Promise<SqlAnswers> | null = null;

  /**
   * `root` is the tree's root, ending in a slash; `module` is the address of DuckDB's module; `silence` is the number
   * of milliseconds without a byte after which a read gives up.
   */
  constructor(root: string, module: URL, silence = SILENCE) {
    this.reader = new TreeReader(root, silence);
    this.module = module;
    this.silence = silence;
  }

  /** Rejects with EngineError if the reader is to be told why. */
  async run(task: Task, { signal, onProgress }: TaskOptions): Promise<TaskResult> {
    let done = 0;
    let total: number | null = null;
    const onBytes = (bytes: number) => {
      done += bytes;
      onProgress({ stage: 'fetch', done, total: total === null ? null : Math.max(done, total) });
    };
    const control: TaskControl = {
      signal,
      expectBytes: bytes => {
        done = 0;
        total = bytes;
      },
    };
    try {
      onProgress({ stage: 'plan', done: 0, total: null });
      return await this.reader.run(access => this.answer(access, task, control, onProgress), onBytes);
    } catch (error) {
      signal.throwIfAborted();
      if (error instanceof TreeMismatch)
        throw new EngineError({ kind: 'mismatch', path: error.path, words: error.message });
      if (error instanceof HostError) {
        const { status, silence } = error;
        throw new EngineError({ kind: 'rows', status, silence });
      }
      throw error;
    }
  }

  private answer(
    access: TreeAccess,
    task: Task,
    control: TaskControl,
    onProgress: TaskOptions['onProgress'],
  ): Promise<TaskResult> {
    switch (task.kind) {
      case 'first':
        return readFirstRows(access, task, control);
      case 'ask':
        return readAllRows(access, task, control);
      case 'sql':
        return this.openSql().then(sql => sql.answer(access, task.statement, control, onProgress));
      default:
        return task satisfies never;
    }
  }

  /** Loaded on first use. */
  private openSql(): Promise<SqlAnswers> {
    this.sql ??= inTime(import('./sql-answer.ts')).then(
      ({ SqlAnswers }) => new SqlAnswers(this.module, this.silence),
    );
    return this.sql;
  }
}
