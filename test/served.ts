/**
 * Servers on free ports. Those of `served` and `answering` end with the test or the file that started them.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, readlinkSync } from 'node:fs';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import http from 'node:http';
import net, { type AddressInfo } from 'node:net';
import path from 'node:path';
import { buffer } from 'node:stream/consumers';
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
export async function answering(
  answer: http.RequestListener,
  prepare?: (server: http.Server) => void,
): Promise<string> {
  const server = http.createServer(answer).listen(0, '127.0.0.1');
  prepare?.(server);
  atEnd(() => {
    server.closeAllConnections();
    server.close();
  });
  await once(server, 'listening');
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

export interface Received {
  readonly status: number;
  readonly headers: http.IncomingHttpHeaders;
  readonly body: Buffer;
}

/** Asks for a URL as it is written, and doesn't decode the body. */
export async function askAsIs(url: string, options: http.RequestOptions = {}): Promise<Received> {
  const [, host, path = '/'] = /^http:\/\/([^/]*)(.*)$/s.exec(url) ?? [];
  const [hostname, port] = host!.split(':');
  const request = http.request({ hostname, port, path, ...options }).end();
  const [response] = (await once(request, 'response')) as [http.IncomingMessage];
  return { status: response.statusCode ?? 0, headers: response.headers, body: await buffer(response) };
}

/** Sends text as Latin-1. Gives what comes until the connection is closed, or up to this text. */
export async function sendRaw(url: string, text: string, until?: string): Promise<string> {
  const { hostname, port } = new URL(url);
  const socket = net.connect(Number(port), hostname);
  socket.write(text, 'latin1');
  let answer = '';
  for await (const part of socket) {
    answer += part;
    if (until !== undefined && answer.includes(until)) break;
  }
  return answer;
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
