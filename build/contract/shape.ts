/** Checks the form of documents and of custom properties, and puts the errors of the validator into words. */
import type { ErrorObject } from 'ajv';
import { CONTRACT_SHAPE, type RawContract, type RawCustomProperty } from './contract-profile.ts';
import { type Diagnostic, quote, quoteList, suggestion } from './diagnostic.ts';
import type { Problems } from './problems.ts';
import { type Shape, validatorOf } from './validator.ts';
import type { Path } from './yaml-document.ts';

type Severity = Diagnostic['severity'];

interface WrongPart {
  readonly path: Path;
  /** Only a key is missing, so the rest of the part can be used. */
  readonly lacking: boolean;
}

/**
 * Reports each part of a value that doesn't fit a shape, at `pathOf(path in the value)`, and returns these
 * parts. A schema's `description` completes the sentence "… must be".
 */
export function checkShape(
  shape: Shape,
  value: unknown,
  pathOf: (path: Path) => Path,
  problems: Pick<Problems, Severity | 'atKey'>,
  severityOf: (path: Path) => Severity = () => 'error',
): readonly WrongPart[] {
  const validate = validatorOf(shape);
  if (validate(value)) return [];
  return (validate.errors ?? []).map(error => {
    const path = pathOfPointer(error.instancePath);
    const { code, message, inside = [], key } = describe(error, path);
    const at = pathOf([...path, ...inside]);
    const severity = severityOf(path);
    if (key) problems.atKey(severity, at, code, message);
    else problems[severity](at, code, message);
    return { path, lacking: error.keyword === 'required' };
  });
}

interface Finding {
  readonly code: string;
  readonly message: string;
  /** `inside`: the rest of the path. `key`: the problem is the key. */
  readonly inside?: Path;
  readonly key?: true;
}

function describe(error: ErrorObject, path: Path): Finding {
  const name = pathText(path) || 'the document';
  const { keyword, params, data, parentSchema } = error;
  const described = (parentSchema as { description?: string } | undefined)?.description;
  switch (keyword) {
    case 'required': {
      const key = quote(params.missingProperty);
      return { code: 'contract-missing', message: `${name} has no ${key}: add it` };
    }
    case 'additionalProperties': {
      const key = String(params.additionalProperty);
      const known = Object.keys((parentSchema as { properties?: object }).properties ?? {});
      const message = `unknown key ${quote(key)}${suggestion(key, known)}: the keys are ${known.join(', ')}`;
      return { code: 'contract-key', message, inside: [key], key: true };
    }
    case 'type': {
      const expected = [params.type].flat() as string[];
      const wanted = described ?? expected.map(type => TYPE_WORDS[type] ?? type).join(' or ');
      const quotes = expected.includes('string') && ['number', 'boolean'].includes(typeof data);
      const dashes = expected.includes('array') && typeof data === 'object' && data !== null;
      const remedy = quotes
        ? 'write it in quotes'
        : dashes
          ? 'begin each entry with a dash'
          : 'correct it or leave it out';
      const message = `${name} must be ${wanted}, not ${typeWords(data)}: ${remedy}`;
      return { code: 'contract-type', message };
    }
    case 'enum': {
      const allowed = params.allowedValues as string[];
      const nearest = typeof data === 'string' ? suggestion(data, allowed) : '';
      const message = `${name} is ${quote(data)}${nearest}: it must be one of ${quoteList(allowed)}`;
      return { code: 'contract-value', message };
    }
    case 'uniqueItems': {
      const index = Math.max(Number(params.i), Number(params.j));
      const message = `${name} lists ${quote((data as unknown[])[index])} twice: remove one`;
      return { code: 'contract-value', message, inside: [index] };
    }
    default: {
      const wanted = described ?? error.message?.replace(/^must (be )?/, '') ?? 'something else';
      return { code: 'contract-value', message: `${name} is ${quote(data)}: it must be ${wanted}` };
    }
  }
}

const TYPE_WORDS: Readonly<Record<string, string>> = {
  string: 'a text',
  number: 'a number',
  integer: 'a whole number',
  boolean: 'true or false',
  array: 'a list',
  object: 'a mapping',
  null: 'empty',
};

function typeWords(data: unknown): string {
  if (data === null || data === undefined) return 'empty';
  if (Array.isArray(data)) return 'a list';
  if (typeof data === 'number') return `the number ${data}`;
  if (typeof data === 'boolean') return String(data);
  return typeof data === 'object' ? 'a mapping' : `the text ${quote(data)}`;
}

function pathOfPointer(pointer: string): Path {
  if (pointer === '') return [];
  return pointer
    .slice(1)
    .split('/')
    .map(part => part.replaceAll('~1', '/').replaceAll('~0', '~'))
    .map(part => (/^\d{1,9}$/.test(part) ? Number(part) : part));
}

/** `schema[0].properties[2].name` */
function pathText(path: Path): string {
  return path
    .map((step, i) => (typeof step === 'number' ? `[${step}]` : i === 0 ? step : `.${step}`))
    .join('');
}

/** Keys with a text as value. In another tool's contract, a number or boolean there is read as text. */
const TEXTS = new Set([
  ...['apiVersion', 'id', 'name', 'version', 'status', 'domain', 'tenant', 'description'],
  ...['label', 'synonym'],
]);

