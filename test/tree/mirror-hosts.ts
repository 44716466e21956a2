/** Hosts for mirrors, each with a record of what it sent. */
import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { createListener } from '../../site/edge/adapters/node.ts';
import { answering, freePort, runNginx } from '../served.ts';

export interface MirrorHost {
  /** Without a final slash. */
  readonly url: string;
  /** Paths whose bytes were sent since the last call. */
  sent(): Promise<string[]>;
  close(): Promise<void>;
}

/** `civic serve`, until the end of the test. */
export async function startEdge(folder: string): Promise<MirrorHost> {
  const sent: string[] = [];
  const answer = createListener({ folder });
  const url = await answering((request, response) => {
    response.on('finish', () => {
      if (request.method === 'GET' && response.statusCode < 300) sent.push((request.url ?? '').slice(1));
    });
    answer(request, response);
  });
  return { url, close: async () => undefined, sent: async () => sent.splice(0).sort() };
}

/** nginx with a root folder and this addition to its server. */
export async function startNginx(folder: string, work: string, more = ''): Promise<MirrorHost> {
  const port = await freePort();
  const log = path.join(work, 'access.log');
  // A restarted server continues the same log.
  let read = (await readFile(log, 'utf8').catch(() => '')).length;
  const url = `http://127.0.0.1:${port}`;
  const close = await runNginx(
    work,
    `types { text/html html; application/json json; text/csv csv; }
  default_type application/octet-stream;
  log_format sent '$request_method $status $request_uri';
  access_log ${log} sent;
  server { listen 127.0.0.1:${port}; root ${folder}; ${more} }`,
    async () => (await fetch(`${url}/healthz.json`, { method: 'HEAD' })).ok,
  );
  let marks = 0;
  return {
    url,
    sent: async () => {
      // A line is written some time after its answer, in the order of the answers.
      const mark = `/healthz.json?mark=${marks++}`;
      await fetch(url + mark, { method: 'HEAD' });
      let text = '';
      for (let tries = 0; tries < 200 && !text.slice(read).includes(`${mark}\n`); tries++) {
        await wait(10);
        text = await readFile(log, 'utf8');
      }
      const lines = text.slice(read).split('\n');
      read = text.length;
      return lines.flatMap(line => /^GET 20\d \/(.*)$/.exec(line)?.[1] ?? []).sort();
    },
    close,
  };
}

export interface Run {
  readonly code: number;
  readonly output: string;
}

/** Runs a program in a folder, while servers of this process answer. */
export function run(
  program: string,
  args: readonly string[],
  cwd: string,
  environment: Readonly<Record<string, string>> = {},
): Promise<Run> {
  return new Promise(done => {
    execFile(program, args, { cwd, env: { ...process.env, ...environment } }, (error, stdout, stderr) => {
      done({ code: error === null ? 0 : Number(error.code ?? 1), output: stdout + stderr });
    });
  });
}
