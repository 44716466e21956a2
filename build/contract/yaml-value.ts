import {
  type Alias,
  isAlias,
  isMap,
  isScalar,
  isSeq,
  type Node,
  type Pair,
  type Scalar,
  type YAMLMap,
} from 'yaml';

/** Deeper than any contract nests. The limit protects the stack of every later walk. */
const MAX_DEPTH = 64;

/** How many nodes aliases may repeat in one file: far above honest use, far below an attack. */
const MAX_REPEATED = 10_000;

/** A hundred times an honest contract's. Checks that compare a list with itself stay fast below it. */
const MAX_NODES = 100_000;

/** A problem of one node, before it has a file and a line. */
interface NodeProblem {
  readonly node: Node;
  readonly code: string;
  readonly message: string;
}

interface YamlValue {
  readonly value: unknown;
  /** The node that each alias stands for. */
  readonly targets: ReadonlyMap<Alias, Node>;
  readonly problems: readonly NodeProblem[];
  /** False if a limit stopped the reading. */
  readonly complete: boolean;
}

/**
 * Reads the JSON value of a YAML tree. This walk replaces the library's, because it refuses duplicate keys, aliases
 * that expand without end and nesting that would overflow the stack, all in one pass of linear time.
 */
export function readValue(root: Node | null): YamlValue {
  const targets = new Map<Alias, Node>();
  const problems: NodeProblem[] = [];
  const anchors = new Map<string, Node>();
  const open = new Set<Node>();
  let repeated = 0;
  let nodes = 0;
  let insideAlias = 0;
  let stopped = false;

  const stop = (node: Node, code: string, message: string) => {
    if (!stopped) problems.push({ node, code, message });
    stopped = true;
    return null;
  };

  const follow = (alias: Alias, depth: number): unknown => {
    const target = targets.get(alias) ?? anchors.get(alias.source);
    if (target === undefined) {
      const message = `the alias *${alias.source.slice(0, 40)} has no anchor before it: write the value out`;
      problems.push({ node: alias, code: 'yaml-alias', message });
      return null;
    }
    if (open.has(target)) {
      return stop(
        alias,
        'yaml-expansion',
        'the alias stands inside its own anchor and would expand without end: write the value out',
      );
    }
    targets.set(alias, target);
    insideAlias++;
    const value = walk(target, depth);
    insideAlias--;
    return value;
  };

  const mapValue = (map: YAMLMap, depth: number): unknown => {
    const result: Record<string, unknown> = {};
    const keys = new Set<string>();
    const merged: (Node | null)[] = [];
    for (const pair of map.items as Pair<Node | null, Node | null>[]) {
      if (stopped) break;
      if (isMerge(pair)) {
        merged.push(pair.value);
        continue;
      }
      const key = keyText(pair.key);
      if (key === null) {
        const message = 'a key must be a plain text: write `key: value`';
        problems.push({ node: pair.key ?? map, code: 'yaml-key', message });
        continue;
      }
      if (keys.has(key) && insideAlias === 0) {
        const message = `the key '${key.slice(0, 80)}' occurs twice in one mapping: remove one of the two`;
        problems.push({ node: pair.key ?? map, code: 'yaml-duplicate-key', message });
      }
      keys.add(key);
      const value = walk(pair.value, depth + 1);
      define(result, key, value);
    }
    // A mapping's own keys take precedence over merged ones, and earlier merged mappings over later ones.
    for (const node of merged.flatMap(mergedNodes)) {
      const value = walk(node, depth + 1);
      if (typeof value === 'object' && value !== null && !Array.isArray(value)) {
        for (const [key, inner] of Object.entries(value))
          if (!Object.hasOwn(result, key)) define(result, key, inner);
      } else if (!stopped) {
        const message = 'the merge key << accepts only a mapping or a list of mappings: write the keys out';
        problems.push({ node, code: 'yaml-merge', message });
      }
    }
    return result;
  };

  const walk = (node: Node | null, depth: number): unknown => {
    if (node === null || stopped) return null;
    if (++nodes > MAX_NODES) {
      const message = `the file has more than ${MAX_NODES} values: a contract describes rows and does not contain them`;
      return stop(node, 'yaml-size', message);
    }
    if (insideAlias > 0 && ++repeated > MAX_REPEATED) {
      return stop(
        node,
        'yaml-expansion',
        `aliases repeat more than ${MAX_REPEATED} values: write the values out`,
      );
    }
    if (depth > MAX_DEPTH) {
      return stop(
        node,
        'yaml-depth',
        `the file nests more than ${MAX_DEPTH} levels: no contract needs so many`,
      );
    }
    if (isAlias(node)) return follow(node, depth + 1);
    if (insideAlias === 0 && 'anchor' in node && node.anchor !== undefined) anchors.set(node.anchor, node);
    if (isScalar(node)) {
      if (typeof node.value === 'string' && node.value.includes('\0')) {
        const message = 'the text contains the character NUL, which cannot be published: remove it';
        problems.push({ node, code: 'yaml-text', message });
      }
      return isCode(node) ? node.source : scalarValue(node.value);
    }
    open.add(node);
    let value: unknown = null;
    if (isMap(node)) value = mapValue(node, depth);
    else if (isSeq(node)) value = node.items.map(item => walk(item as Node | null, depth + 1));
    open.delete(node);
    return value;
  };

  const value = walk(root, 0);
  return { value, targets, problems, complete: !stopped };
}

/** Defined, not assigned: a key named __proto__ stays a key. */
function define(object: Record<string, unknown>, key: string, value: unknown): void {
  Object.defineProperty(object, key, { value, enumerable: true, configurable: true, writable: true });
}

/**
 * Whether a pair is YAML 1.1's merge key `<<`. YAML 1.2 dropped it, but contract tools still use it. In quotes it is an
 * ordinary key. Source: https://yaml.org/type/merge.html
 */
export function isMerge(pair: Pair<Node | null, Node | null>): boolean {
  return isScalar(pair.key) && pair.key.type === 'PLAIN' && pair.key.value === '<<';
}

/** The mappings that a merge key names: one, or a list. */
export function mergedNodes(node: Node | null): Node[] {
  if (node === null) return [];
  return isSeq<Node>(node) ? node.items : [node];
}

export function keyText(key: Node | null): string | null {
  if (key === null) return '';
  if (!isScalar(key)) return null;
  // The keys of a mapping are texts, such as the codes 0123 and 1e3.
  return typeof key.value === 'number' && key.source !== undefined ? key.source : String(key.value ?? '');
}

/** A number with a zero before it is a code: YAML 1.2 would drop the zero, and YAML 1.1 would read another number. */
export function isCode({ value, source }: Scalar): boolean {
  return typeof value === 'number' && /^[-+]?0\d/.test(source ?? '');
}

function scalarValue(value: unknown): unknown {
  const type = typeof value;
  return type === 'string' || type === 'number' || type === 'boolean' || value === null
    ? value
    : String(value);
}
