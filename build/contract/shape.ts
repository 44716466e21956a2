import { Ajv, type AnySchemaObject, type ErrorObject, type ValidateFunction } from 'ajv';
import { suggestion } from './nearest-name.ts';
import type { Problems } from './problems.ts';
import { quote, quoteList } from './quoting.ts';
import type { Path } from './yaml-document.ts';

/** What a part of a document must look like: a JSON Schema, compiled when it is first used and then kept. */
export interface Shape {
  readonly validate: () => ValidateFunction;
}

let ajv: Ajv | undefined;

export function shapeOf(schema: AnySchemaObject): Shape {
  let compiled: ValidateFunction | undefined;
  return {
    validate: () => {
      // `verbose` brings the value and the schema into each error: the message needs both.
      ajv ??= new Ajv({ allErrors: true, verbose: true, allowUnionTypes: true });
      compiled ??= ajv.compile(schema);
      return compiled;
    },
  };
}

/**
 * Reports everything about a value that is not of a shape, at `pathOf(path in the value)`, and returns the paths
 * in the value that are wrong. A schema's `description` completes the sentence "… must be".
 */
export function checkShape(
  shape: Shape,
  value: unknown,
  pathOf: (path: Path) => Path,
  problems: Problems,
): readonly Path[] {
  const validate = shape.validate();
  if (validate(value)) return [];
  return (validate.errors ?? []).map(error => {
    const path = pathOfPointer(error.instancePath);
    report(error, path, pathOf, problems);
    return path;
  });
}

function report(error: ErrorObject, path: Path, pathOf: (path: Path) => Path, problems: Problems): void {
  const at = pathOf(path);
  const name = pathText(path);
  const { keyword, params, data, parentSchema } = error;
  const described = (parentSchema as { description?: string } | undefined)?.description;
  switch (keyword) {
    case 'required': {
      const key = String(params['missingProperty']);
      const inside = name === '' ? 'the document' : name;
      return problems.error(at, 'contract-missing', `${inside} has no ${quote(key)}: add it`);
    }
    case 'additionalProperties': {
      const key = String(params['additionalProperty']);
      const known = Object.keys((parentSchema as { properties?: object }).properties ?? {});
      const message = `unknown key ${quote(key)}${suggestion(key, known)}: the keys are ${known.join(', ')}`;
      return problems.errorAtKey([...at, key], 'contract-key', message);
    }
    case 'type': {
      const expected = [params['type']].flat() as string[];
      const wanted = described ?? expected.map(type => TYPE_WORDS[type] ?? type).join(' or ');
      const quotes = expected.includes('string') && ['number', 'boolean'].includes(typeof data);
      const remedy = quotes ? `write it in quotes: "${String(data)}"` : 'correct it or leave it out';
      const message = `${name || 'the document'} must be ${wanted}, not ${typeWords(data)}: ${remedy}`;
      return problems.error(at, 'contract-type', message);
    }
    case 'enum': {
      const allowed = params['allowedValues'] as string[];
      const nearest = typeof data === 'string' ? suggestion(data, allowed) : '';
      const message = `${name} is ${quote(data)}${nearest}: it must be one of ${quoteList(allowed)}`;
      return problems.error(at, 'contract-value', message);
    }
    case 'uniqueItems': {
      const item = (data as unknown[])[Number(params['i'])];
      const second = pathOf([...path, Number(params['i'])]);
      return problems.error(second, 'contract-value', `${name} lists ${quote(item)} twice: remove one`);
    }
    default: {
      const wanted = described ?? error.message?.replace(/^must (be )?/, '') ?? 'something else';
      const message = `${name} is ${quote(data)}: it must be ${wanted}`;
      return problems.error(at, 'contract-value', message);
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
  return path.map((step, i) => (typeof step === 'number' ? `[${step}]` : i === 0 ? step : `.${step}`)).join('');
}
