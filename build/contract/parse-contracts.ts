import { compileDataset, type DatasetDraft } from './compile-dataset.ts';
import { compileDimension } from './compile-dimension.ts';
import type { RawContract } from './contract-profile.ts';
import { readContract } from './contract-shape.ts';
import type { Contracts, Dataset, Dimension, InactiveContract, Publisher } from './dataset.ts';
import { type Diagnostic, sortDiagnostics } from './diagnostic.ts';
import type { DimensionIndex } from './dimension-index.ts';
import { linkForeignKeys } from './foreign-keys.ts';
import { deriveLevelKeys } from './levels.ts';
import { suggestion } from './nearest-name.ts';
import { type Problems, problemsOf } from './problems.ts';
import { compilePublisher, defaultPublisher, isPublisherFile } from './publisher.ts';
import { quote } from './quoting.ts';
import { parseYaml, type YamlDocument } from './yaml-document.ts';

/** A file of the contracts' folder; `file` is its path as people are shown it. */
export interface ContractFile {
  readonly file: string;
  readonly text: string;
  /** Why there is no text; of what was read, nothing. */
  readonly unread?: Unread;
}

export type Unread = keyof typeof UNREAD;

/** Of what is not read: why, and what to do. */
const UNREAD = {
  'broken link':
    'the link leads nowhere, so that a contract is missing. Fetch what it stands for, or remove it',
  'link out of the folder':
    'the link leads out of the folder of the contracts, and is not read. Put the file here',
  'link to a folder': 'the link leads to a folder, and is not followed. Put the folder here',
  'no regular file':
    'this is a pipe, a socket or a device, which no build waits for. Put a file with the text of the contract here',
} as const;

export interface ParsedContracts {
  /** What compiled and is active. A contract with an error, or that joins one with an error, is not in it. */
  readonly contracts: Contracts;
  /** Everything wrong in all files, errors first. */
  readonly diagnostics: readonly Diagnostic[];
  /** Contracts that compiled, and are neither active nor withdrawn. */
  readonly inactive: number;
}

interface PublisherFile {
  readonly document: YamlDocument;
  readonly problems: Problems;
}

/** One contract's file on its way: read, then compiled, then linked. */
interface Entry extends PublisherFile {
  readonly raw: RawContract;
}

interface Compiled<T> {
  readonly contract: T;
  readonly entry: Entry;
}

/**
 * Parses all contracts of a folder at once. Pure, and never throws on any text: what is wrong is a diagnostic at
 * its place. The order of `files` does not matter.
 */
