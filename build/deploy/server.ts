/** The publisher's own server: rsync uploads a release next to the others, and renaming one link switches to it. */
import { isRelease, ROOT, UNLISTED } from '../format/paths.ts';
import type { Destination } from './destination.ts';
import type { LocalTree } from './local-tree.ts';
import type { ReleaseHost } from './release-host.ts';
import { FINISH, LIST, PROVE, READ, REMOVE, SWITCH } from './server-shell.ts';
import { runTool } from './tool.ts';

type Server = Extract<Destination, { kind: 'server' }>;

/** `ssh`: the command, with its options, that reaches another machine. */
export function createServerHost({ login, folder }: Server, ssh: string): ReleaseHost {
  /** destination.ts and isRelease let only plain arguments through. */
  const shell = (script: string, ...args: readonly string[]): Promise<string> => {
    const command = ['sh', '-s', '--', folder, ...args];
    const [program = '', ...options] = ssh.split(' ').filter(Boolean);
    return login === null
      ? runTool('sh', command.slice(1), { input: script })
      : runTool(program, [...options, login, ...command], { input: script });
  };
  const list = async (): Promise<{ current: string | null; releases: string[] }> => {
    const [current = '', ...releases] = (await shell(LIST)).trimEnd().split('\n');
    return { current: isRelease(current) ? current : null, releases: releases.filter(isRelease) };
  };
  return {
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
      await shell(FINISH, tree.release, ROOT.checksums);
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
