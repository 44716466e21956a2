/** Options that several commands share, and parsers of their arguments. */
import os from 'node:os';
import { InvalidArgumentError, Option } from 'commander';
import type { PageMaker } from '../documents/pages.ts';
import { isDate } from '../format/time-text.ts';
import type { Edges, HostTarget } from '../hosts/host-profile.ts';
import { HOST_NAMES, type HostName, hostTarget, parseBasePath } from '../hosts/hosts.ts';
import type { SigningKey } from '../log/log-key.ts';
import { findShard, parseShard, type ShardNumber } from '../pipeline/shard-number.ts';
import { readSigningKey, SIGNING_KEY } from './log-keys.ts';
import type { Terminal } from './terminal.ts';

export interface Shared {
  readonly json?: true;
  /** The memory limit of DuckDB, or of decoded columns, for commands that take one. */
  readonly memory?: string;
}

/** Runs a command, and turns errors into messages and an exit code. `consequence` ends the message of a refusal. */
export type Run = (
  options: Shared,
  action: (terminal: Terminal) => Promise<void>,
  consequence?: string,
) => Promise<void>;

/** The parts of a tree that site/ renders. Only program.ts may import site/, so it hands them to the commands. */
export interface SiteParts {
  /** Loads the renderer of people's pages. */
  readonly openPages: () => Promise<PageMaker>;
  /** Renders the edges of the hosts that have one. */
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

export function size(text: string): string {
  if (!/^\d+(MB|GB|MiB|GiB)$/.test(text))
    throw new InvalidArgumentError('Give a size such as 800MB or 2GiB.');
  return text;
}

/** `20GB`, in bytes. */
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

export function date(text: string): string {
  if (!isDate(text)) throw new InvalidArgumentError('Give a day of the calendar as YYYY-MM-DD.');
  return text;
}

/** Reads `3/8`, or `auto`. */
export function shard(text: string): ShardNumber {
  const found = text === 'auto' ? findShard(process.env) : parseShard(text);
  if ('problem' in found) throw new InvalidArgumentError(found.problem);
  return found;
}

export function archive(text: string): string {
  if (!/\.zip$/i.test(text)) throw new InvalidArgumentError('Give a name that ends in .zip.');
  return text;
}

export const BASE_URL = new Option(
  '--base-url <url>',
  'address where the tree will be served, for documents that other programs read by address, such as croissant.json and sitemap.xml',
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
export const PORT = new Option('--port <n>', 'port to listen on; 0 takes a free one')
  .env('PORT')
  .default(8080)
  .argParser(integer(0, 65535));
export const JOBS = new Option('--jobs <n>', 'slices to process at once')
  .default(Math.min(8, os.availableParallelism()), 'the number of cores, at most 8')
  .argParser(integer(1, 256));
export const MEMORY = new Option('--memory <size>', 'memory limit of DuckDB, which uses the disk beyond it')
  .default('512MB')
  .argParser(size);

export const RULE_SECONDS = new Option('--rule-seconds <n>', "seconds that a contract's own query may take")
  .default(60)
  .argParser(integer(1, 86_400));
export const MAX_ROWS = new Option('--max-rows <n>', 'rows that one file of the lake may have')
  .default(100_000_000)
  .argParser(integer(1, Number.MAX_SAFE_INTEGER));

export interface LimitArguments extends Shared {
  readonly jobs: number;
  readonly memory: string;
}

/** Of commands that read a lake. */
export interface LakeArguments {
  readonly ruleSeconds: number;
  readonly maxRows: number;
}

/** Of commands that write a tree. */
export interface TreeArguments extends LimitArguments {
  readonly out: string;
  readonly previous?: string;
  readonly baseUrl?: string;
  readonly host?: HostName;
  readonly basePath?: string;
  readonly signingKey?: string;
}

/** The options of a build, from the arguments. */
export function treeOptions(options: TreeArguments, edges: Edges): TreeOptions {
  const { out, jobs, memory, host, basePath, baseUrl } = options;
  return {
    out,
    jobs,
    memory,
    previous: options.previous ?? null,
    baseUrl: baseUrl ?? null,
    host: hostTarget(host, basePath, baseUrl, edges),
    signingKey: readSigningKey(options.signingKey),
  };
}

interface TreeOptions {
  readonly out: string;
  readonly previous: string | null;
  readonly baseUrl: string | null;
  readonly jobs: number;
  readonly memory: string;
  readonly host: HostTarget | null;
  readonly signingKey: SigningKey | null;
}
