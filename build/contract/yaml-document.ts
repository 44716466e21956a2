/** Reads YAML to values with places, and writes the text of a contract as it is published. */
import {
  type Alias,
  type Document,
  isAlias,
  isCollection,
  isMap,
  isPair,
  isScalar,
  isSeq,
  LineCounter,
  type Node,
  type Pair,
  parseAllDocuments,
  parseDocument,
  type Scalar,
  visit,
  type YAMLMap,
} from 'yaml';
import type { ContractSource, Place } from './dataset.ts';
import { type Diagnostic, diagnosticAt, inert } from './diagnostic.ts';

/** Keys and indices from a document's root. */
export type Path = readonly (string | number)[];

export interface YamlDocument {
  readonly file: string;
  readonly text: string;
  readonly value: unknown;
  /** See `publication`. */
  published(rows: string | null): string;
  /** Place of the value, or of the nearest existing part around it. */
  placeOf(path: Path): Place;
  /** Place of the last key of the path. */
  placeOfKey(path: Path): Place;
}

interface YamlReading {
  /**
   * Empty if the text couldn't be read to its end. After a lesser error, such as a duplicate key, there is
   * still a document. `text` is the document's part of the file.
   */
  readonly documents: readonly YamlDocument[];
  readonly diagnostics: readonly Diagnostic[];
}

const MAX_BYTES = 2 * 1024 * 1024;

const TOO_DEEP = 'the nesting is too deep to read: no contract needs so many levels';

/** One broken bracket can make every later line a syntax error. */
const MAX_SYNTAX_ERRORS = 20;

/**
 * Reads the YAML 1.2 documents of a file, usually one. Never throws: every problem is a diagnostic with a
 * `yaml-…` code.
 */
export function parseYaml(file: string, text: string): YamlReading {
  if (Buffer.byteLength(text) > MAX_BYTES) {
    const message = `the file is larger than ${MAX_BYTES} bytes: a contract describes rows and does not contain them`;
    return refused([{ severity: 'error', code: 'yaml-size', message, file, line: 1, column: 1 }]);
  }
  const damaged = text.indexOf('\uFFFD');
  if (damaged !== -1) {
    const before = text.slice(0, damaged).split('\n');
    const at = { file, line: before.length, column: (before.at(-1)?.length ?? 0) + 1 };
    const message = 'this byte sequence is not UTF-8: save the file as UTF-8';
    return refused([diagnosticAt(at, 'error', 'yaml-encoding', message)]);
  }
  const lines = new LineCounter();
  const place = (offset: number): Place => {
    const { line, col } = lines.linePos(offset);
    return { file, line: Math.max(line, 1), column: Math.max(col, 1) };
  };
  const all = parse(text, lines);
  if (all === null) {
    return refused([{ severity: 'error', code: 'yaml-depth', message: TOO_DEEP, file, line: 1, column: 1 }]);
  }
  const diagnostics = all
    .flatMap(parsed => [...parsed.errors, ...parsed.warnings])
    .slice(0, MAX_SYNTAX_ERRORS)
    .map(problem => {
      const severity = problem.name === 'YAMLWarning' ? 'warning' : 'error';
      return diagnosticAt(place(problem.pos[0]), severity, ...syntaxProblem(problem.code, problem.message));
    });
  if (all.some(parsed => parsed.errors.length > 0)) return refused(diagnostics);

  const documents: YamlDocument[] = [];
  for (const [i, parsed] of all.entries()) {
    const { contents: root, range } = parsed;
    const { value, targets, problems, complete } = readValue(parsed);
    for (const { node, code, message } of problems.slice(0, MAX_SYNTAX_ERRORS)) {
      diagnostics.push(diagnosticAt(place(node.range?.[0] ?? 0), 'error', code, inert(message)));
    }
    if (!complete) return refused(diagnostics);
    const start = (node: Node | null) => place(node?.range?.[0] ?? range?.[0] ?? 0);
    const from = i === 0 ? 0 : (range?.[0] ?? 0);
    const end = range?.[2] ?? text.length;
    // What follows is published too, unless it begins another document.
    const to = /^---/m.test(text.slice(end)) ? end : text.length;
    documents.push({
      file,
      text: all.length === 1 ? text : text.slice(from, range?.[2]),
      value,
      published: root === null ? () => text : publication(text, root, value, [from, to]),
      placeOf: path => start(find(root, path, targets).value),
      placeOfKey: path => {
        const { key, value } = find(root, path, targets);
        return start(key ?? value);
      },
    });
  }
  return { documents, diagnostics };
}

