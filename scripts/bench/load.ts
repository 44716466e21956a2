/** Load from wrk, in its own process: it requests a list of URLs in turn on many connections. */
import { execFile } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';

export interface LoadOptions {
  readonly connections: number;
  readonly seconds: number;
  readonly scratch: string;
  /** Priority of wrk, as `nice` counts; by default that of this program. */
  readonly nice?: number;
}

export interface Load {
  readonly requests: number;
  readonly seconds: number;
  /** Bytes of responses, headers included. */
  readonly bytes: number;
  /** Responses other than 2xx, and failed connections. */
  readonly errors: number;
  /** Milliseconds. */
  readonly p50: number;
  readonly p99: number;
}

export async function runLoad(url: string, paths: readonly string[], options: LoadOptions): Promise<Load> {
  const { connections, seconds, scratch, nice = 0 } = options;
  const script = path.join(scratch, 'load.lua');
  await writeFile(script, renderScript(paths));
  const args = [
    '-t',
    '1',
    '-c',
    String(connections),
    '-d',
    `${seconds}s`,
    '--timeout',
    '30s',
    '-s',
    script,
    url,
  ];
  const command = ['-n', String(nice), 'wrk', ...args];
  const { stdout } = await promisify(execFile)('nice', command, { timeout: (seconds + 60) * 1000 });
  const line = /^RESULT (.*)$/m.exec(stdout)?.[1];
  if (line === undefined) throw new Error(`wrk gave no result:\n${stdout}`);
  const [requests = 0, duration = 1, bytes = 0, errors = 0, p50 = 0, p99 = 0] = line.split(' ').map(Number);
  return { requests, seconds: duration / 1e6, bytes, errors, p50: p50 / 1000, p99: p99 / 1000 };
}

function renderScript(paths: readonly string[]): string {
  return `
local paths = { ${paths.map(one => JSON.stringify(one)).join(', ')} }
local at = 0
request = function()
  at = at % #paths + 1
  return wrk.format("GET", paths[at])
end
done = function(summary, latency)
  local e = summary.errors
  io.write(string.format("RESULT %d %d %d %d %d %d\\n", summary.requests, summary.duration, summary.bytes,
    e.connect + e.read + e.write + e.status + e.timeout, latency:percentile(50), latency:percentile(99)))
end
`;
}
