/** `npm run bench -- NAME`: measures this software and an alternative in the same run. */
import { Command } from 'commander';
import { BROWSER } from './browser.ts';
import { BUILD } from './build.ts';
import { SERVE } from './serve.ts';

await new Command('npm run bench --')
  .description('Measures this software against plain tools, in one run on one machine.')
  .addCommand(BUILD)
  .addCommand(SERVE)
  .addCommand(BROWSER)
  .parseAsync();
