/** Changes of a source that may compile and do something else, and the order in which they are tried. */
import { createHash } from 'node:crypto';
import { parseAst } from 'rolldown/parseAst';

/** One change of one place of a source. */
export interface Mutation {
  /** From the project's root, with forward slashes. */
  readonly file: string;
  /** From 1. */
  readonly line: number;
  readonly kind: MutationKind;
  /** Offset of `before` in the file's text. */
  readonly start: number;
  /** The line's text and the number of equal changes before: these find the place after edits elsewhere. */
  readonly text: string;
  readonly turn: number;
  readonly before: string;
  readonly after: string;
}

type MutationKind = 'comparison' | 'logic' | 'constant' | 'branch' | 'await' | 'arithmetic';

interface Node {
  readonly type: string;
  readonly start: number;
  readonly end: number;
  readonly [property: string]: unknown;
}

const REVERSED: Readonly<Record<string, readonly [MutationKind, string]>> = {
  '<': ['comparison', '>='],
  '<=': ['comparison', '<'],
  '>': ['comparison', '<='],
  '>=': ['comparison', '>'],
  '===': ['comparison', '!=='],
  '!==': ['comparison', '==='],
  '&&': ['logic', '||'],
  '||': ['logic', '&&'],
  '-': ['arithmetic', '+'],
  '*': ['arithmetic', '/'],
  '/': ['arithmetic', '*'],
};

/** Every mutation of a source, in the order of the text. */
export function mutationsOf(file: string, text: string): Mutation[] {
  const found: Mutation[] = [];
  const lines = text.split('\n');
  const turns = new Map<string, number>();
  const add = (kind: MutationKind, start: number, before: string, after: string): void => {
    const line = text.slice(0, start).split('\n').length;
    const place = { file, line, kind, start, text: lines[line - 1]?.trim() ?? '', before, after };
    const change = keyOf({ ...place, turn: 0 });
    const turn = turns.get(change) ?? 0;
    turns.set(change, turn + 1);
    found.push({ ...place, turn });
  };
  visit(parseAst(text, { lang: file.endsWith('.tsx') ? 'tsx' : 'ts' }), node => {
    const { left, right, operator, test, value, argument } = node;
    if (isNode(left) && isNode(right) && typeof operator === 'string') {
      const reversed = REVERSED[operator];
      const at = text.indexOf(operator, left.end);
      if (reversed !== undefined && at >= 0 && at < right.start) add(reversed[0], at, operator, reversed[1]);
    } else if (node.type === 'IfStatement' && isNode(test)) {
      add('branch', test.start, text.slice(test.start, test.end), 'false');
    } else if (node.type === 'Literal' && typeof value === 'number') {
      add('constant', node.start, text.slice(node.start, node.end), String(value + 1));
    } else if (node.type === 'Literal' && typeof value === 'boolean') {
      add('constant', node.start, String(value), String(!value));
    } else if (node.type === 'AwaitExpression' && isNode(argument)) {
      add('await', node.start, text.slice(node.start, argument.start), '');
    }
  });
  return found.sort((one, other) => one.start - other.start);
}

/** Identifies a mutation across runs and edits elsewhere. */
export function keyOf({ file, text, turn, before, after }: Mutation): string {
  return `${file} ${text} ${turn} ${before} ${after}`;
}

/** The text with some of its mutations. */
export function mutatedText(text: string, mutations: readonly Mutation[]): string {
  return [...mutations]
    .sort((one, other) => other.start - one.start)
    .reduce(
      (sum, { start, before, after }) => sum.slice(0, start) + after + sum.slice(start + before.length),
      text,
    );
}

function isNode(value: unknown): value is Node {
  return typeof value === 'object' && value !== null && 'type' in value && typeof value.type === 'string';
}

/** Visits all nodes except types, which do nothing at run time. */
function visit(value: unknown, see: (node: Node) => void): void {
  if (Array.isArray(value)) {
    for (const item of value) visit(item, see);
  } else if (isNode(value) && !/^TS(Type|Literal|Interface|Enum)/.test(value.type)) {
    see(value);
    for (const child of Object.values(value)) if (typeof child === 'object') visit(child, see);
  }
}

/** The first two folders of a source's path, or only the first for files directly in it. */
export function roomOf(file: string): string {
  const [half = '', room = ''] = file.split('/');
  return room.includes('.') ? half : `${half}/${room}`;
}

/**
 * The mutations of each room in the order of a seed: first one of each kind, then a second of each. Each mutation has a
 * hash of its own, so an edit of one file doesn't change the order of the others' mutations.
 */
export function drawMutations(seed: number, all: readonly Mutation[]): Map<string, Mutation[]> {
  const drawn = all
    .map(mutation => ({
      mutation,
      hash: createHash('sha256')
        .update(`${seed} ${keyOf(mutation)}`)
        .digest('hex'),
    }))
    .sort((one, other) => (one.hash < other.hash ? -1 : 1));
  const counts = new Map<string, number>();
  const rounds = drawn.map(({ mutation }) => {
    const room = roomOf(mutation.file);
    const kind = `${room} ${mutation.kind}`;
    const round = counts.get(kind) ?? 0;
    counts.set(kind, round + 1);
    return { mutation, room, round };
  });
  rounds.sort((one, other) => one.round - other.round);
  const names = [...new Set(rounds.map(({ room }) => room))].sort();
  return new Map(
    names.map(name => [name, rounds.flatMap(({ room, mutation }) => (room === name ? [mutation] : []))]),
  );
}
