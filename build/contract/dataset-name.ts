/** Names of domains, topics, dimensions and levels: which are valid, and patterns that match datasets. */
import { createHash } from 'node:crypto';
import { GRAMMAR } from '../format/grammar.ts';
import { isName, isReservedDomain } from '../format/paths.ts';
import type { RawContract, RawObject } from './contract-profile.ts';
import { quote } from './diagnostic.ts';
import type { Problems } from './problems.ts';
import type { Path } from './yaml-document.ts';

/** Used if a contract states no domain and isn't in a folder. */
const NO_FOLDER = 'data';

/**
 * The contract's domain, otherwise the name of its folder. A name that doesn't fit into a URL is an error in
 * a contract written for this service; for other contracts it's respelled.
 */
export function readDomain(raw: RawContract, folder: string, problems: Problems): string | null {
  const { domain } = raw;
  if (domain !== undefined) return readName(domain, 'domain', ['domain'], null, problems);
  const name = folder === '' ? NO_FOLDER : nameOf(folder, 'domain');
  problems.guess(null, `the domain is ${name}${folder === '' ? '' : ' (the folder)'}`);
  return name;
}

/**
 * Reads the topic: what follows `<domain>.` in the `id` of a contract with one table, otherwise the table's name.
 */
export function readTopic(raw: RawContract, table: RawObject | null, owner: Path, problems: Problems) {
  const { domain, id, schema = [] } = raw;
  const isOwn = schema.length === 1 && domain !== undefined && id?.startsWith(`${domain}.`);
  const fromId = isOwn ? id?.slice((domain?.length ?? 0) + 1) : undefined;
  const topic = fromId ?? table?.name;
  if (topic === undefined) return null;
  const at: Path = fromId === undefined ? [...owner, 'name'] : ['id'];
  return readName(topic, 'topic', at, table?.name ?? null, problems);
}

function readName(
  text: string,
  of: 'domain' | 'topic',
  path: Path,
  table: string | null,
  problems: Problems,
): string | null {
  if (problems.native) return checkName(text, of, path, problems) ? text : null;
  const name = nameOf(text, of);
  if (name !== text) problems.guess(table, `the ${of} ${quote(text)} is published as ${name}`);
  return name;
}

/** Letters that NFKD doesn't decompose. */
const PLAIN: Readonly<Record<string, string>> = {
  ...{ ß: 'ss', æ: 'ae', œ: 'oe', ø: 'o', đ: 'd', ð: 'd', þ: 'th', ł: 'l', ı: 'i' },
};

/**
 * The closest name that fits into a URL: `Ventes d'été` becomes `ventes_d_ete`. A text without a Latin letter
 * or a digit gets a name from its hash.
 */
function nameOf(text: string, of: 'domain' | 'topic'): string {
  if (isName(text) && !isTaken(text, of)) return text;
  const plain = text
    .toLowerCase()
    .replace(/[ßæœøđðþłı]/g, letter => PLAIN[letter] ?? letter)
    .normalize('NFKD')
    .replace(/\p{M}+/gu, '')
    .replace(/[^a-z0-9_-]+/g, '_')
    .slice(0, 50)
    .replace(/^[_-]+|[_-]+$/g, '');
  const name = plain === '' ? `${of}_${createHash('sha256').update(text).digest('hex').slice(0, 8)}` : plain;
  return isTaken(name, of) ? `${name}_data` : name;
}

function isTaken(name: string, of: 'domain' | 'topic'): boolean {
  return isDevice(name) || (of === 'domain' && isReservedDomain(name));
}

type NameOf = 'domain' | 'topic' | 'dimension' | 'detail level';

/** Windows reserves these names for devices, with any extension. */
const DEVICES = /^(?:con|prn|aux|nul|com[0-9]|lpt[0-9])$/;

function isDevice(name: string): boolean {
  return DEVICES.test(name);
}

/** Whether a text fits into a URL and into a path on any disk. Reports `name-invalid` if not. */
export function checkName(name: string, of: NameOf, path: Path, problems: Problems): boolean {
  const why = unfitName(name, of);
  if (why === null) return true;
  problems.doubt(path, 'name-invalid', `${quote(name)} cannot be the name of a ${of}: ${why}`);
  return false;
}

function unfitName(name: string, of: NameOf): string | null {
  if (!isName(name))
    return 'use 1 to 63 lower-case letters, digits, _ or -, beginning with a letter or a digit';
  if (isDevice(name))
    return `Windows reserves it for a device, so no file or folder there can have that name; choose another name, such as ${name}_data`;
  return of === 'domain' && isReservedDomain(name) ? 'it is a route of the API; choose another name' : null;
}

const PARAMETERS = new Set(GRAMMAR.map(rule => rule.name));

export function isParameter(name: string): boolean {
  return PARAMETERS.has(name.toLowerCase());
}

/**
 * `glob` is a comma-separated list of patterns; null matches every dataset. `*` stops at a slash, `**`
 * doesn't.
 */
export function matchesGlob(glob: string | null, key: string): boolean {
  if (glob === null) return true;
  return glob.split(',').some(part => {
    const source = part
      .trim()
      .split(/(\*\*|\*|\?)/)
      .map(piece => {
        if (piece === '**') return '.*';
        if (piece === '*') return '[^/]*';
        if (piece === '?') return '[^/]';
        return piece.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&');
      })
      .join('');
    return new RegExp(`^${source}$`).test(key);
  });
}