export function parseContracts(files: readonly ContractFile[]): ParsedContracts {
  const diagnostics: Diagnostic[] = [];
  const entries: Entry[] = [];
  const publishers: PublisherFile[] = [];
  const failed = new Set<string>();
  const inOrder = [...files].sort((a, b) => (a.file < b.file ? -1 : a.file > b.file ? 1 : 0));
  for (const { file, text, unread } of inOrder) {
    if (unread !== undefined) {
      diagnostics.push(notRead(file, unread));
      failed.add(nameOfFile(file));
      continue;
    }
    const { document, diagnostics: found } = parseYaml(file, text);
    if (document !== null && isPublisherFile(file)) {
      publishers.push({ document, problems: problemsOf(document, found) });
    } else if (document !== null && isContract(document.value)) {
      const problems = problemsOf(document, found);
      entries.push({ raw: readContract(document.value, problems), document, problems });
    } else {
      diagnostics.push(...found);
      if (document === null) failed.add(nameOfFile(file));
      else diagnostics.push(notAContract(file));
    }
  }

  const dimensions: Compiled<Dimension>[] = [];
  const drafts: Compiled<DatasetDraft>[] = [];
  for (const entry of entries) {
    if (isDimension(entry.document.value)) {
      const dimension = compileDimension(entry.raw, entry.document, entry.problems);
      if (dimension !== null) dimensions.push({ contract: dimension, entry });
      else
        failed
          .add(entry.raw.schema?.[0]?.name ?? nameOfFile(entry.document.file))
          .add(nameOfFile(entry.document.file));
    } else {
      const draft = compileDataset(entry.raw, entry.document, entry.problems);
      if (draft !== null) drafts.push({ contract: draft, entry });
    }
  }
  refuseDuplicates(dimensions, 'dimension');
  refuseDuplicates(drafts, 'dataset');

  const active = ({ entry }: Compiled<unknown>) => entry.raw.status === 'active' && !entry.problems.failed;
  const compiled = dimensions
    .filter(({ entry }) => !entry.problems.failed)
    .map(({ contract, entry }) => ({ dimension: contract, status: entry.raw.status ?? '' }));
  const linked = drafts.flatMap(draft => link(draft, { compiled, failed }) ?? []).sort(byKey);
  const datasets = linked.filter(dataset => dataset.withdrawal === null);
  const withdrawn = {
    datasets: linked.filter(dataset => dataset.withdrawal !== null),
    dimensions: dimensions
      .filter(({ contract, entry }) => contract.withdrawal !== null && !entry.problems.failed)
      .map(({ contract }) => contract)
      .sort(byKey),
  };
  const inactive = [...drafts, ...dimensions].flatMap(({ contract, entry }): InactiveContract[] => {
    const { raw, problems } = entry;
    if (raw.status === 'active' || contract.withdrawal !== null || problems.failed) return [];
    const { kind, key } = contract;
    return [{ kind, key, status: raw.status ?? '', place: problems.placeOf(['status']) }];
  });
  checkReplacements(drafts, dimensions, datasets);
  for (const { raw, problems } of entries) checkStatus(raw, problems);
  const publisher = readPublisher(publishers, entries, diagnostics);
  for (const { problems } of entries) diagnostics.push(...problems.diagnostics);
  return {
    contracts: {
      publisher,
      datasets,
      dimensions: new Map(
        dimensions
          .filter(active)
          .map(({ contract }) => contract)
          .sort(byKey)
          .map(dimension => [dimension.key, dimension]),
      ),
      withdrawn,
      inactive,
    },
    diagnostics: sortDiagnostics(diagnostics),
    inactive: inactive.length,
  };
}

/** Any status but one is right, so that nothing else would tell of a slip. */
function checkStatus({ status = '' }: RawContract, problems: Problems): void {
  if (status === 'active' || status.trim().toLowerCase() !== 'active') return;
  const message = `the status is ${quote(status)}, and only 'active' is published: write it so`;
  problems.warning(['status'], 'contract-status', message);
}

/** A draft with its joins; null where it is neither active nor withdrawn, or anything of it is wrong. */
function link({ contract, entry }: Compiled<DatasetDraft>, index: DimensionIndex): Dataset | null {
  const { joins, keysOfLevels, complete, ...rest } = contract;
  const foreignKeys = linkForeignKeys(contract, index, entry.problems);
  const told = entry.raw.status === 'active' || contract.withdrawal !== null;
  if (foreignKeys === null || !told || entry.problems.failed) return null;
  return { ...rest, foreignKeys, levelKeys: deriveLevelKeys({ ...rest, foreignKeys }, keysOfLevels) };
}

/** The first contract of a name stands; each further one is an error that names the first's place. */
function refuseDuplicates(list: readonly Compiled<Dataset | DatasetDraft | Dimension>[], of: string): void {
  const first = new Map<string, string>();
  for (const { contract, entry } of list) {
    const key = contract.key.toLowerCase();
    const other = first.get(key);
    if (other === undefined) {
      const { line } = entry.problems.placeOf(['id']);
      first.set(key, `${entry.document.file}:${line}`);
    } else {
      const message = `the ${of} ${quote(contract.key)} is in ${other} already: rename or remove one`;
      entry.problems.error(['id'], 'duplicate-contract', message);
    }
  }
}

