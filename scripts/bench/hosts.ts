/** What `npm run bench -- serve` asks: the edge on two hosts, and two live services over the same Parquet. */
import { spawnSync } from 'node:child_process';
import { createServer } from 'node:net';
import os from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { CIVIC, type ServerProcess, startServer } from './process.ts';

export interface BenchHost {
  /** Live services are what the others are compared with. */
  readonly isLive: boolean;
  /** Null if this machine can't run it, which it then says. `python`: the program that has PYTHON_PACKAGES. */
  start(tree: string, python: string): Promise<ServerProcess | null>;
}

const PYTHON_PACKAGES = 'fastapi, uvicorn, duckdb';

const startScript = (name: string, ...args: readonly string[]) => startServer(name, process.execPath, args);
const script = (name: string) => fileURLToPath(new URL(name, import.meta.url));

export const BENCH_HOSTS: Readonly<Record<string, BenchHost>> = {
  node: { isLive: false, start: tree => startScript('node', CIVIC, 'serve', tree, '--port', '0', '--json') },
  workerd: {
    isLive: false,
    start: tree =>
      startServer('workerd', process.execPath, [script('./worker-main.js'), tree, 'api'], {
        isStarter: true,
      }),
  },
  live: { isLive: true, start: tree => startScript('live', script('./live-service.js'), tree) },
  fastapi: {
    isLive: true,
    start: async (tree, python) => {
      if (spawnSync(python, ['-c', `import ${PYTHON_PACKAGES}`]).status !== 0) {
        console.log(`FastAPI isn't measured: ${python} has not all of ${PYTHON_PACKAGES}.`);
        return null;
      }
      const port = String(await freePort());
      const args = ['live-service:app', '--app-dir', path.resolve('scripts/bench'), '--port', port];
      const workers = ['--workers', String(os.availableParallelism()), '--log-level', 'warning'];
      return startServer('fastapi', python, ['-m', 'uvicorn', ...args, ...workers], {
        address: `http://127.0.0.1:${port}`,
        env: { TREE: path.resolve(tree) },
      });
    },
  },
};

async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>(done => server.listen(0, '127.0.0.1', done));
  const address = server.address();
  await new Promise(done => server.close(done));
  return typeof address === 'object' && address ? address.port : 0;
}