/**
 * `text` is the whole contract; `json` has only the given table in `schema`. `rows`: where the tree has the
 * rows.
 */
export function sourceOf(
  document: YamlDocument,
  [list = '', index = 0]: Path,
  rows: string | null,
): ContractSource {
  const { file, text } = document;
  const value = publishedContract(document.value, rows) as Record<string, unknown>;
  const tables = value[list];
  const own = Array.isArray(tables) && tables.length > 1 ? { [list]: [tables[Number(index)]] } : {};
  const json = JSON.stringify({ ...value, ...own });
  return { file, line: 1, column: 1, text, published: document.published(rows), json };
}

function refused(diagnostics: readonly Diagnostic[]): YamlReading {
  return { documents: [], diagnostics };
}

type Parsed = Pick<Document<Node, true>, 'contents' | 'errors' | 'warnings' | 'range' | 'toJS'>;

function parse(text: string, lineCounter: LineCounter): readonly Parsed[] | null {
  try {
    // Use the core schema whatever a %YAML directive says: 1.1 reads `no` as false. `readValue` finds
    // duplicate keys, because the library compares every key with every other.
    const all = parseAllDocuments(text, {
      lineCounter,
      schema: 'core',
      resolveKnownTags: false,
      uniqueKeys: false,
      merge: true,
      prettyErrors: false,
    });
    const list: Parsed[] = [...all];
    // Dashes at the end begin an empty document.
    const filled = list.filter(({ contents, errors }) => !isEmpty(contents) || errors.length > 0);
    return filled.length > 0 ? filled : [list[0] ?? parseDocument(text, { lineCounter })];
  } catch (error) {
    // The library recurses without a limit.
    if (error instanceof RangeError) return null;
    throw error;
  }
}

function isEmpty(node: Node | null): boolean {
  return node === null || (isScalar(node) && (node.value === null || node.value === ''));
}

function syntaxProblem(code: string, text: string): [code: string, message: string] {
  const message = inert(text.replace(/\s+/g, ' ').slice(0, 200));
  if (code === 'RESOURCE_EXHAUSTION') return ['yaml-depth', TOO_DEEP];
  if (code === 'TAG_RESOLVE_FAILED') return ['yaml-tag', `${message}: remove the tag`];
  return ['yaml-syntax', `the YAML is broken: ${message}`];
}

/** The deepest existing node on a path, through aliases, and its key. */
function find(root: Node | null, path: Path, targets: ReadonlyMap<Alias, Node>) {
  let value = root;
  let key: Node | null = null;
  for (const step of path) {
    const inner = value === null ? null : resolved(value, targets);
    if (isMap<Node, Node | null>(inner)) {
      const pair = findPair(inner, String(step), targets);
      if (pair === undefined) break;
      key = pair.key;
      value = pair.value ?? pair.key;
    } else if (isSeq<Node>(inner)) {
      const item = inner.items[Number(step)];
      if (item === undefined) break;
      key = null;
      value = item;
    } else break;
  }
  return { key, value };
}

function resolved(node: Node, targets: ReadonlyMap<Alias, Node>): Node {
  return isAlias(node) ? (targets.get(node) ?? node) : node;
}

/** The mapping's own pair, or that of a mapping that it merges in. */
function findPair(
  map: Node,
  key: string,
  targets: ReadonlyMap<Alias, Node>,
): Pair<Node, Node | null> | undefined {
  if (!isMap<Node, Node | null>(map)) return undefined;
  const own = map.items.find(
    item => !isMergeKey(item.key) && isScalar(item.key) && String(item.key.value ?? '') === key,
  );
  if (own !== undefined) return own;
  for (const node of map.items
    .filter(({ key }) => isMergeKey(key))
    .flatMap(({ value }) => mergedNodes(value))) {
    const found = findPair(resolved(node, targets), key, targets);
    if (found !== undefined) return found;
  }
  return undefined;
}

/** Deeper than any contract nests. It protects the stack of later recursion. */
const MAX_DEPTH = 64;

