/** The parts of openapi.json that are the same in every tree. Pure. */
import { PAGE_ROWS } from '../format/documents.ts';
import type { Json } from '../format/json.ts';
import { reference } from './openapi-references.ts';
import { DOCUMENT_SCHEMAS } from './openapi-schemas.ts';

/** Refused requests and their answers, by name, as a response's content has them. */
export interface ErrorExamples {
  readonly notFound: Json;
  readonly validation: Json;
}

/** `examples`: of errors, where the tree has a dataset. */
export function fixedComponents(examples: ErrorExamples | null): Json {
  return {
    parameters: {
      limit: {
        name: 'limit',
        in: 'query',
        description: `Most rows of the answer. JSON: ${PAGE_ROWS} where none is given, and at most. CSV and Parquet: all rows where none is given.`,
        schema: { type: 'integer', minimum: 1 },
      },
      offset: {
        name: 'offset',
        in: 'query',
        description: 'Rows to pass over. Past the end the answer is empty.',
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
      ...DOCUMENT_SCHEMAS,
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
            description: 'Where it is: query, and the parameter.',
          },
          msg: { type: 'string' },
          input: { description: 'What was given.' },
          ctx: {
            type: 'object',
            description: 'What was expected, the nearest right name, and the corrected URL.',
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
      NotFound: response(
        'No such dataset, dimension or route; the nearest name is given.',
        'ErrorBody',
        examples?.notFound,
      ),
      MethodNotAllowed: response('The service is read-only: GET, HEAD and OPTIONS.', 'ErrorBody'),
      ValidationError: response(
        'One or more parameters are wrong; all of them are listed.',
        'ValidationErrorBody',
        examples?.validation,
      ),
      NotComputed: response(
        'This host serves files and cannot compute this answer; the body names the files, what remains, and the SQL that finishes the job.',
        'ErrorBody',
      ),
      BrokenTree: response(
        'A stored file is missing or does not match its manifest; it is named.',
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
      sample: { type: 'boolean', description: 'True where the rows are synthetic.' },
      total: {
        type: ['integer', 'null'],
        description: 'Rows of the whole answer; null where counting would cost a scan.',
      },
      offset: { type: 'integer' },
      limit: { type: 'integer' },
      count: { type: 'integer', description: 'Rows on this page.' },
      next: { type: ['string', 'null'], description: 'URL of the following page.' },
      notices: { type: 'array', items: { type: 'string' } },
      data: { type: 'array', items: { type: 'object' } },
    },
  };
}
