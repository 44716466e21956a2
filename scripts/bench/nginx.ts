/** nginx over the same folder: the fastest way to send a stored file. */
import { execFile } from 'node:child_process';
import { mkdir, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import path from 'node:path';
import { promisify } from 'node:util';
import { type ServerProcess, startProcess } from './server-process.ts';

/** True if the machine has the program. */
export async function hasProgram(name: string, flag: string): Promise<boolean> {
  return promisify(execFile)(name, [flag]).then(
    () => true,
    (error: NodeJS.ErrnoException) => error.code !== 'ENOENT',
  );
}

/** Starts nginx with one worker, as the edge under Node has one thread, with sendfile and without a log. */
export async function startNginx(tree: string, scratch: string): Promise<ServerProcess> {
  const port = await freePort();
  const folder = path.join(scratch, 'nginx');
  await mkdir(folder, { recursive: true });
  const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map(
    kind => `${kind}_temp_path ${folder}/${kind};`,
  );
  const user = process.getuid?.() === 0 ? 'user root;' : '';
  const configuration = `
daemon off; ${user} worker_processes 1; pid ${folder}/pid; error_log ${folder}/error.log;
events { worker_connections 512; }
http {
  access_log off; sendfile on; tcp_nopush on; keepalive_requests 1000000; open_file_cache max=4000;
  ${temporary.join(' ')}
  types { application/json json; text/csv csv; }
  server { listen 127.0.0.1:${port}; root ${path.resolve(tree)}; }
}`;
  const file = path.join(folder, 'nginx.conf');
  await writeFile(file, configuration);
  return startProcess(
    'nginx',
    'nginx',
    ['-c', file, '-e', path.join(folder, 'error.log')],
    `http://127.0.0.1:${port}`,
  );
}

async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>(done => server.listen(0, '127.0.0.1', done));
  const address = server.address();
  await new Promise(done => server.close(done));
  return typeof address === 'object' && address ? address.port : 0;
}
