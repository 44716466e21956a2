import type { ErrorObject } from 'ajv';
import type { Diagnostic } from './diagnostic.ts';
import { suggestion } from './nearest-name.ts';
import type { Problems } from './problems.ts';
import { quote, quoteList } from './quoting.ts';
import { type Shape, validatorOf } from './validator.ts';
import type { Path } from './yaml-document.ts';

type Severity = Diagnostic['severity'];

/** A part of a value that does not fit its shape. */
export interface WrongPart {
  readonly path: Path;
  /** Whether the part only lacks a key, so that the rest of it can be used. */
  readonly lacking: boolean;
}

/**
 * Reports every part of a value that does not fit a shape, at `pathOf(path in the value)`, and returns those parts. A
 * schema's `description` completes the sentence "… must be". `severityOf` takes a path in the value.
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
  /** The rest of the path, if the problem is inside the value; `key`: the problem is the key. */
  readonly inside?: Path;
  readonly key?: true;
}

/** Puts an error of the validator into words. */
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
