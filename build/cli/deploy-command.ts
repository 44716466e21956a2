/** `civic deploy`: uploads a release to a host, next to the others, and switches to it with one write. */
import { readFile } from 'node:fs/promises';
import { Option } from 'commander';
import { NOTHING_PUBLISHED } from '../failure.ts';
import { isRelease } from '../format/paths.ts';
import { type Deployed, type Destination, parseDestination, type ReleaseHost } from '../hosts/deployment.ts';
import { checkedText, integer, JSON_RESULT, type Shared } from './arguments.ts';
import { defineCommand } from './command-run.ts';
import type { Terminal } from './terminal.ts';

interface Options extends Shared {
  readonly keep?: number;
  readonly rollback?: string;
  readonly list?: true;
  readonly endpointUrl?: string;
  readonly function?: string;
  readonly functionCode?: string;
  readonly functionStore?: string;
  readonly ssh: string;
}

const storeName = checkedText(
  text => /^arn:aws[a-z-]*:cloudfront::\d{12}:key-value-store\/[\w-]+$/.test(text),
  'Give the ARN of a key value store.',
);
const release = checkedText(isRelease, 'Give a release such as 2026-11-21-3f9a2b7c.');

const HELP = `
Destinations:
  s3://bucket/prefix      S3, or a compatible server with --endpoint-url; needs aws
  user@host:/folder       your own server; needs rsync and ssh
  folder                  this machine; needs rsync

Exit codes:
  0  the release is online
  1  the tree is damaged, or the host has another release of that name; nothing was switched
  2  the command line is wrong
  3  the deployment stopped; the release that was online still is, and the same command continues

Examples:
  $ civic deploy dist deploy@data.example.org:/srv/civic
  $ civic deploy dist s3://data.example.org --function civic --function-code function.js
  $ civic deploy --rollback 2026-11-21-3f9a2b7c s3://data.example.org
  $ civic deploy --list s3://data.example.org`;

export const DEPLOY = defineCommand<Options>({
  name: 'deploy',
  description: 'upload a release to a host, next to the others, and switch to it',
  operands: [['[tree-and-destination...]', 'folder of the tree, and its destination']],
  options: [
    new Option('--keep <n>', 'remove all releases but the last n (default: keep all)').argParser(
      integer(1, 99_999),
    ),
    new Option('--rollback <release>', 'switch back to a release that the host has').argParser(release),
    new Option('--list', 'list the releases on the host, the newest first'),
    new Option('--endpoint-url <url>', 'an S3-compatible server, such as R2'),
    new Option('--function <name>', 'CloudFront function that sends requests to the release'),
    new Option('--function-code <file>', 'its JavaScript for this tree (default: the copy in the bucket)'),
    new Option(
      '--function-store <arn>',
      'key value store that the function reads (default: its present one)',
    ).argParser(storeName),
    new Option('--ssh <command>', 'command that reaches another machine').default('ssh'),
    JSON_RESULT,
  ],
  help: HELP,
  consequence: NOTHING_PUBLISHED,
  act: async (options, terminal, command) => {
    const names = command.args;
    const without = options.rollback !== undefined || options.list === true;
    if (names.length !== (without ? 1 : 2))
      command.error(`error: ${without ? 'give the destination only' : 'give a tree and a destination'}`);
    const place = parseDestination(names.at(-1) ?? '');
    if (place === null)
      return command.error('error: give s3://bucket/prefix, user@host:/folder, or a folder');
    await deploy(names[0] ?? '', place, options, terminal);
  },
});

async function deploy(
  folder: string,
  place: Destination,
  options: Options,
  terminal: Terminal,
): Promise<void> {
  const { deployTree, readLocalTree, rollBack } = await import('../hosts/deployment.ts');
  const tell = (text: string) => terminal.report({ kind: 'note', text });
  const host = await openHost(place, options, tell);
  if (options.list) {
    const current = await host.readCurrent();
    const releases = await host.list();
    const lines = releases.map(name => (name === current ? `${name}  online` : name));
    return terminal.say(lines, { releases, current });
  }
  if (options.rollback !== undefined) return sayDeployed(terminal, await rollBack(host, options.rollback));
  const tree = await readLocalTree(folder);
  sayDeployed(terminal, await deployTree(host, tree, options.keep ?? null, tell));
}

function sayDeployed(terminal: Terminal, deployed: Deployed): void {
  const { release, before, uploaded, removed } = deployed;
  const replaced = before === null || before === release ? '' : ` It replaces ${before}.`;
  const lines = [
    ...(uploaded
      ? [`${uploaded.sent} files sent (${uploaded.bytes} bytes), ${uploaded.kept} unchanged.`]
      : []),
    ...(removed.length > 0 ? [`Removed ${removed.join(', ')}.`] : []),
    `Release ${release} is online.${replaced}`,
  ];
  terminal.say(lines, { ...deployed, notes: terminal.notes });
}

async function openHost(
  place: Destination,
  options: Options,
  tell: (text: string) => void,
): Promise<ReleaseHost> {
  switch (place.kind) {
    case 'server': {
      const { createServerHost } = await import('../hosts/nginx.ts');
      return createServerHost(place, options.ssh);
    }
    case 'bucket': {
      const { createBucketHost } = await import('../hosts/bucket.ts');
      const { openFunction } = await import('../hosts/s3-cloudfront.ts');
      const { function: name, functionCode: file, functionStore: store = null } = options;
      const code = file === undefined ? null : await readFile(file, 'utf8');
      const front = name === undefined ? null : openFunction({ name, code, store });
      return createBucketHost(place, { endpoint: options.endpointUrl ?? null, front, tell });
    }
    default:
      return place satisfies never;
  }
}
