/** Commands that read whole trees: `civic verify`, `civic diff` and `civic snapshot`. */
import { readFileSync } from 'node:fs';
import { Option } from 'commander';
import { countOf } from '../format/shown-text.ts';
import { differenceLines } from '../tree/tree-difference.ts';
import type { LogComparison, LogTrust } from '../tree/tree-log.ts';
import type { VerifyResult } from '../tree/verify-tree.ts';
import {
  archive,
  JSON_RESULT,
  LIMITS,
  type LimitArguments,
  publisherFolders,
  readPublicKey,
  type SiteParts,
} from './arguments.ts';
import { defineCommand, examples } from './command-run.ts';

interface VerifyArguments extends LimitArguments {
  readonly key?: string;
  readonly witness?: readonly string[];
  readonly checkpoint?: string;
  readonly against?: string;
  readonly repair?: string;
}

export const VERIFY = defineCommand<VerifyArguments>({
  name: 'verify',
  description: 'check every hash of a tree, the formats of every slice, and for missing and extra files',
  operands: [['[dir-or-file]', 'folder of the tree, or an archive of one (default: dist)']],
  options: [
    new Option(
      '--repair <dir-or-url>',
      'first take damaged and missing parts from this copy of the same release',
    ),
    ...LIMITS,
    new Option('--key <key>', "the publisher's public key, or its file: demand its signature"),
    new Option('--witness <key...>', 'public keys of witnesses: demand the signature of each'),
    new Option(
      '--checkpoint <file>',
      'the checkpoint that the witnesses signed (default: the one in the tree)',
    ),
    new Option(
      '--against <tree>',
      'another copy, as a folder, an address or an archive: list the releases in which it differs',
    ),
    JSON_RESULT,
  ],
  help: examples('verify dist', 'verify dist --repair https://data.example.org/'),
  act: async (options, terminal, { args: [folder = publisherFolders({}).out] }) => {
    const { key, witness = [], checkpoint, against = null, jobs, memory } = options;
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
    const result = await verify(folder, { jobs, memory, trust, against }, terminal.report);
    const { files, slices } = result;
    const lines = [
      `${countOf(files, 'file')} and ${countOf(slices, 'slice')} verified: every hash is right, all formats have the same rows, no file is missing or extra.`,
      logText(result),
      ...(result.against === null ? [] : [againstText(result.against)]),
    ];
    terminal.say(lines, result);
  },
});

export const DIFF = defineCommand<LimitArguments>({
  name: 'diff',
  description: 'list the changes from one tree to another: contracts, years, and rows by year and level',
  operands: [
    ['<old>', 'a tree: its folder or its address'],
    ['<new>', 'a later tree'],
  ],
  options: [...LIMITS, JSON_RESULT],
  help: examples('diff https://data.example.org/ dist'),
  act: async (options, terminal, { args: [old = '', now = ''] }) => {
    const { diff } = await import('../tree/diff-trees.ts');
    const difference = await diff(old, now, options);
    const { old: before, new: after, unchanged } = difference;
    const head = `From release ${before.release} to ${after.release}; ${unchanged} unchanged.`;
    terminal.say([head, ...differenceLines(difference, Number.POSITIVE_INFINITY)], difference);
  },
});

export const snapshotCommand = ({ openPages }: SiteParts) =>
  defineCommand<LimitArguments & { out: string; only?: string }>({
    name: 'snapshot',
    description: 'write a tree as one archive, a BagIt bag and an RO-Crate, for preservation and a DOI',
    operands: [['[dir]', 'folder of the tree (default: dist)']],
    options: [
      new Option('--out <file>', 'a .zip file').argParser(archive).makeOptionMandatory(),
      new Option('--only <glob>', 'take only these datasets, as domain/topic; * stands for any name'),
      ...LIMITS,
      JSON_RESULT,
    ],
    help: examples('snapshot dist --out release.zip'),
    act: async ({ out, only = null, ...limits }, terminal, { args: [folder = publisherFolders({}).out] }) => {
      const { snapshot } = await import('../archive/snapshot.ts');
      const packed = await snapshot(folder, { out, only, limits, openPages }, terminal.report);
      const { release, files, bytes, sha256 } = packed;
      const size = `${countOf(files, 'file')}, ${countOf(bytes, 'byte')}`;
      terminal.say([`${out} has release ${release}: ${size}.`, `${sha256}  ${out}`], packed);
    },
  });

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
