/** Components of openapi.json that every tree shares. Pure. */
import {
  ColumnValue,
  DatasetSummary,
  DimensionEnvelope,
  ErrorDocument,
  FactEnvelope,
  RuleCounts,
  ValidationErrorDocument,
  ValidationProblem,
  WithdrawnSummary,
} from '../format/document-schemas.ts';
import { PAGE_ROWS } from '../format/documents.ts';
import { PLAIN_RULES, type PlainName, type PlainRule } from '../format/grammar.ts';
import type { Fields, Json } from '../format/json.ts';
import { API_ROOT, route } from '../format/paths.ts';
import {
  ColumnDescriptor,
  DimensionColumnDescriptor,
  DimensionSchemaDocument,
  FilterDescriptor,
  ForeignKeyDescriptor,
  type SchemaDocument,
} from '../format/schema.ts';

/** What the parameters of all rows mean, and the defaults and examples of their values. */
const PARAMETERS: Readonly<Record<PlainName, { readonly description: string; readonly values?: Fields }>> = {
  limit: {
    description: `Maximum number of rows in the answer. JSON: the default and the maximum are ${PAGE_ROWS}. CSV and Parquet: all rows by default.`,
  },
  offset: {
    description: 'Number of rows to skip. Past the end, the answer is empty.',
    values: { default: 0 },
  },
  format: { description: 'Format of the answer.', values: { default: 'json' } },
  as_of: {
    description:
      'The rows as they were published then: a date, or the name of a release. Columns, filters and versions are those of that time.',
    values: { examples: ['2026-11-21', '2026-11-21-3f9a2b7c'] },
  },
  history: {
    description:
      'With the whole key of one figure, its NULL columns left out: each value that it had, from when to when, and why it changed, as JSON.',
  },
};

/** The parameters that every table's rows have, as operations refer to them. */
export const ROW_PARAMETERS = PLAIN_RULES.map(({ name }) => reference('parameters', name));

function valuesOf(rule: PlainRule): Fields {
  switch (rule.kind) {
    case 'integer':
      return { type: 'integer', minimum: rule.least };
    case 'choice':
      return { type: 'string', enum: rule.choices };
    case 'moment':
      return { type: 'string' };
    default:
      return rule satisfies never;
  }
}

function textParameter(name: string, description: string): Fields {
  return { name, in: 'query', description, schema: { type: 'string' } };
}

/** The refusals of operations, by their names among the components. */
export const REFUSALS = {
  NotFound: [404, 'No such dataset, dimension or route; the body suggests the nearest name.'],
  MethodNotAllowed: [405, 'The service is read-only: GET, HEAD and OPTIONS.'],
  ValidationError: [422, 'One or more parameters are invalid; the body lists all of them.'],
  NotComputed: [
    501,
    'This host serves files and cannot compute this answer. The body names the files to read, what remains to be done with their rows, and SQL that does it.',
  ],
  BrokenTree: [502, 'A stored file is missing or does not match its manifest; the body names it.'],
} as const satisfies Readonly<Record<string, readonly [status: number, description: string]>>;

export type Refusal = keyof typeof REFUSALS;

/** `first`: the schema of the dataset that examples of refusals name; absent if the tree has none. */
export function fixedComponents(first: SchemaDocument | undefined, documents: readonly NamedSchema[]): Json {
  const examples = first === undefined ? {} : refusalExamples(first);
  return {
    parameters: {
      ...Object.fromEntries(
        PLAIN_RULES.map(rule => {
          const { description, values } = PARAMETERS[rule.name];
          const schema = { ...valuesOf(rule), ...values };
          return [rule.name, { name: rule.name, in: 'query', description, schema }];
        }),
      ),
      followedPlace: textParameter(
        'place',
        'Whole keys of places, as for the rows; filters on other columns of the grain work too. A host of files answers the feed of the whole dataset.',
      ),
      followedDetail: textParameter('detail', 'Level of detail of the rows that the feed follows.'),
    },
    schemas: componentSchemas(documents),
    responses: {
      Feed: {
        description: 'An Atom feed with an entry for each release that changed something.',
        content: { 'application/xml': { schema: { type: 'string' } } },
      },
      ...Object.fromEntries(
        Object.entries(REFUSALS).map(([name, [, description]]) => {
          const schema = reference(
            'schemas',
            name === 'ValidationError' ? 'ValidationErrorBody' : 'ErrorBody',
          );
          const content = { 'application/json': { schema, examples: examples[name as Refusal] } };
          return [name, { description, content }];
        }),
      ),
    },
  };
}

