/** `npm run bench -- NAME`: measures this software against an alternative in the same run. */
import { Command } from 'commander';
import type { Bench } from './bench.ts';
import { BROWSER } from './browser.ts';
import { BUILD } from './build.ts';
import { SERVE } from './serve.ts';

/** In the order of the help. */
const BENCHES: readonly Bench[] = [BUILD, SERVE, BROWSER];

const program = new Command('npm run bench --').description(
  'Measures this software against plain tools, in one run on one machine.',
);
for (const bench of BENCHES) {
  const command: Command = program
    .command(bench.name)
    .description(bench.about)
    .action(() => bench.run(command));
  for (const option of bench.options) command.addOption(option);
}

await program.parseAsync();