/** What is to be used in place of something withdrawn must be there: a dataset that is served, or an address. */
function checkReplacements(
  drafts: readonly Compiled<DatasetDraft>[],
  dimensions: readonly Compiled<Dimension>[],
  served: readonly Dataset[],
): void {
  const known = served.map(dataset => dataset.key);
  // Where that one's own contract has errors, they are what is wrong.
  const failed = drafts.flatMap(({ contract, entry }) => (entry.problems.failed ? [contract.key] : []));
  for (const { contract, entry } of [...drafts, ...dimensions]) {
    const slices = 'withdrawnSlices' in contract ? contract.withdrawnSlices : [];
    const stated = [contract.withdrawal, ...slices].flatMap(one => one?.replacement ?? []);
    for (const replacement of stated) {
      if ([...known, ...failed].includes(replacement) || /^https?:\/\/[^\s]+$/.test(replacement)) continue;
      const list = entry.raw.customProperties ?? [];
      const at = list.findIndex(one => one?.property === 'withdrawn');
      const inside = Array.isArray(list[at]?.value) ? [] : ['replacement'];
      const message = `there is no dataset ${quote(replacement)}${suggestion(replacement, known)}: name one that is served, as domain/topic, or an address that begins with https://`;
      entry.problems.error(['customProperties', at, 'value', ...inside], 'withdrawn-replacement', message);
    }
  }
}

function readPublisher(
  files: readonly PublisherFile[],
  entries: readonly Entry[],
  diagnostics: Diagnostic[],
): Publisher {
  const tenants = entries.flatMap(({ raw }) => raw.tenant ?? []);
  const [first, ...others] = files;
  if (first === undefined) {
    const message =
      'there is no publisher.yaml, so no licence or attribution is published: add one beside the contracts';
    diagnostics.push({ severity: 'warning', code: 'publisher-missing', message, file: 'publisher.yaml' });
    return defaultPublisher(tenants);
  }
  const publisher = compilePublisher(first.document.value, tenants, first.problems);
  for (const { problems } of others) {
    const message = `${first.document.file} describes the publisher already: remove one of the two`;
    problems.error([], 'publisher-duplicate', message);
  }
  for (const { problems } of files) diagnostics.push(...problems.diagnostics);
  return publisher ?? defaultPublisher(tenants);
}

function notAContract(file: string): Diagnostic {
  const message = 'the file is no contract and is not read: a contract has `kind: DataContract`';
  return { severity: 'warning', code: 'not-a-contract', message, file, line: 1, column: 1 };
}

/** A folder may hold anything; a file of this name was meant to be read. */
function notRead(file: string, unread: Unread): Diagnostic {
  const severity = unread === 'link to a folder' ? 'warning' : 'error';
  const code = unread === 'no regular file' ? 'contract-not-a-file' : 'contract-link';
  return { severity, code, message: UNREAD[unread], file, line: 1, column: 1 };
}

function isContract(value: unknown): boolean {
  return typeof value === 'object' && value !== null && (value as { kind?: unknown }).kind === 'DataContract';
}

/** Read before anything is checked, so that a dimension with errors is not held against the rules of a dataset. */
function isDimension(value: unknown): boolean {
  const { schema } = value as { schema?: unknown };
  const table = Array.isArray(schema) ? (schema[0] as { customProperties?: unknown } | null) : null;
  const list: unknown = table?.customProperties;
  if (!Array.isArray(list)) return false;
  return list.some(entry => entry?.property === 'entity_kind' && entry?.value === 'dimension');
}

/** `districts` of `education/_dimensions/districts.odcs.yaml`: what a contract that cannot be read is likely called. */
function nameOfFile(file: string): string {
  return file.replace(/^.*[\\/]/s, '').replace(/\..*$/s, '');
}

function byKey(a: { readonly key: string }, b: { readonly key: string }): number {
  return a.key < b.key ? -1 : a.key > b.key ? 1 : 0;
}
