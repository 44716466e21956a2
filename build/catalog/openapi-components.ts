/** Components of openapi.json that every tree shares. Pure. */
import { ColumnValue, DatasetSummary, RuleCounts, WithdrawnSummary } from '../format/document-schemas.ts';
import { PAGE_ROWS } from '../format/documents.ts';
import { PLAIN_RULES } from '../format/grammar.ts';
import type { Json } from '../format/json.ts';
import { API_ROOT, route } from '../format/paths.ts';
import {
  ColumnDescriptor,
  DimensionColumnDescriptor,
  DimensionSchemaDocument,
  FilterDescriptor,
  ForeignKeyDescriptor,
  type SchemaDocument,
} from '../format/schema.ts';

/** Examples of refused requests with their answers, in the form of a response's `examples`. */
interface ErrorExamples {
  readonly notFound: Json;
  readonly validation: Json;
}

/** `examples`: examples of errors; null if the tree has no dataset. */
export function fixedComponents(examples: ErrorExamples | null, documents: readonly NamedSchema[]): Json {
  return {
    parameters: {
      limit: {
        name: 'limit',
        in: 'query',
        description: `Maximum number of rows in the answer. JSON: the default and the maximum are ${PAGE_ROWS}. CSV and Parquet: all rows by default.`,
        schema: { type: 'integer', minimum: 1 },
      },
      asOf: {
        name: 'as_of',
        in: 'query',
        description:
          'The rows as they were published then: a date, or the name of a release. Columns, filters and versions are those of that time.',
        schema: { type: 'string', examples: ['2026-11-21', '2026-11-21-3f9a2b7c'] },
      },
      history: {
        name: 'history',
        in: 'query',
        description:
          'With the whole key of one figure, its NULL columns left out: each value that it had, from when to when, and why it changed, as JSON.',
        schema: { type: 'string', enum: ['true'] },
      },
      followedPlace: {
        name: 'place',
        in: 'query',
        description:
          'Whole keys of places, as for the rows; filters on other columns of the grain work too. A host of files answers the feed of the whole dataset.',
        schema: { type: 'string' },
      },
      followedDetail: {
        name: 'detail',
        in: 'query',
        description: 'Level of detail of the rows that the feed follows.',
        schema: { type: 'string' },
      },
      offset: {
        name: 'offset',
        in: 'query',
        description: 'Number of rows to skip. Past the end, the answer is empty.',
        schema: { type: 'integer', minimum: 0, default: 0 },
      },
      format: {
        name: 'format',
        in: 'query',
        description: 'Format of the answer.',
        schema: { type: 'string', enum: ['json', 'csv', 'parquet'], default: 'json' },
      },
    },
    schemas: {
      ...componentSchemas(documents),
      FactPage: page({
        dataset: { type: 'string' },
        detail: { type: 'string' },
        years: { type: 'array', items: { type: 'integer' } },
        filters: { type: 'object', additionalProperties: { type: 'array', items: { type: 'string' } } },
      }),
      DimensionPage: page({ dimension: { type: 'string' } }),
      Problem: {
        type: 'object',
        required: ['type', 'loc', 'msg', 'input'],
        properties: {
          type: { type: 'string', description: 'Kind of the problem, such as enum.' },
          loc: {
            type: 'array',
            items: { type: 'string' },
            description: 'Location of the problem: query, then the parameter.',
          },
          msg: { type: 'string' },
          input: { description: 'The given value.' },
          ctx: {
            type: 'object',
            description: 'The expected values, the nearest valid name, and the corrected URL.',
            additionalProperties: true,
          },
        },
      },
      ValidationErrorBody: {
        type: 'object',
        required: ['detail'],
        properties: { detail: { type: 'array', items: reference('schemas', 'Problem') } },
      },
      ErrorBody: { type: 'object', required: ['detail'], properties: { detail: { type: 'string' } } },
    },
    responses: {
      Feed: {
        description: 'An Atom feed with an entry for each release that changed something.',
        content: { 'application/xml': { schema: { type: 'string' } } },
      },
      NotFound: response(
        'No such dataset, dimension or route; the body suggests the nearest name.',
        'ErrorBody',
        examples?.notFound,
      ),
      MethodNotAllowed: response('The service is read-only: GET, HEAD and OPTIONS.', 'ErrorBody'),
      ValidationError: response(
        'One or more parameters are invalid; the body lists all of them.',
        'ValidationErrorBody',
        examples?.validation,
      ),
      NotComputed: response(
        'This host serves files and cannot compute this answer. The body names the files to read, what remains to be done with their rows, and SQL that does it.',
        'ErrorBody',
      ),
      BrokenTree: response(
        'A stored file is missing or does not match its manifest; the body names it.',
        'ErrorBody',
      ),
    },
  };
}

