/**
 * Servers on free ports. Those of `served` and `answering` end with the test or the file that started them.
 */
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, readlinkSync } from 'node:fs';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { createServer, type RequestListener } from 'node:http';
import net, { type AddressInfo } from 'node:net';
import path from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { type ServerOptions, startServer } from '../site/edge/adapters/node.ts';
import { atEnd } from './at-end.ts';

/** `civic serve`: its address, without a final slash. */
export async function served(folder: string, options: Partial<ServerOptions> = {}): Promise<string> {
  const { url, close } = await startServer({ folder, port: 0, ...options });
  atEnd(close);
  return url;
}

/** A server that answers as the test says. */
export async function answering(answer: RequestListener): Promise<string> {
  const server = createServer(answer).listen(0, '127.0.0.1');
  atEnd(() => {
    server.closeAllConnections();
    server.close();
  });
  await once(server, 'listening');
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

/** A port that nothing listens on, for servers that cannot pick one and say which. */
export function freePort(): Promise<number> {
  return new Promise((done, fail) => {
    const probe = net.createServer().once('error', fail);
    probe.listen(0, '127.0.0.1', () => {
      const address = probe.address();
      probe.close(() => done(typeof address === 'object' && address !== null ? address.port : 0));
    });
  });
}

export const NGINX_ABSENT = spawnSync('nginx', ['-v']).error !== undefined;

/** Starts nginx with the text of its `http` block, after the text `top`. Waits until it is ready, and returns what ends it. */
export async function runNginx(
  work: string,
  http: string,
  isReady: () => Promise<boolean>,
  top = '',
): Promise<() => Promise<void>> {
  await mkdir(work, { recursive: true });
  const [configuration, log] = [path.join(work, 'nginx.conf'), path.join(work, 'error.log')];
  const user = process.getuid?.() === 0 ? 'user root;' : '';
  const folders = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'];
  await writeFile(
    configuration,
    `${top}daemon off; worker_processes 1; pid ${work}/pid; error_log ${log}; ${user}
events { worker_connections 128; }
http { ${folders.map(name => `${name}_temp_path ${work}/${name};`).join(' ')} ${http} }
`,
  );
  const child = spawn('nginx', ['-p', work, '-c', configuration, '-e', log], { stdio: 'ignore' });
  for (let tries = 0; !(await isReady().catch(() => false)); tries++) {
    if (tries > 200) throw new Error(await readFile(log, 'utf8'));
    await wait(50);
  }
  return async () => {
    const ended = once(child, 'exit');
    child.kill('SIGQUIT');
    await ended;
  };
}

/** Links to the files with this ending that a process has open. */
export function openedFiles(pid: number | 'self', name: string): string[] {
  return readdirSync(`/proc/${pid}/fd`).filter(one => {
    try {
      return readlinkSync(`/proc/${pid}/fd/${one}`).endsWith(name);
    } catch {
      return false;
    }
  });
}
