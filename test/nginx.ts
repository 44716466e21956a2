/** nginx with a configuration of a test's own. */
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';

export const NGINX_ABSENT = spawnSync('nginx', ['-v']).error !== undefined;

/** `http` is what its block says; `top` stands before all blocks. Waits until it is ready, and returns what ends it. */
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
