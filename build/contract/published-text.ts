/**
 * A contract as it is published: the publisher's text, in which readers of YAML 1.1 find the same values as readers of
 * YAML 1.2, and with servers that a reader of the tree has. Pure.
 */
import { isAlias, isCollection, isMap, isScalar, type Node, type Scalar, visit, type YAMLMap } from 'yaml';
import { isCode, keyText } from './yaml-value.ts';

/** One part of a text, and what is published there. */
interface Part {
  readonly start: number;
  readonly end: number;
  readonly text: (rows: string | null) => string;
}

/** A plain text that YAML 1.1, or one of its readers, takes for a boolean, null, a number, a time or a merge. */
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

/** A number that YAML 1.1 and 1.2 read alike. The first takes 012 for ten, and 1e3 for a text. */
const SAME_NUMBER = /^[-+]?(?:0|[1-9][0-9]*)$|^[-+]?[0-9]+\.[0-9]*(?:[eE][-+][0-9]+)?$/;

/** Line breaks of YAML 1.1 alone, and characters for which it has no place. */
const ODD = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f\u2028\u2029\ufffe\uffff]/g;

/**
 * Returns what gives the text of a document, which is `root` and has the part of the text from `from` to `to`. `rows` is
 * where a reader finds the rows, relative to the contract, and replaces the places of local servers; null leaves them. A
 * text becomes JSON if it has tags, or names of anchors that some readers do not know, or servers that stand elsewhere.
 */
export function publication(
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

/** The scalars and local servers of a text; null if another text must take its place. */
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

/** Whether a node is a local server that can be written anew, since nothing in it is named for use elsewhere. */
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

/** The value of a contract as it is published. */
export function publishedContract(value: unknown, rows: string | null): unknown {
  if (rows === null || localServers(value).length === 0) return value;
  const contract = value as { readonly servers: readonly unknown[] };
  return {
    ...contract,
    servers: contract.servers.map(one => (isLocal(one) ? publishedServer(one, rows) : one)),
  };
}

/** A local server, with the rows' place in the tree instead of that in the publisher's lake. */
function publishedServer(
  { delimiter: _, ...server }: { readonly delimiter?: unknown },
  rows: string,
): object {
  return { ...server, path: rows, format: 'parquet' };
}

/** JSON on one line, which YAML reads as it is. */
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

/** A number as both versions read it: 1.0e+21 where JSON has 1e+21. */
function numberText(value: number): string {
  return String(value).replace(/^(-?\d+)e/, '$1.0e');
}

/** How a scalar is written instead; null if every reader finds the same value in its own text. */
function rewritten(node: Scalar, own: string, isKey: boolean, inFlow: boolean): string | null {
  const { value, type } = node;
  if (isKey && typeof value !== 'string') return own === '' ? null : quoted(keyText(node));
  if (isCode(node)) return quoted(node.source);
  if (typeof value === 'number')
    return SAME_NUMBER.test(own) || !Number.isFinite(value) ? null : numberText(value);
  if (typeof value !== 'string') return null;
  if (own.search(ODD) !== -1) return quoted(value);
  if (type !== 'PLAIN' || (isKey && value === '<<')) return null;
  // In brackets, readers differ in what ? and : end.
  return NOT_TEXT.test(value) || own.includes('\t') || (inFlow && /[?:]/.test(own)) ? quoted(value) : null;
}

/** The text with its parts replaced, and with spaces for tabs between them, which YAML 1.1 does not skip. */
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
