/** Where a source can be changed so that it still compiles and does something else. */
import { parseAst } from 'vitest/node';

/** One change of one place of a source. */
export interface Mutation {
  /** From the project's root, with forward slashes. */
  readonly file: string;
  /** From 1. */
  readonly line: number;
  readonly kind: MutationKind;
  /** Offset in the file's text of what is replaced. */
  readonly start: number;
  /** The line's text, and how many equal changes of equal lines come before: they find the place after other edits. */
  readonly text: string;
  readonly turn: number;
  readonly before: string;
  readonly after: string;
}

export type MutationKind = 'comparison' | 'logic' | 'constant' | 'branch' | 'await' | 'arithmetic';

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
  const add = (kind: MutationKind, start: number, before: string, after: string): void => {
    const line = text.slice(0, start).split('\n').length;
    const place = { file, line, kind, start, text: lines[line - 1]?.trim() ?? '', before, after };
    const turn = found.filter(one => sameChange(one, place)).length;
    found.push({ ...place, turn });
  };
  visit(parseAst(text, { lang: file.endsWith('.tsx') ? 'tsx' : 'ts' }), node => {
    const { left, right, operator, test, value, argument } = node;
    if (isNode(left) && isNode(right) && typeof operator === 'string') {
      const reversed = REVERSED[operator];
      const at = text.indexOf(operator, left.end);
      if (reversed !== undefined && at >= 0 && at < right.start) add(reversed[0], at, operator, reversed[1]);
    } else if (node.type === 'IfStatement' && isNode(test)) {
      const condition = text.slice(test.start, test.end);
      add('branch', test.start, condition, 'false');
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

/** The text with some of its mutations. */
export function mutatedText(text: string, mutations: readonly Mutation[]): string {
  return [...mutations]
    .sort((one, other) => other.start - one.start)
    .reduce(
      (sum, { start, before, after }) => sum.slice(0, start) + after + sum.slice(start + before.length),
      text,
    );
}

export function same(one: Mutation, other: Mutation): boolean {
  return sameChange(one, other) && one.turn === other.turn;
}

type Change = Pick<Mutation, 'file' | 'text' | 'before' | 'after'>;

function sameChange(one: Change, other: Change): boolean {
  return (
    one.file === other.file &&
    one.text === other.text &&
    one.before === other.before &&
    one.after === other.after
  );
}

function isNode(value: unknown): value is Node {
  return typeof value === 'object' && value !== null && 'type' in value && typeof value.type === 'string';
}

/** Types say nothing at run time: what is in them is left alone. */
function visit(value: unknown, see: (node: Node) => void): void {
  if (Array.isArray(value)) {
    for (const item of value) visit(item, see);
  } else if (isNode(value) && !/^TS(Type|Literal|Interface|Enum)/.test(value.type)) {
    see(value);
    for (const child of Object.values(value)) if (typeof child === 'object') visit(child, see);
  }
}