/** Far more than honest files, far fewer than attacks. */
const MAX_REPEATED = 10_000;

/** A hundred times an honest contract. Checks that compare a list with itself stay fast. */
const MAX_NODES = 100_000;

interface NodeProblem {
  readonly node: Node;
  readonly code: string;
  readonly message: string;
}

interface YamlValue {
  readonly value: unknown;
  readonly targets: ReadonlyMap<Alias, Node>;
  readonly problems: readonly NodeProblem[];
  /** False if a problem leaves no value. */
  readonly complete: boolean;
}

/**
 * Finds in linear time what the library's conversion does not: duplicate keys, aliases that expand without
 * end and nesting that would overflow the stack. Numbers become texts where they are keys or codes.
 */
function readValue(document: Parsed): YamlValue {
  const targets = new Map<Alias, Node>();
  const anchors = new Map<string, Node>();
  const problems: NodeProblem[] = [];
  let nodes = 0;
  let complete = true;
  const doubt = (node: Node, code: string, message: string) => problems.push({ node, code, message });
  const fail = (node: Node, code: string, message: string) => {
    doubt(node, code, message);
    complete = false;
    return visit.BREAK;
  };
  const targetOf = (node: Node | null) => (isAlias(node) ? anchors.get(node.source) : node);

  const checkKeys = (map: YAMLMap<Node | null, Node | null>) => {
    const keys = new Set<string>();
    for (const pair of map.items) {
      const key = keyText(pair.key);
      const at = pair.key ?? map;
      if (isMergeKey(pair.key)) {
        const wrong = mergedNodes(pair.value).find(node => !isMap(targetOf(node) ?? map));
        const message = 'the merge key << accepts only a mapping or a list of mappings: write the keys out';
        if (wrong !== undefined) fail(wrong, 'yaml-merge', message);
      } else if (key === null) fail(at, 'yaml-key', 'a key must be a plain text: write `key: value`');
      else if (keys.has(key)) {
        const message = `the key '${key.slice(0, 80)}' occurs twice in one mapping: remove one of the two`;
        doubt(at, 'yaml-duplicate-key', message);
      } else keys.add(key);
    }
  };

  visit(document.contents, {
    Node(role, node, ancestors) {
      if (role !== 'key' && ++nodes > MAX_NODES) {
        const message = `the file has more than ${MAX_NODES} values: a contract describes rows and does not contain them`;
        return fail(node, 'yaml-size', message);
      }
      if (ancestors.filter(isCollection).length > MAX_DEPTH) {
        const message = `the file nests more than ${MAX_DEPTH} levels: no contract needs so many`;
        return fail(node, 'yaml-depth', message);
      }
      if (isAlias(node)) {
        const target = anchors.get(node.source);
        if (target === undefined) {
          const message = `the alias *${node.source.slice(0, 40)} has no anchor before it: write the value out`;
          fail(node, 'yaml-alias', message);
        } else if (ancestors.includes(target)) {
          const message =
            'the alias is inside its own anchor and would expand without end: write the value out';
          return fail(node, 'yaml-expansion', message);
        } else targets.set(node, target);
      } else if (node.anchor !== undefined) anchors.set(node.anchor, node);
      if (isMap<Node | null, Node | null>(node)) checkKeys(node);
      if (!isScalar(node)) return undefined;
      if (typeof node.value === 'string' && node.value.includes('\0')) {
        const message = 'the text contains the character NUL, which cannot be published: remove it';
        doubt(node, 'yaml-text', message);
      }
      if (isCode(node) || (role === 'key' && typeof node.value === 'number')) node.value = node.source;
      return undefined;
    },
  });
  const alias = [...targets.keys()].at(-1);
  // The library searches all anchors and aliases for the target of each, so their number counts too.
  const repeated = () => targets.size + expandedSize(document.contents, targets) - nodes;
  if (complete && alias && repeated() > MAX_REPEATED) {
    const message = `aliases repeat more than ${MAX_REPEATED} values: write the values out`;
    fail(alias, 'yaml-expansion', message);
  }
  return { value: complete ? document.toJS({ maxAliasCount: -1 }) : null, targets, problems, complete };
}

