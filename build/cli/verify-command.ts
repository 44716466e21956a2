/** `civic verify`: whether a tree is whole. */
import { readFileSync } from 'node:fs';
import type { Command } from 'commander';
import type { LogTrust } from '../tree/tree-log.ts';
import { JOBS, type LimitArguments, MEMORY, type Run } from './arguments.ts';
import { readPublicKey } from './log-keys.ts';
import { publisherFolders } from './publisher-folders.ts';

export function addVerifyCommand(program: Command, run: Run): void {
  program
    .command('verify')
    .description(
      'recompute every hash of a tree, compare the formats of every slice, and look for missing and extra files',
    )
    .argument('[dir-or-file]', 'folder of the tree, or an archive of one (default: dist)')
    .option(
      '--repair <dir-or-url>',
      'first take damaged and missing parts from this copy of the same release',
    )
    .addOption(JOBS)
    .addOption(MEMORY)
    .option('--key <key>', "the publisher's public key, or a file that holds it: demand its signature")
    .option('--witness <key...>', 'public keys of witnesses: demand the signature of each')
    .option('--checkpoint <file>', 'the checkpoint that the witnesses signed (default: the one in the tree)')
    .option(
      '--against <tree>',
      'another copy, as a folder, an address or an archive: name the releases that it tells otherwise',
    )
    .option('--json', 'print one JSON object')
    .addHelpText(
      'after',
      '\nExample:\n  $ civic verify dist\n  $ civic verify dist --repair https://data.example.org/',
    )
    .action((given: string | undefined, options: VerifyArguments) =>
      run(options, async terminal => {
        const folder = given ?? publisherFolders({}).out;
        const { key, witness = [], checkpoint, against = null } = options;
        const trust: LogTrust = {
          key: key === undefined ? null : readPublicKey(key, 'signer'),
          witnesses: witness.map(one => readPublicKey(one, 'witness')),
          cosigned: checkpoint === undefined ? null : readFileSync(checkpoint, 'utf8'),
        };
        if (options.repair !== undefined) {
          const { repairTree } = await import('../tree/repair-tree.ts');
          await repairTree(folder, options.repair, terminal.report);
        }
        const { verify } = await import('../archive/verify.ts');
        const { jobs, memory } = options;
        terminal.verified(await verify(folder, { jobs, memory, trust, against }, terminal.report));
      }),
    );
}

interface VerifyArguments extends LimitArguments {
  readonly key?: string;
  readonly witness?: readonly string[];
  readonly checkpoint?: string;
  readonly against?: string;
  readonly repair?: string;
}
