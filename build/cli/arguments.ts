/** Options that several commands share, and how they are read: numbers, folders, keys. */

import { existsSync, readFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { InvalidArgumentError, Option } from 'commander';
import { parseDocument } from 'yaml';
import type { PageMaker } from '../documents/pages.ts';
import { UnableError } from '../failure.ts';
import type { KeyKind, PublicKey } from '../format/signed-log.ts';
import { isDate } from '../format/time-text.ts';
import type { Edges } from '../hosts/host-profile.ts';
import { HOST_NAMES, parseBasePath } from '../hosts/hosts.ts';
import { parsePublicKey, parseSigningKey, type SigningKey } from '../log/signed-note.ts';
import type { ShardNumber } from '../pipeline/shard.ts';
import { reasonOf } from '../system-error.ts';

export interface Shared {
  readonly json?: true;
  /** The memory limit of DuckDB or of decoded columns. */
  readonly memory?: string;
}

/** The parts of a tree that site/ renders. Only program.ts may import site/, so it passes them to the commands. */
export interface SiteParts {
  readonly openPages: () => Promise<PageMaker>;
  readonly edges: Edges;
}

export function integer(low: number, high: number) {
  return (text: string): number => {
    const value = Number(text);
    if (!Number.isInteger(value) || value < low || value > high) {
      throw new InvalidArgumentError(`Give a whole number from ${low} to ${high}.`);
    }
    return value;
  };
}

/** Takes only texts that pass a test. */
export function checkedText(isRight: (text: string) => boolean, message: string) {
  return (text: string): string => {
    if (isRight(text)) return text;
    throw new InvalidArgumentError(message);
  };
}

export const size = checkedText(
  text => /^\d+(MB|GB|MiB|GiB)$/.test(text),
  'Give a size such as 800MB or 2GiB.',
);

/** Parses `20GB`. */
export function sizeInBytes(text: string): number {
  const [, count, unit = ''] = /^(\d+)(MB|GB|MiB|GiB)$/.exec(size(text)) ?? [];
  const bytes = { MB: 1e6, GB: 1e9, MiB: 2 ** 20, GiB: 2 ** 30 }[unit] ?? 1;
  return Number(count) * bytes;
}

function address(text: string): string {
  if (!/^https?:\/\/[^?#@\s\\]+$/.test(text) || !URL.canParse(text))
    throw new InvalidArgumentError('Give an address such as https://data.example.org/.');
  const { href } = new URL(text);
  return href.endsWith('/') ? href : `${href}/`;
}

function pathBeneath(text: string): string {
  const path = parseBasePath(text);
  if (path === null) throw new InvalidArgumentError('Give a path such as /repository/.');
  return path;
}

export const date = checkedText(isDate, 'Give a day of the calendar as YYYY-MM-DD.');

/** Variables of schedulers: the index of a machine, from 0, and the number of machines. The first one that is set counts. */
const SCHEDULERS = [
  ['CIVIC_SHARD_INDEX', 'CIVIC_SHARD_TOTAL'],
  ['AWS_BATCH_JOB_ARRAY_INDEX', 'AWS_BATCH_JOB_ARRAY_SIZE'],
  ['JOB_COMPLETION_INDEX', 'CIVIC_SHARD_TOTAL'],
  ['SLURM_ARRAY_TASK_ID', 'SLURM_ARRAY_TASK_COUNT'],
] as const;

/** Parses `3/8`, or `auto`, which takes both numbers from a scheduler's variables. */
export function shard(text: string): ShardNumber {
  if (text === 'auto') return findShard(process.env);
  const [, number = 0, of = 0] = (/^(\d{1,4})\/(\d{1,4})$/.exec(text) ?? []).map(Number);
  if (number >= 1 && number <= of) return { number, of };
  throw new InvalidArgumentError('Give the number of the shard and of all shards, such as 3/8, or auto.');
}

export function findShard(environment: NodeJS.ProcessEnv): ShardNumber {
  const names = SCHEDULERS.find(([index]) => environment[index]);
  if (names === undefined) {
    const all = SCHEDULERS.map(([index, total]) => `${index} and ${total}`).join(', or ');
    throw new InvalidArgumentError(`No scheduler has set its variables. Set ${all}.`);
  }
  const [index, total] = names;
  if (!environment[total]) throw new InvalidArgumentError(`${index} is set and ${total} is not. Set both.`);
  const [at = Number.NaN, of = Number.NaN] = names.map(name =>
    /^\d{1,4}$/.test(environment[name] ?? '') ? Number(environment[name]) : Number.NaN,
  );
  if (at < of) return { number: at + 1, of };
  const [first, second] = names.map(name => `${name} is "${environment[name]}"`);
  throw new InvalidArgumentError(
    `${first} and ${second}. The index counts from 0 and must be less than the total.`,
  );
}

export const archive = checkedText(text => /\.zip$/i.test(text), 'Give a name that ends in .zip.');

/** Every user of a machine can read a command line, so a private key is never an argument. */
export const SIGNING_KEY = 'CIVIC_SIGNING_KEY';

export const CONTRACTS = new Option('--contracts <dir>', 'folder of the contracts (default: contracts)');
export const FOLDERS = [
  CONTRACTS,
  new Option('--data <dir>', 'folder of the lake, or s3://bucket/folder (default: data/lake, else data)'),
];
export const LISTENING = [
  new Option('--port <n>', 'port to listen on; 0 takes a free one')
    .env('PORT')
    .default(8080)
    .argParser(integer(0, 65535)),
  new Option('--listen <address>', 'address to listen at').default('127.0.0.1'),
];
export const LIMITS = [
  new Option('--jobs <n>', 'slices to process at once')
    .default(Math.min(8, os.availableParallelism()), 'the number of cores, at most 8')
    .argParser(integer(1, 256)),
  new Option('--memory <size>', 'memory limit of DuckDB, which uses the disk beyond it')
    .default('512MB')
    .argParser(size),
];
export const LAKE_LIMITS = [
  new Option('--rule-seconds <n>', "seconds that a contract's own query may take")
    .default(60)
    .argParser(integer(1, 86_400)),
  new Option('--max-rows <n>', 'rows that one file of the lake may have')
    .default(100_000_000)
    .argParser(integer(1, Number.MAX_SAFE_INTEGER)),
];
export const STRICT = new Option('--strict', 'warnings are errors').default(false);
export const JSON_RESULT = new Option('--json', 'print one JSON object');
export const BASE_URL = new Option(
  '--base-url <url>',
  'address where the tree will be served, for documents such as croissant.json and sitemap.xml',
).argParser(address);
export const HOST = new Option(
  '--host <name>',
  'write the files that this host needs, within its limits',
).choices(HOST_NAMES);
export const BASE_PATH = new Option(
  '--base-path <path>',
  'path of the tree on its host, such as /repository/',
).argParser(pathBeneath);
export const SIGNING = new Option(
  '--signing-key <file>',
  `file of the private key that signs the log of releases (default: the variable ${SIGNING_KEY})`,
);

export interface LimitArguments extends Shared {
  readonly jobs: number;
  readonly memory: string;
}

export interface LakeArguments {
  readonly ruleSeconds: number;
  readonly maxRows: number;
}

/** The private key in a file, else in the environment; null if neither has one. No message quotes it. */
export function readSigningKey(file: string | undefined): SigningKey | null {
  const text = file === undefined ? process.env[SIGNING_KEY] : textOf(file);
  if (text === undefined || text === '') return null;
  const key = parseSigningKey(text);
  if (key !== null) return key;
  const where = file ?? `The variable ${SIGNING_KEY}`;
  throw new UnableError(
    'key-invalid',
    `${where} has no private key. Make one with civic keygen, and copy the whole line.`,
  );
}

/** `argument`: a public key or the name of its file. */
export function readPublicKey(argument: string, kind: KeyKind): PublicKey {
  const key = parsePublicKey(/\+[0-9a-f]{8}\+/.test(argument) ? argument : textOf(argument));
  if (key?.kind === 'witness' && kind === 'signer')
    throw new UnableError(
      'key-invalid',
      `${argument} is the key of a witness. Give the publisher's, or name this one with --witness.`,
    );
  // Older programs wrote a witness's key like a publisher's.
  if (key !== null) return { ...key, kind };
  throw new UnableError(
    'key-invalid',
    `${argument} is not a public key. Give the key as civic keygen prints it (name+id+base64), or its file.`,
  );
}

function textOf(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    throw new UnableError('key-invalid', `${file} cannot be read. Name a file with a key.`);
  }
}

export interface PublisherFolders {
  readonly contracts: string;
  /** A folder, or `s3://bucket/prefix`. */
  readonly data: string;
  readonly out: string;
}

const FILE = 'civic.yaml';

/** What the command line says, else civic.yaml, else the usual names. Throws UnableError if civic.yaml is wrong. */
export function publisherFolders(given: Partial<PublisherFolders>): PublisherFolders {
  const stated = readStated(FILE);
  const data = existsSync(path.join('data', 'lake')) ? 'data/lake' : 'data';
  return {
    contracts: given.contracts ?? stated.contracts ?? 'contracts',
    data: given.data ?? stated.data ?? data,
    out: given.out ?? stated.out ?? 'dist',
  };
}

function readStated(file: string): Partial<PublisherFolders> {
  if (!existsSync(file)) return {};
  let text: string;
  try {
    text = readFileSync(file, 'utf8');
  } catch (error) {
    throw new UnableError('civic-yaml', `${file} cannot be read: ${reasonOf(error)}.`);
  }
  const document = parseDocument(text);
  const [problem] = document.errors;
  if (problem !== undefined)
    throw new UnableError('civic-yaml', `${file} is not valid YAML: ${problem.message.split('\n')[0]}`);
  const value: unknown = document.toJS({ maxAliasCount: 0 }) ?? {};
  const names = ['contracts', 'data', 'out'];
  const isRight =
    typeof value === 'object' &&
    value !== null &&
    !Array.isArray(value) &&
    Object.entries(value).every(([key, one]) => names.includes(key) && typeof one === 'string' && one !== '');
  if (!isRight)
    throw new UnableError(
      'civic-yaml',
      `${file} may state contracts, data and out, each as the name of a folder.`,
    );
  return value as Partial<PublisherFolders>;
}