/** The number of values with those that aliases repeat. */
function expandedSize(root: Node | null, targets: ReadonlyMap<Alias, Node>): number {
  const known = new Map<unknown, number>();
  const sizeOf = (node: unknown): number => {
    if (isAlias(node)) return sizeOf(targets.get(node));
    if (isPair(node)) return sizeOf(node.value);
    if (!isCollection(node)) return 1;
    const size = known.get(node) ?? node.items.reduce((sum: number, item) => sum + sizeOf(item), 1);
    known.set(node, size);
    return size;
  };
  return sizeOf(root);
}

/**
 * YAML 1.2 dropped the merge key `<<`, but contract tools still use it. In quotes it is an ordinary key.
 * Source: https://yaml.org/type/merge.html. The library's value of the key is a symbol.
 */
function isMergeKey(key: Node | null): boolean {
  return isScalar(key) && key.type === 'PLAIN' && key.source === '<<';
}

function mergedNodes(node: Node | null): Node[] {
  if (node === null) return [];
  return isSeq<Node>(node) ? node.items : [node];
}

function keyText(key: Node | null): string | null {
  if (key === null) return '';
  if (!isScalar(key)) return null;
  // Keys are texts, such as the codes 0123 and 1e3.
  return typeof key.value === 'number' && key.source !== undefined ? key.source : String(key.value ?? '');
}

/**
 * A number with a leading zero is a code: YAML 1.2 would drop the zero, and YAML 1.1 would read it as octal.
 */
export function isCode({ value, source }: Scalar): boolean {
  return typeof value === 'number' && /^[-+]?0\d/.test(source ?? '');
}

interface Part {
  readonly start: number;
  readonly end: number;
  readonly text: (rows: string | null) => string;
}

/**
 * A plain text that YAML 1.1, or one of its readers, takes for a boolean, null, a number, a time or a merge
 * key.
 */
const NOT_TEXT = new RegExp(
  [
    'y|n|yes|no|on|off|true|false|null|~|=|<<',
    '[-+]?0(?:b[01_]+|o?[0-7_]+|x[0-9a-f_]+)',
    '[-+]?(?:[0-9][0-9_]*\\.?[0-9_]*|\\.[0-9_]+)(?:e[-+]?[0-9]+)?',
    '[-+]?[0-9][0-9_]*(?::[0-5]?[0-9])+(?:\\.[0-9_]*)?',
    '[-+]?\\.(?:inf|nan)',
    '[0-9]{4}-[0-9]{1,2}-[0-9]{1,2}(?:(?:t|[ \\t]+)[0-9].*)?',
  ]
    .map(one => `^(?:${one})$`)
    .join('|'),
  'i',
);

/** A number that YAML 1.1 and 1.2 read alike. YAML 1.1 reads 012 as ten, and 1e3 as a text. */
const SAME_NUMBER = /^[-+]?(?:0|[1-9][0-9]*)$|^[-+]?[0-9]+\.[0-9]*(?:[eE][-+][0-9]+)?$/;

/** Line breaks that only YAML 1.1 has, and characters that it doesn't allow. */
const ODD = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f\u2028\u2029\ufffe\uffff]/g;

/**
 * Returns a function that renders a document for publication: readers of YAML 1.1 find the same values as
 * readers of YAML 1.2. `rows`, relative to the contract, replaces the places of local servers; null keeps
 * them. The text becomes JSON if it has tags, unusual anchors, or servers that can't be replaced in place.
 */
function publication(
  text: string,
  root: Node,
  value: unknown,
  [from, to]: readonly [number, number],
): (rows: string | null) => string {
  let parts: readonly Part[] | null | undefined;
  return rows => {
    // The tables of a contract share its text.
    parts ??= findParts(text, root, value);
    if (parts === null) return `${flow(publishedContract(value, rows))}\n`;
    return joined(text, parts, rows, from, to);
  };
}