/** Lists in which an entry can be null. */
const ENTRY_LISTS = new Set([
  ...['schema', 'properties', 'quality', 'customProperties', 'relationships', 'slaProperties'],
  ...['synonyms', 'constraints', 'verifiedStatements'],
]);

/**
 * Returns the well-formed parts, without keys that have no value or one of a wrong type, so that the same run
 * can check everything else.
 */
export function readContract(value: unknown, problems: Problems): RawContract {
  const view = withPurpose(withoutNulls(value, !problems.native));
  const severity = problems.native ? 'error' : 'warning';
  const wrong = checkShape(
    CONTRACT_SHAPE,
    view,
    path => path,
    problems,
    () => severity,
  );
  // Wrong entries become null, so that the paths of later entries stay valid.
  for (const part of wrong) remove(view, part);
  return view as RawContract;
}

/** Drops keys without a value. `lenient`: numbers become texts where texts belong. */
function withoutNulls(value: unknown, lenient: boolean): unknown {
  if (Array.isArray(value)) return value.map(inner => withoutNulls(inner, lenient));
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).filter(([, inner]) => inner !== null);
  return Object.fromEntries(
    entries.map(([key, inner]) => {
      const isText = lenient && TEXTS.has(key) && ['number', 'boolean'].includes(typeof inner);
      return [key, isText ? String(inner) : withoutNulls(inner, lenient)];
    }),
  );
}

/** A `description` may be one text. */
function withPurpose(view: unknown): unknown {
  const { description } = (view ?? {}) as { description?: unknown };
  return typeof description === 'string'
    ? { ...(view as object), description: { purpose: description } }
    : view;
}

/** Removes the smallest part around a wrong value that may be absent in `RawContract`. */
function remove(root: unknown, { path, lacking }: WrongPart): void {
  const rule = path.lastIndexOf('quality');
  const listed = path.lastIndexOf('enum');
  let end = path.length;
  if (rule >= 0 && path.length > rule + 1) end = rule + 2;
  else if (listed >= 0) end = listed + 1;
  else if (typeof path[end - 1] === 'number' && !ENTRY_LISTS.has(String(path[end - 2]))) end--;
  const parent = path.slice(0, end - 1).reduce<unknown>((node, step) => child(node, step), root);
  const last = path[end - 1];
  if (last === undefined || typeof parent !== 'object' || parent === null) return;
  if (lacking && end === path.length && end !== rule + 2) return;
  if (Array.isArray(parent)) parent[Number(last)] = null;
  else delete (parent as Record<string, unknown>)[String(last)];
}

function child(node: unknown, step: string | number): unknown {
  return typeof node === 'object' && node !== null && Object.hasOwn(node, step)
    ? (node as Record<string | number, unknown>)[step]
    : undefined;
}

/** A list of `customProperties`, by name. */
export interface CustomProperties<T> {
  /** Only values that fit their schema. */
  readonly values: Partial<T>;
  /** True also for a property of a wrong type, which isn't also missing. */
  states(name: keyof T & string): boolean;
  /** Path of a property's value or a part of it; the owner's path if the property is absent. */
  pathOf(name: keyof T & string, ...inside: Path): Path;
}

/**
 * Properties for people. Other tools may use the same names with other types, even in a contract written for
 * this service.
 */
const PROSE = new Set([
  ...[
    'title',
    'summary',
    'source',
    'source_url',
    'update_frequency',
    'sub_topic',
    'label',
    'short_description',
  ],
]);

/**
 * Reports properties stated twice. A value that doesn't fit is an error in a contract written for this
 * service; in others, and for prose, it's ignored with a note.
 */
export function readCustomProperties<T>(
  list: readonly (RawCustomProperty | null)[] | undefined,
  owner: Path,
  shape: Shape,
  problems: Problems,
): CustomProperties<T> {
  const indices = new Map<string, number>();
  const stated: [name: string, value: unknown][] = [];
  for (const [index, entry] of (list ?? []).entries()) {
    if (entry?.property === undefined) continue;
    const path = [...owner, 'customProperties', index, 'property'];
    const first = indices.get(entry.property);
    if (first !== undefined) {
      const { line } = problems.placeOf([...owner, 'customProperties', first]);
      const message = `the custom property ${quote(entry.property)} is already stated on line ${line}: remove one`;
      problems.doubt(path, 'custom-property-duplicate', message);
      continue;
    }
    indices.set(entry.property, index);
    if (entry.value !== undefined && entry.value !== null) stated.push([entry.property, entry.value]);
  }
  const pathOf = (name: string, ...inside: Path): Path => {
    const index = indices.get(name);
    return index === undefined ? owner : [...owner, 'customProperties', index, 'value', ...inside];
  };
  // fromEntries defines keys, so a property named __proto__ is an ordinary key.
  const values = Object.fromEntries(stated);
  const isTheirs = ([name]: Path) => !problems.native || PROSE.has(String(name));
  const wrong = checkShape(
    shape,
    values,
    ([name, ...inside]) => pathOf(String(name), ...inside),
    {
      ...problems,
      note: (path, _, message) => problems.note(path, 'custom-property-ignored', ignored(message)),
    },
    path => (isTheirs(path) ? 'note' : 'error'),
  );
  for (const { path } of wrong) delete values[String(path[0])];
  return { values: values as Partial<T>, states: name => indices.has(name), pathOf };
}

function ignored(message: string): string {
  return `${message.replace(/: (?:correct it or leave it out|write it in quotes)$/, '')}, so the build takes it for another tool’s and ignores it`;
}
