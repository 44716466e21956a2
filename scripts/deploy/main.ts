/** `npm run deploy`: uploads a release to a host next to the others, and switches to it by one write. */
import { readFile } from 'node:fs/promises';
import { Command, InvalidArgumentError, Option } from 'commander';
import { Terminal } from '../../build/cli/terminal.ts';
import { EXIT, NOTHING_PUBLISHED, RefusedError, UnableError } from '../../build/failure.ts';
import { isRelease } from '../../build/format/paths.ts';
import { createBucketHost } from './bucket.ts';
import { expectFunction } from './cloudfront.ts';
import { type Deployed, deployTree, rollBack } from './deployment.ts';
import { type Destination, parseDestination } from './destination.ts';
import { readLocalTree } from './local-tree.ts';
import type { ReleaseHost, Tell } from './release-host.ts';
import { createServerHost } from './server.ts';

interface Options {
  readonly keep?: number;
  readonly rollback?: string;
  readonly list?: true;
  readonly endpointUrl?: string;
  readonly function?: string;
  readonly functionCode?: string;
  readonly functionStore?: string;
  readonly ssh: string;
}

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
  $ npm run deploy -- dist deploy@data.example.org:/srv/civic
  $ npm run deploy -- dist s3://data.example.org --function civic --function-code function.js
  $ npm run deploy -- --rollback 2026-11-21-3f9a2b7c s3://data.example.org
  $ npm run deploy -- --list s3://data.example.org`;

function positive(text: string): number {
  if (!/^[1-9]\d{0,4}$/.test(text)) throw new InvalidArgumentError('Give a whole number from 1 up.');
  return Number(text);
}

function storeName(text: string): string {
  if (!/^arn:aws[a-z-]*:cloudfront::\d{12}:key-value-store\/[\w-]+$/.test(text))
    throw new InvalidArgumentError('Give the ARN of a key value store.');
  return text;
}

function release(text: string): string {
  if (!isRelease(text)) throw new InvalidArgumentError('Give a release such as 2026-11-21-3f9a2b7c.');
  return text;
}

function destination(text: string): Destination {
  const found = parseDestination(text);
  if (found) return found;
  throw new InvalidArgumentError('Give s3://bucket/prefix, user@host:/folder, or a folder.');
}

async function main(names: readonly string[], options: Options, command: Command): Promise<void> {
  const [last = ''] = names.slice(-1);
  const without = options.rollback !== undefined || options.list === true;
  if (names.length !== (without ? 1 : 2))
    command.error(without ? 'Give the destination only.' : 'Give a tree and a destination.');
  let place: Destination;
  try {
    place = destination(last);
  } catch (error) {
    return command.error(error instanceof Error ? error.message : String(error));
  }
  const tell: Tell = text => console.error(text);
  const host = await openHost(place, options, tell);
  if (options.list) {
    const current = await host.readCurrent();
    for (const one of await host.list()) console.log(one === current ? `${one}  online` : one);
  } else if (options.rollback !== undefined) {
    report(await rollBack(host, options.rollback));
  } else {
    const tree = await readLocalTree(names[0] ?? '');
    report(await deployTree(host, tree, options.keep ?? null, tell));
  }
}

async function openHost(place: Destination, options: Options, tell: Tell): Promise<ReleaseHost> {
  switch (place.kind) {
    case 'server':
      return createServerHost(place, options.ssh);
    case 'bucket': {
      const { function: name, functionCode: file, functionStore: store = null } = options;
      const code = file === undefined ? null : await readFile(file, 'utf8');
      if (code !== null) expectFunction(code);
      const cloudfront = name === undefined ? null : { name, code, store };
      return createBucketHost(place, { endpoint: options.endpointUrl ?? null, cloudfront, tell });
    }
    default:
      return place satisfies never;
  }
}

function report({ release: online, before, uploaded, removed }: Deployed): void {
  if (uploaded) {
    const { sent, bytes, kept } = uploaded;
    console.log(`${sent} files sent (${bytes} bytes), ${kept} unchanged.`);
  }
  if (removed.length > 0) console.log(`Removed ${removed.join(', ')}.`);
  const was = before === null || before === online ? '' : ` It replaces ${before}.`;
  console.log(`Release ${online} is online.${was}`);
}

const program = new Command('npm run deploy --')
  .description('Uploads a release to a host, next to the others, and switches to it by one write.')
  .argument('[tree-and-destination...]', 'folder of the tree, and its destination')
  .addOption(
    new Option('--keep <n>', 'remove all releases but the last n (default: keep all)').argParser(positive),
  )
  .addOption(
    new Option('--rollback <release>', 'switch back to a release that the host has').argParser(release),
  )
  .option('--list', 'list the releases on the host, the newest first')
  .option('--endpoint-url <url>', 'an S3-compatible server, such as R2')
  .option('--function <name>', 'CloudFront function that sends requests to the release')
  .option('--function-code <file>', 'its JavaScript for this tree (default: the copy in the bucket)')
  .addOption(
    new Option(
      '--function-store <arn>',
      'key value store that the function reads (default: its present one)',
    ).argParser(storeName),
  )
  .addOption(new Option('--ssh <command>', 'command that reaches another machine').default('ssh'))
  .exitOverride(error => {
    process.exit(error.exitCode === 0 ? EXIT.done : EXIT.usage);
  })
  .addHelpText('after', HELP);

try {
  program.parse();
  await main(program.args, program.opts<Options>(), program);
} catch (error) {
  const terminal = new Terminal(false);
  if (error instanceof RefusedError) {
    terminal.refused(error, NOTHING_PUBLISHED);
    process.exitCode = EXIT.refused;
  } else {
    const message = error instanceof Error ? error.message : String(error);
    terminal.unable(error instanceof UnableError ? error : new UnableError('unexpected', message));
    process.exitCode = EXIT.unable;
  }
}
