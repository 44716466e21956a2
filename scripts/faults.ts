/** `npm run faults -- KIND`: runs the tests of a kind of fault, with more random cases than CI tries. */
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { Argument, Command } from 'commander';
import { integer } from '../build/cli/arguments.ts';

/** The tests of each kind of fault. */
const KINDS: Readonly<Record<string, readonly string[]>> = {
  power: ['test/faults/power-cut.test.ts'],
  flip: ['test/pipeline/faults.test.ts'],
  damage: ['test/faults/damaged-tree.test.ts'],
  kill: ['test/pipeline/interruption.test.ts'],
  disk: ['test/pipeline/output-folder.test.ts', 'test/archive/snapshot.test.ts'],
  crowd: ['test/edge/crowd.test.ts'],
  mixed: ['test/edge/switched-folder.test.ts', 'test/deploy/server.test.ts'],
  rules: ['test/check/bad-rules.test.ts'],
};

const program = new Command('npm run faults --')
  .description('Runs the tests of a kind of fault, and exits with 1 if one fails.')
  .addArgument(new Argument('<kind>', 'what goes wrong').choices(Object.keys(KINDS)))
  .option('--runs <n>', 'multiple of the random cases of CI', integer(1, Number.MAX_SAFE_INTEGER), 10)
  .option('--seed <n>', 'seed of the random choices', integer(1, Number.MAX_SAFE_INTEGER), 26)
  .parse();

const { runs, seed } = program.opts<{ runs: number; seed: number }>();
const files = KINDS[program.args[0]!]!;
for (const file of files) if (!existsSync(file)) throw new Error(`${file} doesn't exist.`);
const { status } = spawnSync('npx', ['--no-install', 'vitest', 'run', ...files], {
  env: { ...process.env, TEST_RUNS: String(runs), TEST_SEED: String(seed) },
  stdio: 'inherit',
});
process.exitCode = status ?? 1;
