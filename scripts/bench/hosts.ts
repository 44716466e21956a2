/** What `npm run bench -- serve` asks: the edge on two hosts, and two live services over the same Parquet. */
import { execFile } from 'node:child_process';
import os from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { CIVIC, freePort, type ServerProcess, startServer } from './process.ts';

export interface BenchHost {
  readonly name: string;
  /** Live services are what the others are compared with. */
  readonly isLive: boolean;
  /** Why this machine can't run it; null if it can. */
  missing(options: HostOptions): Promise<string | null>;
  start(tree: string, options: HostOptions): Promise<ServerProcess>;
}

export interface HostOptions {
  /** The Python program that has FastAPI, uvicorn and DuckDB. */
  readonly python: string;
}

const PYTHON_PACKAGES = ['fastapi', 'uvicorn', 'duckdb'];
const script = (name: string) => fileURLToPath(new URL(name, import.meta.url));
const never = () => Promise.resolve(null);

export const BENCH_HOSTS: readonly BenchHost[] = [
  {
    name: 'node',
    isLive: false,
    missing: never,
    start: tree => startServer('node', process.execPath, [CIVIC, 'serve', tree, '--port', '0', '--json']),
  },
  {
    name: 'workerd',
    isLive: false,
    missing: never,
    start: tree => startServer('workerd', process.execPath, [script('./worker-main.js'), tree, 'api']),
  },
  {
    name: 'live',
    isLive: true,
    missing: never,
    start: tree => startServer('live', process.execPath, [script('./live-service-main.js'), tree]),
  },
  {
    name: 'fastapi',
    isLive: true,
    missing: ({ python }) =>
      promisify(execFile)(python, ['-c', `import ${PYTHON_PACKAGES.join(', ')}`]).then(
        () => null,
        () => `${python} has not all of ${PYTHON_PACKAGES.join(', ')}, so FastAPI isn't measured.`,
      ),
    start: async (tree, { python }) => {
      const port = String(await freePort());
      const workers = String(os.availableParallelism());
      const args = ['live-service:app', '--app-dir', path.resolve('scripts/bench'), '--port', port];
      return startServer(
        'fastapi',
        python,
        ['-m', 'uvicorn', ...args, '--workers', workers, '--log-level', 'warning'],
        {
          address: `http://127.0.0.1:${port}`,
          env: { TREE: path.resolve(tree) },
        },
      );
    },
  },
];
