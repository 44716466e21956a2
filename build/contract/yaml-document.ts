import {
  type Alias,
  type Document,
  isAlias,
  isMap,
  isScalar,
  isSeq,
  LineCounter,
  type Node,
  type Pair,
  parseAllDocuments,
  parseDocument,
} from 'yaml';
import type { ContractSource, Place } from './dataset.ts';
import { type Diagnostic, diagnosticAt } from './diagnostic.ts';
import { publication, publishedContract } from './published-text.ts';
import { inert } from './quoting.ts';
import { isMerge, mergedNodes, readValue } from './yaml-value.ts';

/** Keys and indices from a document's root. */
export type Path = readonly (string | number)[];

/** A parsed YAML text: its JSON value, and the place of each part. */
export interface YamlDocument {
  readonly file: string;
  readonly text: string;
  readonly value: unknown;
  /** The text as it is published; `rows` as for `publication`. */
  published(rows: string | null): string;
  /** Place of the value at a path, or of the nearest existing part around it. */
  placeOf(path: Path): Place;
  /** Place of the key that a path ends in. */
  placeOfKey(path: Path): Place;
}

interface YamlReading {
  /**
   * Empty if the text cannot be read to its end. A lesser error, such as a duplicate key, still gives a document. `text`
   * is the document's own part of the file.
   */
  readonly documents: readonly YamlDocument[];
  readonly diagnostics: readonly Diagnostic[];
}

const MAX_BYTES = 2 * 1024 * 1024;

const TOO_DEEP = 'the nesting is too deep to read: no contract needs so many levels';

/** One broken bracket can make a syntax error of every line after it. */
const MAX_SYNTAX_ERRORS = 20;

/** Reads the YAML 1.2 documents of a file, usually one. Never throws: every problem is a diagnostic with a `yaml-…` code. */
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
  for (const [i, { contents: root, range }] of all.entries()) {
    const { value, targets, problems, complete } = readValue(root);
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
 * The source of what one table of a contract compiles to. `text` is the whole contract's; the parsed document keeps the
 * other tables out, so that its `schema` has one entry, whichever table it is. `rows` is where the tree has the rows.
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

type Parsed = Pick<Document<Node, true>, 'contents' | 'errors' | 'warnings' | 'range'>;

function parse(text: string, lineCounter: LineCounter): readonly Parsed[] | null {
  try {
    // The core schema whatever a %YAML directive says: 1.1 reads `no` as false and dates as objects. Duplicate
    // keys are found by our own walk, because the library compares every key with every other.
    const all = parseAllDocuments(text, {
      lineCounter,
      schema: 'core',
      resolveKnownTags: false,
      uniqueKeys: false,
      prettyErrors: false,
    });
    const list: Parsed[] = [...all];
    // A line of dashes at the end begins a document without content.
    const filled = list.filter(({ contents, errors }) => !isEmpty(contents) || errors.length > 0);
    return filled.length > 0 ? filled : [list[0] ?? parseDocument(text, { lineCounter })];
  } catch (error) {
    // The library composes recursively and has no limit of its own.
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

/** The deepest node on a path that exists, through aliases, and its key. */
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

/** The pair of a key: the mapping's own, or that of a mapping that it merges in. */
function findPair(
  map: Node,
  key: string,
  targets: ReadonlyMap<Alias, Node>,
): Pair<Node, Node | null> | undefined {
  if (!isMap<Node, Node | null>(map)) return undefined;
  const own = map.items.find(
    item => !isMerge(item) && isScalar(item.key) && String(item.key.value ?? '') === key,
  );
  if (own !== undefined) return own;
  for (const node of map.items.filter(isMerge).flatMap(({ value }) => mergedNodes(value))) {
    const found = findPair(resolved(node, targets), key, targets);
    if (found !== undefined) return found;
  }
  return undefined;
}