/** An envelope with its rows. */
function page(envelope: { readonly required: readonly string[]; readonly properties: object }): object {
  const data = { type: 'array', items: { type: 'object' } };
  return {
    ...envelope,
    required: [...envelope.required, 'data'],
    properties: { ...envelope.properties, data },
  };
}

const COMPONENTS: Readonly<Record<string, object>> = {
  RuleCounts,
  DatasetSummary,
  WithdrawnSummary,
  Column: ColumnDescriptor,
  Filter: FilterDescriptor,
  ForeignKey: ForeignKeyDescriptor,
  ColumnValue,
  DimensionSchema: DimensionSchemaDocument,
  DimensionColumn: DimensionColumnDescriptor,
  FactPage: page(FactEnvelope),
  DimensionPage: page(DimensionEnvelope),
  Problem: ValidationProblem,
  ValidationErrorBody: ValidationErrorDocument,
  ErrorBody: ErrorDocument,
};

interface NamedSchema {
  readonly name: string;
  readonly schema: object;
}

/** The schemas of these documents and of all others, by their names. Where one contains another, it refers to it. */
function componentSchemas(documents: readonly NamedSchema[]): Readonly<Record<string, Json>> {
  const own = documents.map(({ name, schema }) => [name, schema] as const);
  const all = Object.fromEntries([...own, ...Object.entries(COMPONENTS)]);
  const names = new Map<unknown, string>(Object.entries(all).map(([name, schema]) => [schema, name]));
  return Object.fromEntries(
    Object.entries(all).map(([name, schema]) => {
      const text = JSON.stringify(schema, (_, part: unknown) => {
        const other = names.get(part);
        return other === undefined || other === name ? part : reference('schemas', other);
      });
      return [name, JSON.parse(text) as Json];
    }),
  );
}

export function reference(kind: 'schemas' | 'parameters' | 'responses', name: string): Json {
  return { $ref: `#/components/${kind}/${name}` };
}

/** Refused requests with their answers, as a response's `examples`. */
function refusalExamples(schema: SchemaDocument): Partial<Record<Refusal, Json>> {
  const { main_topic: domain, topic, year_max: year } = schema;
  const path = route.facts(domain, topic);
  const wrong = `${topic}x`;
  // A dataset without time has no parameter `year`.
  const [misspelt, meant, input] =
    year === null ? ['detial', 'detail', schema.default_detail] : ['yaer', 'year', String(year)];
  const parameters = [...schema.filters.map(filter => filter.param), ...PLAIN_RULES.map(rule => rule.name)];
  return {
    NotFound: example('unknown_dataset', route.schema(domain, wrong), {
      detail: `There is no dataset ${domain}/${wrong}. Did you mean ${domain}/${topic}? /${API_ROOT}/datasets lists all.`,
    }),
    ValidationError: example('unknown_parameter', `${path}?${misspelt}=${input}`, {
      detail: [
        {
          type: 'extra_forbidden',
          loc: ['query', misspelt],
          msg: `Unknown parameter. Did you mean '${meant}'?`,
          input,
          ctx: { expected: parameters, nearest: meant, url: `${path}?${meant}=${input}` },
        },
      ],
    }),
  };
}

function example(name: string, url: string, value: Json): Json {
  return { [name]: { summary: `GET ${url}`, value } };
}
