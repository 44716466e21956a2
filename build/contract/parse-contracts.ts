/** Parses and compiles all contracts of a folder. */
import { compileDataset, type DatasetDraft } from './compile-dataset.ts';
import { compileDimension } from './compile-dimension.ts';
import type { RawContract } from './contract-profile.ts';
import { type ContractTable, isContract, isNative, readTables } from './contract-table.ts';
import type { Contracts, Dataset, Dimension, InactiveContract, Publisher } from './dataset.ts';
import { type Diagnostic, diagnosticAt, quote, sortDiagnostics, suggestion } from './diagnostic.ts';
import { checkDrawnRows, type DimensionIndex, linkForeignKeys } from './links.ts';
import { guessNote, type Problems, problemsOf } from './problems.ts';
import { compilePublisher, isPublisherFile, publisherOf } from './publisher.ts';
import { parseYaml, type YamlDocument } from './yaml-document.ts';
import { deriveLevelKeys } from './years-and-levels.ts';

/** `file` is the path that messages show. */
export interface ContractFile {
  readonly file: string;
  readonly text: string;
  /** The folder below the contracts' folder; empty or absent for a file directly in it. */
  readonly folder?: string;
  /** Why the file wasn't read; absent if it was. */
  readonly unread?: Unread;
}

type Unread = keyof typeof UNREAD;

const UNREAD = {
  'broken link': 'the link is broken, so a contract may be missing: restore its target, or remove the link',
  'link out of the folder':
    'the link leads out of the contracts’ folder and is not read: put the file itself here',
  'link to a folder': 'the link leads to a folder and is not followed: put the folder itself here',
  'no regular file':
    'this is a pipe, a socket or a device, which no build reads: put a regular file with the contract here',
} as const;

export interface ParsedContracts {
  /** Active contracts that compiled, without those that join a contract with an error. */
  readonly contracts: Contracts;
  readonly diagnostics: readonly Diagnostic[];
  /** Number of contracts that compiled but are neither active nor withdrawn. */
  readonly inactive: number;
  /** Number of contracts, with and without errors. */
  readonly read: number;
}

interface PublisherFile {
  readonly document: YamlDocument;
  readonly problems: Problems;
}

/** One table of a contract while it is compiled and linked. */
interface Entry extends ContractTable {
  readonly problems: Problems;
}

interface Compiled<T> {
  readonly contract: T;
  readonly entry: Entry;
}

/** Pure. Never throws: every problem is a diagnostic. The order of `files` doesn't matter. */
export function parseContracts(files: readonly ContractFile[]): ParsedContracts {
  const diagnostics: Diagnostic[] = [];
  const entries: Entry[] = [];
  const read: Problems[] = [];
  const publishers: PublisherFile[] = [];
  const failed = new Set<string>();
  const inOrder = [...files].sort((a, b) => (a.file < b.file ? -1 : a.file > b.file ? 1 : 0));
  for (const { file, text, unread, folder = '' } of inOrder) {
    if (unread !== undefined) {
      diagnostics.push(notRead(file, unread));
      failed.add(nameOfFile(file));
      continue;
    }
    const { documents, diagnostics: found } = parseYaml(file, text);
    if (documents.length === 0) {
      diagnostics.push(...found);
      failed.add(nameOfFile(file));
    }
    for (const [i, document] of documents.entries()) {
      const own = i === 0 ? found : [];
      if (isPublisherFile(file)) publishers.push({ document, problems: problemsOf(document, own) });
      else if (isContract(document.value)) {
        const problems = problemsOf(document, own, isNative(document.value));
        read.push(problems);
        entries.push(...readTables(document, folder, problems).map(table => ({ ...table, problems })));
      } else diagnostics.push(...own, notAContract(document));
    }
  }

  const dimensions: Compiled<Dimension>[] = [];
  const drafts: Compiled<DatasetDraft>[] = [];
  for (const entry of entries) {
    if (entry.kind === 'dimension') {
      const dimension = compileDimension(entry, entry.problems);
      if (dimension !== null) dimensions.push({ contract: dimension, entry });
      else
        failed
          .add(entry.served?.table.name ?? nameOfFile(entry.document.file))
          .add(nameOfFile(entry.document.file));
    } else {
      const draft = compileDataset(entry, entry.problems);
      if (draft !== null) drafts.push({ contract: draft, entry });
    }
  }
  const datasetEntries = entries.filter(({ kind }) => kind === 'dataset');
  const described = {
    datasets: drafts.map(({ contract }) => contract),
    complete: drafts.length === datasetEntries.length,
  };
  for (const { contract, entry } of dimensions) {
    checkDrawnRows(contract, described, entry.owner, entry.problems);
    if (entry.problems.failed) failed.add(contract.name);
  }
  refuseDuplicates(dimensions, 'dimension');
  const again = refuseDuplicates(drafts, 'dataset');

  const active = ({ entry }: Compiled<unknown>) => entry.raw.status === 'active' && !entry.problems.failed;
  const compiled = dimensions
    .filter(({ entry }) => !entry.problems.failed)
    .map(({ contract, entry }) => ({ dimension: contract, status: entry.raw.status ?? '' }));
  const linked = drafts
    .filter(draft => !again.has(draft))
    .flatMap(draft => link(draft, { compiled, failed }) ?? [])
    .sort(byKey);
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
  for (const problems of read) diagnostics.push(...problems.diagnostics, ...guessNote(problems));
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
    read: read.length,
  };
}

