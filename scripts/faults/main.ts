/** `npm run faults -- KIND`: breaks what a build, a tree or a server stands on, and counts what does not hold. */
import { Command, InvalidArgumentError } from 'commander';
import { CROWD } from './crowd.ts';
import type { FaultKind, FaultOptions } from './fault-kind.ts';
import { FLIP } from './flip.ts';
import { KILL } from './kill.ts';
import { MIXED } from './mixed.ts';
import { POWER } from './power.ts';
import { RULES } from './rules.ts';

/** Every kind of fault, in the order of the help. */
const KINDS: readonly FaultKind[] = [POWER, FLIP, KILL, CROWD, MIXED, RULES];

const count = (text: string): number => {
  const value = Number(text);
  if (!Number.isSafeInteger(value) || value < 1)
    throw new InvalidArgumentError('Give a whole number from 1 up.');
  return value;
};

const program = new Command('npm run faults --').description(
  'Tries faults, and exits with 1 if something did not hold after one of them.',
);
for (const kind of KINDS) {
  const command = program
    .command(kind.name)
    .description(kind.about)
    .option('--runs <n>', 'faults to try', count, kind.runs)
    .option('--seed <n>', 'seed of the random choices', count, 1)
    .action(async (options: FaultOptions) => {
      const failed = await kind.run(options);
      console.log(
        `${kind.name}, seed ${options.seed}: ${failed === 0 ? 'everything held' : `${failed} did not hold`}.`,
      );
      process.exitCode = failed === 0 ? 0 : 1;
    });
  for (const option of kind.options ?? []) command.addOption(option);
}

await program.parseAsync();
