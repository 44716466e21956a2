/** `npm run faults -- rules`: hostile SQL in a contract, and what it takes from the machine before it is stopped. */
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { withSession } from '../../build/lake/database.ts';
import { literal } from '../../build/lake/sql.ts';
import type { FaultKind } from './fault-kind.ts';
import { inScratch, runCivic } from './sample-tree.ts';

const MEMORY_MEGABYTES = 400;
const RULE_SECONDS = 5;

/** What must hold: the rule gives no answer, the command ends soon, and memory stays within ten times the limit. */
const MOST_SECONDS = 30;
const MOST_MEGABYTES = 10 * MEMORY_MEGABYTES;

const HOSTILE: readonly string[] = [
  "SELECT length(repeat('x', 2000000000))",
  "SELECT max(length(repeat('x', 1000000000 + height))) FROM {object}",
  'SELECT sum(length(repeat(place, 300000000))) FROM {object}',
  "SELECT length(lpad('x', 2000000000, 'y'))",
  'SELECT len(range(400000000))',
  "SELECT length(string_agg(repeat('x', 1000000), '')) FROM range(100000)",
  "WITH RECURSIVE a(s) AS (SELECT 'x' UNION ALL SELECT s || s FROM a WHERE length(s) < 1500000000) SELECT max(length(s)) FROM a",
  'WITH RECURSIVE a(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM a) SELECT count(*) FROM a',
  'SELECT count(*) FROM range(10000000) a, range(10000000) b WHERE a.range + b.range = 7',
  'SELECT count(*) FROM (SELECT range % 900000000 AS g FROM range(900000000) GROUP BY g)',
  'SELECT count(*) FROM {object} WHERE random() < 2',
  "SELECT count(*) FROM {object} WHERE current_date > DATE '2000-01-01'",
  'SELECT count(*) FROM {object} WHERE uuid() IS NOT NULL',
  'SELECT count(*) FROM {object} USING SAMPLE 50%',
];

export const RULES: FaultKind = {
  name: 'rules',
  about: 'checks a lake against contracts with hostile SQL, and measures time and memory',
  runs: HOSTILE.length,
  run: ({ runs }) =>
    inScratch(async scratch => {
      await writeLake(scratch);
      let failed = 0;
      for (let i = 0; i < runs; i++) {
        const query = HOSTILE[i % HOSTILE.length]!;
        const { status, seconds, megabytes, code } = await check(scratch, query);
        const held = status !== 0 && code !== null && seconds < MOST_SECONDS && megabytes < MOST_MEGABYTES;
        if (!held) failed++;
        console.log(
          `${held ? 'held' : 'NOT HELD'}  ${seconds.toFixed(1)} s, ${megabytes} MB at most, ended with ${status}, ${code ?? 'no diagnostic'}: ${query}`,
        );
      }
      return failed;
    }),
};

async function writeLake(scratch: string): Promise<void> {
  const folder = path.join(scratch, 'lake/sea/tides/year=2021');
  await mkdir(folder, { recursive: true });
  const limits = { threads: 1, memoryLimit: '200MB', temporaryFolder: scratch };
  const rows = "SELECT 2021 AS year, 'p' || range AS place, range::INTEGER AS height FROM range(4)";
  await withSession(limits, session =>
    session.run(`COPY (${rows}) TO ${literal(path.join(folder, 'places.parquet'))}`),
  );
}

/** Gives the exit code, null for a signal, and the code of the first diagnostic. */
async function check(scratch: string, query: string) {
  const contracts = path.join(scratch, 'contracts');
  await mkdir(contracts, { recursive: true });
  await writeFile(path.join(contracts, 'tides.odcs.yaml'), contractWith(query));
  const limits = ['--memory', `${MEMORY_MEGABYTES}MB`, '--rule-seconds', String(RULE_SECONDS)];
  const folders = ['--contracts', contracts, '--data', path.join(scratch, 'lake')];
  const started = performance.now();
  let megabytes = 0;
  let timer: NodeJS.Timeout | undefined;
  const ended = await runCivic(['check', ...folders, '--json', ...limits], undefined, pid => {
    timer = setInterval(async () => {
      const text = await readFile(`/proc/${pid}/status`, 'utf8').catch(() => '');
      megabytes = Math.max(megabytes, Math.round(Number(/^VmHWM:\s+(\d+)/m.exec(text)?.[1] ?? 0) / 1024));
    }, 10);
  });
  clearInterval(timer);
  const code = /"code":\s*"([a-z-]+)"/.exec(ended.output)?.[1] ?? null;
  return { status: ended.code, seconds: (performance.now() - started) / 1000, megabytes, code };
}

function contractWith(query: string): string {
  return `apiVersion: v3.1.0
kind: DataContract
id: sea.tides
version: 1.0.0
status: active
domain: sea
customProperties:
  - { property: year_range, value: 2021-2021 }
schema:
  - name: tides
    customProperties:
      - { property: detail_levels, value: [places] }
      - { property: grain, value: [year, place] }
      - { property: path_template, value: "sea/tides/year={year}/{detail}.parquet" }
    properties:
      - { name: year, logicalType: integer, required: true, customProperties: [{ property: column_role, value: year }] }
      - { name: place, logicalType: string, required: true, customProperties: [{ property: column_role, value: categorical }] }
      - { name: height, logicalType: integer, customProperties: [{ property: column_role, value: metric }] }
    quality:
      - { name: hostile, type: sql, query: ${JSON.stringify(query)}, mustBeLessThan: 1000000000000 }
`;
}
