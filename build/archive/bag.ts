/** The files that make a folder a BagIt bag (RFC 8493). Pure. */

export const BAG = {
  declaration: 'bagit.txt',
  info: 'bag-info.txt',
  manifest: 'manifest-sha512.txt',
  tagManifest: 'tagmanifest-sha512.txt',
  payload: 'data/',
  /** Text for people. BagIt allows additional files. */
  readme: 'README.txt',
  format: 'FORMAT.md',
} as const;

export const DECLARATION = 'BagIt-Version: 1.0\nTag-File-Character-Encoding: UTF-8\n';

/** Writes `Label: value` lines, each value on one line; omits null values. */
export function bagInfoText(fields: readonly (readonly [label: string, value: string | null])[]): string {
  return fields
    .flatMap(([label, value]) => (value === null ? [] : [`${label}: ${value.replace(/\s+/g, ' ').trim()}\n`]))
    .join('');
}

/** Returns values by label; the first one if a label repeats. */
export function parseBagInfo(text: string): ReadonlyMap<string, string> {
  const fields = new Map<string, string>();
  for (const line of text.replace(/\r?\n[ \t]+/g, ' ').split(/\r?\n/)) {
    const match = /^([^:\s][^:]*):\s*(.*)$/.exec(line);
    if (match?.[1] !== undefined && !fields.has(match[1])) fields.set(match[1], match[2] ?? '');
  }
  return fields;
}

/** Writes `hash  path` lines, sorted by path, and escapes line ends and percent signs as the RFC requires. */
export function manifestText(hashes: ReadonlyMap<string, string>): string {
  return [...hashes]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([path, sha512]) => `${sha512}  ${path.replace(/[%\r\n]/g, escapeCharacter)}\n`)
    .join('');
}

function escapeCharacter(character: string): string {
  return `%${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(2, '0')}`;
}

export interface BagManifest {
  readonly hashes: ReadonlyMap<string, string>;
  /** Numbers of invalid lines, counted from 1. */
  readonly wrong: readonly number[];
}

export function parseBagManifest(text: string): BagManifest {
  const hashes = new Map<string, string>();
  const wrong: number[] = [];
  const lines = text.split('\n');
  if (lines.pop() !== '') wrong.push(lines.length + 1);
  for (const [i, line] of lines.entries()) {
    const match = /^([0-9a-f]{128})[ \t]+\*?(.+?)\r?$/.exec(line);
    const path = match?.[2]?.replace(/%(25|0A|0D)/gi, (_, code) =>
      String.fromCharCode(Number.parseInt(code, 16)),
    );
    if (match?.[1] === undefined || path === undefined || hashes.has(path)) wrong.push(i + 1);
    else hashes.set(path, match[1]);
  }
  return { hashes, wrong };
}
