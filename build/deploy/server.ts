/** The publisher's own server: rsync uploads a release next to the others, and renaming one link switches to it. */
import { createHash } from 'node:crypto';
import { UnableError } from '../failure.ts';
import { isRelease, ROOT, UNLISTED } from '../format/paths.ts';
import type { ReleaseHost } from './deployment.ts';
import type { Destination } from './destination.ts';
import type { LocalTree } from './local-tree.ts';
import { FINISH, HOLD, LIST, PROVE, READ, REMOVE, SWITCH } from './server-shell.ts';
import { runTool, startTool } from './tool.ts';

type Server = Extract<Destination, { kind: 'server' }>;

/** `ssh`: the command, with its options, that reaches another machine. */
export function createServerHost({ login, folder }: Server, ssh: string): ReleaseHost {
  /** A program that runs a script there. destination.ts and isRelease let only plain arguments through. */
  const shellAt = (...args: readonly string[]): readonly [string, readonly string[]] => {
    const command = ['sh', '-s', '--', folder, ...args];
    const [program = '', ...options] = ssh.split(' ').filter(Boolean);
    return login === null ? ['sh', command.slice(1)] : [program, [...options, login, ...command]];
  };
  const shell = (script: string, ...args: readonly string[]) =>
    runTool(...shellAt(...args), { input: script });
  const list = async (): Promise<{ current: string | null; releases: string[] }> => {
    const [current = '', ...releases] = (await shell(LIST)).trimEnd().split('\n');
    return { current: isRelease(current) ? current : null, releases: releases.filter(isRelease) };
  };
  return {
    async claim() {
      const { line, isOver, end } = await startTool(...shellAt(), { input: HOLD });
      if (line !== 'busy')
        return {
          expectHeld() {
            if (line === 'held' && isOver())
              throw new UnableError(
                'connection-lost',
                `The connection that held ${folder} for this deployment broke. Nothing was switched. Deploy again to continue.`,
              );
          },
          release: end,
        };
      await end();
      throw new UnableError(
        'destination-busy',
        `Another deployment to ${login === null ? '' : `${login}:`}${folder} is at work. Nothing was switched. Deploy again once it has ended.`,
      );
    },
    list: async () => (await list()).releases,
    readCurrent: async () => (await list()).current,
    async readChecksums(release) {
      const text = await shell(READ, release, ROOT.checksums);
      return text === '' ? null : text;
    },
    async upload(tree, from) {
      await shell('mkdir -p "$1/releases"\n');
      const part = `releases/.${tree.release}.part`;
      const target = `${login === null ? '' : `${login}:`}${folder}/${part}/`;
      const args = [...RSYNC, ...(login === null ? [] : ['-e', ssh])];
      if (from !== null) args.push(`--link-dest=../${from}`);
      const output = await runTool('rsync', [...args, `${tree.folder}/`, target], {
        environment: { LC_ALL: 'C' },
      });
      const digest = createHash('sha256').update(tree.checksums).digest('hex');
      await shell(FINISH, tree.release, ROOT.checksums, digest);
      return readStatistics(output, tree);
    },
    prove: async release => {
      await shell(PROVE, `releases/${release}`, ROOT.checksums);
    },
    switchTo: async release => {
      await shell(SWITCH, release);
    },
    remove: async release => {
      await shell(REMOVE, release);
    },
  };
}

/**
 * rsync compares contents, since two releases of one day have files of the same length and time. A file that the
 * release before has too becomes a second name of the same file.
 */
const RSYNC = [
  ...['--recursive', '--times', '--omit-dir-times', '--perms', '--chmod=D755,F644'],
  ...['--checksum', '--delete', '--stats', '--no-human-readable'],
  ...Object.values(UNLISTED).map(file => `--exclude=/${file}`),
];

function readStatistics(output: string, tree: LocalTree) {
  const number = (name: string) =>
    Number(new RegExp(`${name}: ([\\d,]+)`).exec(output)?.[1]?.replaceAll(',', ''));
  const sent = number('Number of regular files transferred');
  return {
    sent: Math.max(0, sent - 1),
    bytes: number('Total transferred file size') - tree.checksums.length,
    kept: tree.files.size + 1 - sent,
  };
}
