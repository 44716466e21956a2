/** The engines of rewriting hosts: CloudFront's function under njs or Node, and a real nginx. */
import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { Agent } from 'node:http';
import path from 'node:path';
import { promisify } from 'node:util';
import { createContext, runInContext } from 'node:vm';
import type { HostFile } from '../../build/format/host-files.ts';
import { atEnd } from '../at-end.ts';
import { isInstalled } from '../installed.ts';
import { askAsIs, freePort, runNginx } from '../served.ts';
import type { Request } from './rewrite-requests.ts';

const MODULE = ['/usr/lib/nginx/modules', '/usr/share/nginx/modules', '/usr/lib64/nginx/modules']
  .map(folder => path.join(folder, 'ngx_http_js_module.so'))
  .find(file => existsSync(file));

export const NGINX_MISSING = MODULE === undefined || !isInstalled('nginx');

export interface Returned {
  readonly uri?: string;
  readonly querystring?: object;
  readonly statusCode?: number;
  readonly headers: Readonly<Record<string, { readonly value: string }>>;
  readonly body?: string;
}

/** The event that CloudFront gives to its function: names and values stay encoded. */
export function toEvent({ url, accept }: Request, method = 'GET'): object {
  const at = `${url}?`.indexOf('?');
  const fields = new Map<string, { value: string }[]>();
  for (const part of url.slice(at + 1).split('&')) {
    if (part === '') continue;
    const end = `${part}=`.indexOf('=');
    const name = part.slice(0, end);
    fields.set(name, [...(fields.get(name) ?? []), { value: part.slice(end + 1) }]);
  }
  // fromEntries, since a parameter may be named __proto__.
  const querystring = Object.fromEntries(
    [...fields].map(([name, values]) => [
      name,
      { ...values[0], ...(values.length > 1 && { multiValue: values }) },
    ]),
  );
  const headers = { host: { value: 'd1.cloudfront.test' }, accept: { value: accept } };
  return { version: '1.0', request: { method, uri: url.slice(0, at), querystring, headers, cookies: {} } };
}

/** Calls the function for each event in one njs process, which has neither Node's nor a browser's API. */
export async function runNjs(
  script: string,
  events: readonly object[],
  work: string,
): Promise<readonly Returned[]> {
  const [input, output, main] = ['in.json', 'out.json', 'main.js'].map(name => path.join(work, name));
  await mkdir(work, { recursive: true });
  await writeFile(input!, JSON.stringify(events));
  const call = `const fs = require('fs');
const events = JSON.parse(fs.readFileSync('${input}', 'utf8'));
Promise.all(events.map(event => handler(event))).then(all => fs.writeFileSync('${output}', JSON.stringify(all)));\n`;
  await writeFile(main!, `${script}\n${call}`);
  await promisify(execFile)('njs', [main!]);
  return JSON.parse(await readFile(output!, 'utf8'));
}

/** The function as `civic deploy` prepares it for a release, with a map in place of CloudFront's store. */
export function functionScript(
  [script, store]: readonly HostFile[],
  release: string,
  { broken = false } = {},
): string {
  const { data } = JSON.parse(store!.text) as { data: readonly { key: string; value: string }[] };
  return `
const values = ${JSON.stringify(Object.fromEntries(data.map(({ key, value }) => [key, value])))};
const cf = { kvs: () => ({
  get: key => ${!broken} && key in values ? Promise.resolve(values[key]) : Promise.reject(Error('no ' + key)),
  exists: key => Promise.resolve(key in values),
}) };
${script!.text.replaceAll('@RELEASE@', release).replace(/^import cf from 'cloudfront';\n/, '')}`;
}

/** The function in a context that has only the language. */
export function loadFunction(script: string): (event: object) => Promise<Returned> {
  const context = createContext({}, { codeGeneration: { strings: false, wasm: false } });
  runInContext(`${script}\nthis.handler = handler;`, context);
  return async event => JSON.parse(JSON.stringify(await context.handler(structuredClone(event))));
}

export type RunningNginx = Awaited<ReturnType<typeof startRewriting>>;

/** nginx with the published configuration, except for its port and `store`, the folder of `current`. */
export async function startRewriting(files: readonly HostFile[], store: string, work: string) {
  const port = await freePort();
  await mkdir(work, { recursive: true });
  for (const file of files) {
    const text = file.text
      .replace('set $civic_store /srv/civic;', `set $civic_store ${store};`)
      .replace('listen 80;', `listen 127.0.0.1:${port};`)
      .replace('listen [::]:80;', '');
    await writeFile(path.join(work, file.path === 'nginx.conf' ? 'civic.conf' : file.path), text);
  }
  const agent = new Agent({ keepAlive: true });
  const ask = (url: string, headers: Readonly<Record<string, string>> = {}, method = 'GET') =>
    askAsIs(`http://127.0.0.1:${port}${url}`, { method, headers, agent });
  const end = await runNginx(
    work,
    'access_log off; include civic.conf;',
    async () => (await ask('/healthz')).status === 200,
    `load_module ${MODULE};\n`,
  );
  atEnd(() => {
    agent.destroy();
    return end();
  });
  return { port, ask };
}
