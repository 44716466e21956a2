/** A source file for the rules: its imports, exports and names, by its syntax tree. */
import path from 'node:path';
import { parseAst } from 'rolldown/parseAst';

export interface Source {
  /** From the project's root, with forward slashes. */
  readonly path: string;
  readonly text: string;
  readonly imports: readonly Import[];
  /** Lines that print or exit. */
  readonly outputs: readonly number[];
  /** Identifiers and the text of literals and templates, without comments. */
  readonly words: readonly Word[];
  /** Text that JSX shows: between tags, and in literals and labels. */
  readonly shown: readonly Word[];
}

export interface Word {
  readonly text: string;
  readonly line: number;
}

export interface Import {
  /** As written; null where a dynamic import computes it. */
  readonly specifier: string | null;
  /** The project's file that it names; null for a package and for Node's own modules. */
  readonly target: string | null;
  readonly line: number;
  /** Whether the whole import disappears in compiled code. */
  readonly isType: boolean;
}

interface Node {
  readonly type: string;
  readonly start: number;
  readonly [property: string]: unknown;
}

/** Import and export declarations, dynamic imports, and the types `import('…')`. */
const IMPORTS = new Set([
  'ImportDeclaration',
  'ExportNamedDeclaration',
  'ExportAllDeclaration',
  'ImportExpression',
  'TSImportType',
]);

export function parseSource(file: string, text: string): Source {
  const imports: Import[] = [];
  const outputs: number[] = [];
  const words: Word[] = [];
  const shown: Word[] = [];
  const lineOf = lineCounter(text);
  const lang = file.endsWith('.d.ts') ? 'dts' : file.endsWith('.tsx') ? 'tsx' : 'ts';
  visit(parseAst(text, { lang }), node => {
    const line = lineOf(node.start);
    const word = wordOf(node);
    if (word !== null) words.push({ text: word, line });
    for (const one of shownIn(node)) shown.push({ text: wordOf(one) ?? '', line: lineOf(one.start) });
    if (IMPORTS.has(node.type) && isNode(node.source)) {
      const { value } = node.source;
      const specifier = typeof value === 'string' ? value : null;
      const target = specifier === null ? null : resolve(file, specifier);
      const isType = node.importKind === 'type' || node.exportKind === 'type' || node.type === 'TSImportType';
      imports.push({ specifier, target, line, isType });
    } else if (node.type === 'MemberExpression' && isOutput(node)) outputs.push(line);
  });
  return { path: file, text, imports, outputs, words, shown };
}

/** The part after a question mark is for the bundler. */
function resolve(file: string, specifier: string): string | null {
  const [name = ''] = specifier.split('?');
  return specifier.startsWith('.') ? path.posix.join(path.posix.dirname(file), name) : null;
}

/** `console.…`, `process.stdout`, `process.stderr`, `process.exit`, `process.exitCode`. */
function isOutput(node: Node): boolean {
  const { object, property } = node;
  if (!isNode(object) || object.type !== 'Identifier') return false;
  if (object.name === 'console') return true;
  const member = isNode(property) ? property.name : undefined;
  return object.name === 'process' && /^(stdout|stderr|exit|exitCode)$/.test(String(member));
}

function wordOf(node: Node): string | null {
  const { name, value } = node;
  if ((node.type === 'Identifier' || node.type === 'JSXIdentifier') && typeof name === 'string') return name;
  if ((node.type === 'Literal' || node.type === 'JSXText') && typeof value === 'string') return value;
  if (node.type !== 'TemplateElement' || typeof value !== 'object' || value === null) return null;
  return 'raw' in value ? String(value.raw) : null;
}

/** Attributes that a reader sees or hears, of elements and our components. */
const SHOWN_ATTRIBUTES = new Set([
  'aria-label',
  'title',
  'placeholder',
  'alt',
  'label',
  'data-label',
  'hint',
]);
/** These elements hold code or a key. */
const CODE_ELEMENTS = new Set(['code', 'kbd', 'pre']);

function shownIn(node: Node): readonly Node[] {
  if (node.type === 'JSXAttribute' && isNode(node.name) && isNode(node.value))
    return SHOWN_ATTRIBUTES.has(String(node.name.name)) ? literalsOf(node.value) : [];
  if (node.type !== 'JSXElement' && node.type !== 'JSXFragment') return [];
  const { openingElement, children } = node;
  const name = isNode(openingElement) && isNode(openingElement.name) ? openingElement.name.name : undefined;
  if (CODE_ELEMENTS.has(String(name))) return [];
  return (Array.isArray(children) ? children : []).filter(isNode).flatMap(literalsOf);
}

/** The possible literals of an expression. */
function literalsOf(node: Node): readonly Node[] {
  const of = (...parts: readonly unknown[]) => parts.filter(isNode).flatMap(literalsOf);
  switch (node.type) {
    case 'Literal':
    case 'JSXText':
    case 'TemplateElement':
      return [node];
    case 'TemplateLiteral':
      return of(...(Array.isArray(node.quasis) ? node.quasis : []));
    case 'JSXExpressionContainer':
      return of(node.expression);
    case 'ConditionalExpression':
      return of(node.consequent, node.alternate);
    case 'LogicalExpression':
      return of(node.left, node.right);
    case 'BinaryExpression':
      return node.operator === '+' ? of(node.left, node.right) : [];
    default:
      return [];
  }
}

function isNode(value: unknown): value is Node {
  return typeof value === 'object' && value !== null && 'type' in value && typeof value.type === 'string';
}

function visit(value: unknown, see: (node: Node) => void): void {
  if (Array.isArray(value)) {
    for (const item of value) visit(item, see);
  } else if (isNode(value)) {
    see(value);
    for (const child of Object.values(value)) if (typeof child === 'object') visit(child, see);
  }
}

/** Line of an offset, counted from 1. */
function lineCounter(text: string): (offset: number) => number {
  const starts = [0];
  for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) starts.push(at + 1);
  return offset => {
    const next = starts.findIndex(start => start > offset);
    return next < 0 ? starts.length : next;
  };
}