/** Any text is a valid status, so a misspelt `active` would go unnoticed. */
function checkStatus({ status = '' }: RawContract, problems: Problems): void {
  if (status === 'active' || status.trim().toLowerCase() !== 'active') return;
  const message = `the status is ${quote(status)}, but only the exact text 'active' publishes a contract: correct it`;
  problems.warning(['status'], 'contract-status', message);
}

/** Returns null if the draft has an error, or is neither active nor withdrawn. */
function link({ contract, entry }: Compiled<DatasetDraft>, index: DimensionIndex): Dataset | null {
  const { joins, keysOfLevels, complete, ...rest } = contract;
  const foreignKeys = linkForeignKeys(contract, index, entry.problems);
  const isPublic = entry.raw.status === 'active' || contract.withdrawal !== null;
  if (foreignKeys === null || !isPublic || entry.problems.failed) return null;
  return { ...rest, foreignKeys, levelKeys: deriveLevelKeys({ ...rest, foreignKeys }, keysOfLevels) };
}

/**
 * Keeps the first contract of a name, and returns the others with a problem: an error in a contract written
 * for this service, otherwise a warning.
 */
function refuseDuplicates<T extends Dataset | DatasetDraft | Dimension>(
  list: readonly Compiled<T>[],
  of: string,
): ReadonlySet<Compiled<T>> {
  const first = new Map<string, string>();
  const again = new Set<Compiled<T>>();
  for (const one of list) {
    const { contract, entry } = one;
    const key = contract.key.toLowerCase();
    const other = first.get(key);
    if (other === undefined) {
      const { line } = entry.problems.placeOf(entry.raw.schema?.length === 1 ? ['id'] : entry.owner);
      first.set(key, `${entry.document.file}:${line}`);
    } else {
      again.add(one);
      const remedy = entry.problems.native
        ? 'rename or remove one'
        : 'this one is left out; state a domain, or give the table another name';
      const message = `the ${of} ${quote(contract.key)} is already defined in ${other}: ${remedy}`;
      const at = entry.raw.schema?.length === 1 ? ['id'] : [...entry.owner, 'name'];
      entry.problems.doubt(at, 'duplicate-contract', message);
    }
  }
  return again;
}

function checkReplacements(
  drafts: readonly Compiled<DatasetDraft>[],
  dimensions: readonly Compiled<Dimension>[],
  served: readonly Dataset[],
): void {
  const known = served.map(dataset => dataset.key);
  // A replacement whose own contract has errors isn't a second problem.
  const failed = drafts.flatMap(({ contract, entry }) => (entry.problems.failed ? [contract.key] : []));
  for (const { contract, entry } of [...drafts, ...dimensions]) {
    const slices = 'withdrawnSlices' in contract ? contract.withdrawnSlices : [];
    const stated = [contract.withdrawal, ...slices].flatMap(one => one?.replacement ?? []);
    for (const replacement of stated) {
      if ([...known, ...failed].includes(replacement) || /^https?:\/\/[^\s]+$/.test(replacement)) continue;
      const list = entry.raw.customProperties ?? [];
      const at = list.findIndex(one => one?.property === 'withdrawn');
      const inside = Array.isArray(list[at]?.value) ? [] : ['replacement'];
      const message = `there is no dataset ${quote(replacement)}${suggestion(replacement, known)}: name a published dataset as domain/topic, or an address that begins with https://`;
      entry.problems.doubt(['customProperties', at, 'value', ...inside], 'withdrawn-replacement', message);
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
      'there is no publisher.yaml, so the tree states no licence and no attribution: add the file next to the contracts';
    diagnostics.push(diagnosticAt('publisher.yaml', 'warning', 'publisher-missing', message));
    return publisherOf({}, tenants);
  }
  const publisher = compilePublisher(first.document.value, tenants, first.problems);
  for (const { problems } of others) {
    const message = `${first.document.file} already describes the publisher: remove one of the two files`;
    problems.error([], 'publisher-duplicate', message);
  }
  for (const { problems } of files) diagnostics.push(...problems.diagnostics);
  return publisher ?? publisherOf({}, tenants);
}

function notAContract({ file, value }: YamlDocument): Diagnostic {
  const isOther = (key: string) => typeof value === 'object' && value !== null && key in value;
  const message = isOther('dataContractSpecification')
    ? 'the file is a Data Contract Specification, an older standard, and is not read: export it as ODCS (datacontract export --format odcs)'
    : isOther('dataset')
      ? 'the file is a contract of ODCS version 2 and is not read: write it as version 3, which has its tables under `schema`'
      : 'the file is not a contract and is not read: a contract has `kind: DataContract`';
  return { severity: 'warning', code: 'not-a-contract', message, file, line: 1, column: 1 };
}

/** The folder may contain anything, but a file with a contract's name is meant to be read. */
function notRead(file: string, unread: Unread): Diagnostic {
  const severity = unread === 'link to a folder' ? 'warning' : 'error';
  const code = unread === 'no regular file' ? 'contract-not-a-file' : 'contract-link';
  return { severity, code, message: UNREAD[unread], file, line: 1, column: 1 };
}

/** The likely name of an unreadable contract: `districts` for `education/_dimensions/districts.odcs.yaml`. */
function nameOfFile(file: string): string {
  return file.replace(/^.*[\\/]/s, '').replace(/\..*$/s, '');
}

function byKey(a: { readonly key: string }, b: { readonly key: string }): number {
  return a.key < b.key ? -1 : a.key > b.key ? 1 : 0;
}