function response(description: string, schema: string, examples?: Json): Json {
  const content = { schema: reference('schemas', schema), ...(examples === undefined ? {} : { examples }) };
  return { description, content: { 'application/json': content } };
}

function page(properties: { readonly [name: string]: Json }): Json {
  return {
    type: 'object',
    required: [
      ...Object.keys(properties),
      'release',
      'total',
      'offset',
      'limit',
      'count',
      'next',
      'notices',
      'data',
    ],
    properties: {
      ...properties,
      version: { type: 'string' },
      schema_hash: { type: 'string' },
      release: { type: 'string' },
      license: { type: ['string', 'null'] },
      attribution: { type: ['string', 'null'] },
      sample: { type: 'boolean', description: 'True if the rows are synthetic.' },
      as_of: { type: 'string', description: 'The moment that the request names; absent for rows of today.' },
      total: {
        type: ['integer', 'null'],
        description: 'Number of rows of the whole answer; null if counting them would need a scan.',
      },
      offset: { type: 'integer' },
      limit: { type: 'integer' },
      count: { type: 'integer', description: 'Number of rows on this page.' },
      next: { type: ['string', 'null'], description: 'URL of the next page; null on the last page.' },
      notices: { type: 'array', items: { type: 'string' } },
      data: { type: 'array', items: { type: 'object' } },
    },
  };
}

const COMPONENTS = {
  RuleCounts,
  DatasetSummary,
  WithdrawnSummary,
  Column: ColumnDescriptor,
  Filter: FilterDescriptor,
  ForeignKey: ForeignKeyDescriptor,
  ColumnValue,
  DimensionSchema: DimensionSchemaDocument,
  DimensionColumn: DimensionColumnDescriptor,
};

interface NamedSchema {
  readonly name: string;
  readonly schema: object;
}

/** The schemas of these documents and of all others, by their names. Where one contains another, it refers to it. */
function componentSchemas(documents: readonly NamedSchema[]): Readonly<Record<string, Json>> {
  const all: [string, object][] = [
    ...documents.map(({ name, schema }): [string, object] => [name, schema]),
    ...Object.entries(COMPONENTS),
  ];
  const names = new Map<unknown, string>(all.map(([name, schema]) => [schema, name]));
  return Object.fromEntries(
    all.map(([name, schema]) => {
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

export function jsonContent(schema: Json): { readonly 'application/json': Json } {
  return { 'application/json': { schema } };
}

/** Null if the tree has no dataset. */
export function errorExamples(schema: SchemaDocument | undefined): ErrorExamples | null {
  if (schema === undefined) return null;
  const { main_topic: domain, topic, year_max: year } = schema;
  const path = route.facts(domain, topic);
  const wrong = `${topic}x`;
  // A dataset without time has no parameter `year`.
  const [misspelt, meant, input] =
    year === null ? ['detial', 'detail', schema.default_detail] : ['yaer', 'year', String(year)];
  const parameters = [...schema.filters.map(filter => filter.param), ...PLAIN_RULES.map(rule => rule.name)];
  return {
    notFound: example('unknown_dataset', `${route.schema(domain, wrong)}`, {
      detail: `There is no dataset ${domain}/${wrong}. Did you mean ${domain}/${topic}? /${API_ROOT}/datasets lists all.`,
    }),
    validation: example('unknown_parameter', `${path}?${misspelt}=${input}`, {
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
