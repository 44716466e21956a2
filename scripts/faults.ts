/** `npm run faults -- KIND`: runs the tests of a kind of fault, with more random cases than CI tries. */
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { Argument, Command, InvalidArgumentError } from 'commander';

/** What goes wrong, and the tests that say what must still hold. */
const KINDS: Readonly<Record<string, readonly string[]>> = {
  power: ['test/faults/power-cut.test.ts'],
  flip: ['test/faults/flipped-bits.test.ts'],
  damage: ['test/faults/damaged-tree.test.ts', 'test/pipeline/faults.test.ts'],
  kill: ['test/pipeline/interruption.test.ts'],
  disk: ['test/pipeline/output-folder.test.ts', 'test/archive/snapshot.test.ts'],
  crowd: ['test/edge/crowd.test.ts'],
  mixed: ['test/edge/switched-folder.test.ts', 'test/deploy/server.test.ts'],
  rules: ['test/check/bad-rules.test.ts'],
};

const whole = (text: string): string => {
  if (/^[1-9]\d{0,8}$/.test(text)) return text;
  throw new InvalidArgumentError('Give a whole number from 1 up.');
};

const program = new Command('npm run faults --')
  .description('Tries faults, and exits with 1 if something does not hold after one of them.')
  .addArgument(new Argument('<kind>', 'what goes wrong').choices(Object.keys(KINDS)))
  .option('--runs <n>', 'so many times the random cases of CI', whole, '10')
  .option('--seed <n>', 'seed of the random choices', whole, '26')
  .parse();

const { runs, seed } = program.opts<{ runs: string; seed: string }>();
const files = KINDS[program.args[0]!]!;
for (const file of files) if (!existsSync(file)) throw new Error(`${file} is gone. Take it off the list.`);
const { status } = spawnSync('npx', ['--no-install', 'vitest', 'run', ...files], {
  env: { ...process.env, TEST_RUNS: runs, TEST_SEED: seed },
  stdio: 'inherit',
});
process.exitCode = status ?? 1;
