/** Commands that read whole trees: `civic verify`, `civic diff` and `civic snapshot`. */
import { readFileSync } from 'node:fs';
import { type Command, Option } from 'commander';
import { countOf } from '../format/shown-text.ts';
import { differenceLines } from '../tree/tree-difference.ts';
import type { LogComparison, LogTrust } from '../tree/tree-log.ts';
import type { VerifyResult } from '../tree/verify-tree.ts';
import {
  archive,
  JOBS,
  type LimitArguments,
  MEMORY,
  publisherFolders,
  type Run,
  readPublicKey,
  type SiteParts,
} from './arguments.ts';

export function addVerifyCommand(program: Command, run: Run): void {
  program
    .command('verify')
    .description(
      'check every hash of a tree, the formats of every slice, and for missing and extra files',
    )
    .argument('[dir-or-file]', 'folder of the tree, or an archive of one (default: dist)')
    .option(
      '--repair <dir-or-url>',
      'first take damaged and missing parts from this copy of the same release',
    )
    .addOption(JOBS)
    .addOption(MEMORY)
    .option('--key <key>', "the publisher's public key, or its file: demand its signature")
    .option('--witness <key...>', 'public keys of witnesses: demand the signature of each')
    .option('--checkpoint <file>', 'the checkpoint that the witnesses signed (default: the one in the tree)')
    .option(
      '--against <tree>',
      'another copy, as a folder, an address or an archive: list the releases in which it differs',
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
        const result = await verify(folder, { jobs, memory, trust, against }, terminal.report);
        const { files, slices } = result;
        const lines = [
          `${countOf(files, 'file')} and ${countOf(slices, 'slice')} verified: every hash is right, all formats have the same rows, no file is missing or extra.`,
          logText(result),
          ...(result.against === null ? [] : [againstText(result.against)]),
        ];
        terminal.say(lines, result);
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

export function addDiffCommand(program: Command, run: Run): void {
  program
    .command('diff')
    .description('list the changes from one tree to another: contracts, years, and rows by year and level')
    .argument('<old>', 'a tree: its folder or its address')
    .argument('<new>', 'a later tree')
    .addOption(JOBS)
    .addOption(MEMORY)
    .option('--json', 'print one JSON object')
    .addHelpText('after', '\nExample:\n  $ civic diff https://data.example.org/ dist')
    .action((old: string, now: string, options: LimitArguments) =>
      run(options, async terminal => {
        const { diff } = await import('../tree/diff-trees.ts');
        const difference = await diff(old, now, options);
        const { old: before, new: after, unchanged } = difference;
        const head = `From release ${before.release} to ${after.release}; ${unchanged} unchanged.`;
        terminal.say([head, ...differenceLines(difference, Number.POSITIVE_INFINITY)], difference);
      }),
    );
}

export function addSnapshotCommand(program: Command, run: Run, site: SiteParts): void {
  program
    .command('snapshot')
    .description(
      'write a tree as one archive, a BagIt bag and an RO-Crate, for preservation and a DOI',
    )
    .argument('[dir]', 'folder of the tree (default: dist)')
    .addOption(new Option('--out <file>', 'a .zip file').argParser(archive).makeOptionMandatory())
    .option('--only <glob>', 'take only these datasets, as domain/topic; * stands for any name')
    .addOption(JOBS)
    .addOption(MEMORY)
    .option('--json', 'print one JSON object')
    .addHelpText('after', '\nExample:\n  $ civic snapshot dist --out release.zip')
    .action((given: string | undefined, options: LimitArguments & { out: string; only?: string }) =>
      run(options, async terminal => {
        const folder = given ?? publisherFolders({}).out;
        const { snapshot } = await import('../archive/snapshot.ts');
        const { out, only = null, jobs, memory } = options;
        const archived = { out, only, limits: { jobs, memory }, openPages: site.openPages };
        const packed = await snapshot(folder, archived, terminal.report);
        const { release, files, bytes, sha256 } = packed;
        const size = `${countOf(files, 'file')}, ${countOf(bytes, 'byte')}`;
        terminal.say([`${out} has release ${release}: ${size}.`, `${sha256}  ${out}`], packed);
      }),
    );
}

function logText({ release, log }: VerifyResult): string {
  if (log === null) return `Release ${release} is not signed: it has no log of releases.`;
  const { origin, entry, entries, signed, witnesses } = log;
  const by = signed ? `signed by ${origin}` : `of ${origin}; give --key to check its signature`;
  const seen = witnesses.length === 0 ? '' : `, and by ${witnesses.join(', ')} as a witness`;
  return `Release ${release} is number ${entry} of ${entries} in the log ${by}${seen}.`;
}

function againstText({ name, entries, more, less }: LogComparison): string {
  const [shorter, releases] = more.length > 0 ? ['This copy', more] : [name, less];
  if (releases.length === 0) return `${name} has the same ${countOf(entries, 'release')}.`;
  const has =
    more.length > 0
      ? `${name} has ${countOf(more.length, 'release')} more`
      : `${name} lacks ${countOf(less.length, 'release')}`;
  return `${has}: ${releases.join(', ')}. ${shorter} is older, or was rolled back; the releases in both are the same.`;
}
