/**
 * nginx on the publisher's own server. rsync uploads a release next to the others, and renaming one link
 * switches to it. nginx's script is the same for all releases, and reads a table in each.
 */
import { UnableError } from '../failure.ts';
import { isRelease, ROOT, UNLISTED } from '../format/paths.ts';
import { digestText } from '../slice/file-digest.ts';
import { runTool, startTool } from '../tool.ts';
import type { Destination, LocalTree, ReleaseHost } from './deployment.ts';
import { generic } from './generic.ts';
import type { HostProfile } from './host-profile.ts';

export const nginx = {
  ...generic,
  name: 'nginx',
  beneathPath: false,
  treeFiles: async input => [await input.edges.nginxTable(input.documents)],
  folderFiles: ({ edges }) => edges.nginx(),
} as const satisfies HostProfile;

type Server = Extract<Destination, { kind: 'server' }>;

/** `ssh`: the command, with its options, that reaches another machine. */
export function createServerHost({ login, folder }: Server, ssh: string): ReleaseHost {
  /**
   * The command that runs a script on the server. parseDestination and isRelease let only plain arguments
   * through.
   */
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
        `Another deployment to ${login === null ? '' : `${login}:`}${folder} is running. Nothing was switched. Deploy again once it has ended.`,
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
      const digest = digestText(tree.checksums);
      await shell(FINISH, tree.release, ROOT.checksums, digest);
      return readStatistics(output, tree);
    },
    prove: release => shell(PROVE, `releases/${release}`, ROOT.checksums),
    switchTo: release => shell(SWITCH, release),
    remove: release => shell(REMOVE, release),
  };
}

/**
 * rsync compares contents, because two releases of one day have files of the same length and time. A file
 * that the release before has too becomes a hard link.
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

/**
 * Scripts for any POSIX shell. `$1` is the folder of the releases, `$2` a release. This one prints the
 * release that is online, then all complete releases, newest first.
 */
const LIST = `
cd "$1" 2>/dev/null || exit 0
link=$(readlink current 2>/dev/null || :)
echo "\${link#releases/}"
[ ! -d releases ] || ls -1t releases | while read -r release; do
  [ ! -f "releases/$release/SHA256SUMS" ] || echo "$release"
done
`;

/** Prints a file of a release; nothing if it is missing. */
const READ = `
cat "$1/releases/$2/$3" 2>/dev/null || :
`;

/**
 * Holds the folder for one deployment until standard input ends, which it does however the deployment ends.
 * Prints whether it holds it; `unheld` on a system without flock.
 */
const HOLD = `set -eu
mkdir -p "$1"
command -v flock >/dev/null || { echo unheld; exit 0; }
exec 9>>"$1/.deploying"
flock -n 9 || { echo busy; exit 0; }
echo held
cat >/dev/null
`;

const PROVING = `
if command -v sha256sum >/dev/null; then sum=sha256sum; else sum='shasum -a 256'; fi
prove() {
  wrong=$(cd "$1" && $sum -c "$2" 2>&1 | grep -v ': OK$' | head -n 5 || :)
  [ -f "$1/$2" ] && [ -z "$wrong" ] || { printf 'The release differs from its checksums:\\n%s\\n' "$wrong" >&2; exit 1; }
}
`;

/** Flushes to the disk, so that a power cut loses nothing. `-f` exists in GNU and busybox. */
const DURABLE = `
durable() {
  sync -f "$1" 2>/dev/null || sync
}
`;

/** Reads every byte of a folder (`$2`) and compares it with its checksums (`$3`). */
const PROVE = `set -eu
${PROVING}
cd "$1"
prove "$2" "$3"
`;

/**
 * Verifies what has arrived before giving it the release's name. `$4` is the hash of the checksums, because a
 * build may have switched the local tree meanwhile.
 */
const FINISH = `set -eu
${PROVING}
${DURABLE}
cd "$1/releases"
echo "$4  $3" >".$2.sum"
(cd ".$2.part" && $sum -c "../.$2.sum" >/dev/null 2>&1) || { echo "Another tree arrived than the one that was read." >&2; rm ".$2.sum"; exit 1; }
rm ".$2.sum"
prove ".$2.part" "$3"
durable ".$2.part"
# A damaged release of that name makes room.
[ ! -e "$2" ] || mv "$2" ".$2.$$.gone"
mv ".$2.part" "$2"
touch "$2"
durable .
rm -rf .*.gone
`;

/** Renames one link. `-T` (GNU, busybox) and `-h` (BSD, macOS) keep mv from following the old link. */
const SWITCH = `set -eu
${DURABLE}
cd "$1"
[ -L current ] || [ ! -e current ] || { echo "$1/current is not a link. Move it away, then deploy again." >&2; exit 1; }
[ -f "releases/$2/SHA256SUMS" ] || { echo "Release $2 is not there any more." >&2; exit 1; }
ln -s "releases/$2" ".current.$$"
mv -fT ".current.$$" current 2>/dev/null || mv -fh ".current.$$" current
durable .
`;

/** Removes a release that isn't online, and leftovers of deployments abandoned days ago. */
const REMOVE = `set -eu
cd "$1"
[ "$(readlink current)" != "releases/$2" ] || { echo "Release $2 is online." >&2; exit 1; }
cd releases
mv "$2" ".$2.$$.gone"
rm -rf .*.gone
find . -maxdepth 1 -name '.*.part' -mtime +2 -exec rm -rf {} +
`;