/** Null if the text must become JSON. */
function findParts(text: string, root: Node, value: unknown): readonly Part[] | null {
  const parts: Part[] = [];
  const servers = localServers(value);
  let strange = false;
  let serversAhead = servers.length;
  visit(root, {
    Alias(_, { source }) {
      strange ||= /[^\w-]/.test(source);
    },
    Value(key, node, ancestors) {
      const [start = 0, end = 0] = node.range ?? [];
      strange ||= node.tag !== undefined || /[^\w-]/.test(node.anchor ?? '');
      const own = text.slice(start, end);
      const closing = /\r?\n$/.exec(own)?.[0] ?? '';
      if (isLocalServer(root, node, ancestors)) {
        const server = servers[servers.length - serversAhead--] ?? {};
        parts.push({
          start,
          end,
          text: rows => (rows === null ? own : flow(publishedServer(server, rows)) + closing),
        });
        return visit.SKIP;
      }
      if (!isScalar(node)) return undefined;
      const inFlow = ancestors.some(one => isCollection(one) && one.flow === true);
      const now = rewritten(node, own, key === 'key', inFlow);
      parts.push({ start, end, text: () => (now === null ? own : now + closing) });
      return undefined;
    },
  });
  return strange || serversAhead !== 0 ? null : parts.sort((a, b) => a.start - b.start);
}

/** A local server can be replaced if nothing in it has an anchor or alias. */
function isLocalServer(root: Node, node: Node, ancestors: readonly unknown[]): node is YAMLMap {
  if (!isMap(node) || !isMap(root) || ancestors.at(-1) !== root.get('servers', true)) return false;
  let named = false;
  visit(node, {
    Node(_, inner) {
      named ||= isAlias(inner) || inner.anchor !== undefined;
    },
  });
  return !named && node.get('type') === 'local';
}

function localServers(value: unknown): readonly object[] {
  const { servers } = (value ?? {}) as { readonly servers?: unknown };
  return Array.isArray(servers) ? servers.filter(isLocal) : [];
}

function isLocal(server: unknown): server is object {
  return typeof server === 'object' && server !== null && 'type' in server && server.type === 'local';
}

function publishedContract(value: unknown, rows: string | null): unknown {
  if (rows === null || localServers(value).length === 0) return value;
  const contract = value as { readonly servers: readonly unknown[] };
  return {
    ...contract,
    servers: contract.servers.map(one => (isLocal(one) ? publishedServer(one, rows) : one)),
  };
}

/** The place of the rows in the tree instead of the publisher's lake. */
function publishedServer(
  { delimiter: _, ...server }: { readonly delimiter?: unknown },
  rows: string,
): object {
  return { ...server, path: rows, format: 'parquet' };
}

/** JSON on one line, which is valid YAML. */
function flow(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(flow).join(', ')}]`;
  if (typeof value !== 'object' || value === null) return quoted(value);
  const pairs = Object.entries(value).map(([key, inner]) => `${quoted(key)}: ${flow(inner)}`);
  return pairs.length === 0 ? '{}' : `{ ${pairs.join(', ')} }`;
}

function quoted(value: unknown): string {
  return typeof value === 'number' ? numberText(value) : JSON.stringify(value).replace(ODD, escaped);
}

function escaped(character: string): string {
  return `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;
}

/** 1.0e+21 where JSON has 1e+21: YAML 1.1 reads the latter as a text. */
function numberText(value: number): string {
  return String(value).replace(/^(-?\d+)e/, '$1.0e');
}

/** Null if every reader finds the same value. */
function rewritten(node: Scalar, own: string, isKey: boolean, inFlow: boolean): string | null {
  const { value, type } = node;
  if (isKey && isMergeKey(node)) return null;
  if (isKey && typeof value !== 'string') return own === '' ? null : quoted(keyText(node));
  if (typeof value === 'number')
    return SAME_NUMBER.test(own) || !Number.isFinite(value) ? null : numberText(value);
  if (typeof value !== 'string') return null;
  if (own.search(ODD) !== -1) return quoted(value);
  if (type !== 'PLAIN') return null;
  // In brackets, readers disagree on where ? and : end a text.
  return NOT_TEXT.test(value) || own.includes('\t') || (inFlow && /[?:]/.test(own)) ? quoted(value) : null;
}

/** Replaces the parts. YAML 1.1 doesn't skip tabs, so spaces replace them between parts. */
function joined(text: string, parts: readonly Part[], rows: string | null, from: number, to: number): string {
  let result = '';
  let at = from;
  for (const part of parts) {
    result += between(text.slice(at, part.start)) + part.text(rows);
    at = part.end;
  }
  return result + between(text.slice(at, to));
}

function between(text: string): string {
  return text.replaceAll('\t', ' ').replace(ODD, ' ');
}
