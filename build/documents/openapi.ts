/** openapi.json: every route of the tree in OpenAPI 3.1, with each dataset's parameters and rows. Pure. */

import * as schemas from '../format/document-schemas.ts';
import {
  ANSWER_FORMATS,
  API_VERSION,
  type ColumnDescriptor,
  type ColumnType,
  type Fields,
  type FilterDescriptor,
  FORMAT,
  isPaged,
  type Json,
  PAGE_ROWS,
  type SchemaDocument,
} from '../format/documents.ts';
import { extractNotice, SAMPLE_NOTICE } from '../format/envelope.ts';
import { FigureDocument } from '../format/figure-schemas.ts';
import { PLAIN_RULES, type PlainName, type PlainRule } from '../format/grammar.ts';
import { mediaType } from '../format/media-type.ts';
import { API_ROOT, datasetFeedPath, datasetFolder, route } from '../format/paths.ts';
import { spellYears } from '../format/time-text.ts';
import type { DimensionRecord } from '../tree/published-records.ts';
import type { DescribedColumn, DescribedDataset, DescribedTree } from './tree-description.ts';

/** A document that openapi.json describes. */
export interface ApiDocument {
  /** Its schema's name among the components. */
  readonly name: string;
  readonly schema: object;
  readonly route: (domain: string, topic: string, detail: string) => string;
  readonly summary: string;
  /** By default `get` and the name. */
  readonly operation?: string;
  /** A path for each, because `/{name}/{name}/values` would be ambiguous with the route of schema documents. */
  readonly ofEach?: 'dataset' | 'dimension';
}

export interface RowsExample {
  readonly url: string;
  readonly body: Json;
}

/** `examples`: one for each dataset, in the same order. */
export function openApiDocument(
  tree: DescribedTree,
  documents: readonly ApiDocument[],
  examples: readonly RowsExample[],
): Fields {
  const { publisher, release, sample, extract, baseUrl, datasets, dimensions } = tree;
  const { license, licenseUrl } = publisher;
  const domains = [...new Set(datasets.map(one => one.domain))].sort();
  return {
    openapi: '3.1.0',
    'x-format': FORMAT,
    'x-release': release,
    'x-sample': sample || undefined,
    'x-extract': extract === null ? undefined : { ...extract },
    info: {
      title: publisher.service,
      version: API_VERSION,
      description: description(tree),
      license: license === null ? undefined : { name: license, url: licenseUrl ?? undefined },
    },
    servers: [{ url: baseUrl === null ? '/' : baseUrl.replace(/\/$/, ''), description: 'This tree' }],
    security: [],
    tags: [
      { name: 'service', description: 'The service and its list of datasets.' },
      ...domains.map(name => ({ name, description: `Datasets of the domain ${name}.` })),
      ...(dimensions.length > 0
        ? [{ name: 'dimensions', description: 'Names and attributes that joins add to rows.' }]
        : []),
    ],
    paths: Object.fromEntries([
      ...servicePaths(datasets, documents),
      ...datasets.flatMap((dataset, i) => datasetPaths(dataset, examples[i]!, documents)),
      ...dimensions.flatMap(dimension => dimensionPaths(dimension, documents)),
    ]),
    components: fixedComponents(datasets[0]?.schema, documents),
  };
}

function description({ publisher, sample, extract }: DescribedTree): string {
  const notice = sample ? ` **${SAMPLE_NOTICE}**` : '';
  const part = extract === null ? '' : ` ${extractNotice(extract)}`;
  return `${publisher.description}${notice}${part}

Every answer comes from published files. NULL is never zero: each column's description says what its NULL means. A comma-separated list matches any of its values (write a comma in a value as %2C before the value is encoded for the URL); a row must match all parameters.`;
}

/** Every route answers only GET. */
function get(path: string, operation: Fields): [string, Json] {
  return [path, { get: operation }];
}

/** `answer`: that with status 200. */
function responses(answer: Json, ...errors: readonly Refusal[]): Json {
  const refusals = (['MethodNotAllowed', ...errors] as const).map(
    name => [REFUSALS[name][0], reference('responses', name)] as const,
  );
  return { 200: answer, ...Object.fromEntries(refusals) };
}

/** `schemas`: by media type. */
function answerOf(description: string, schemas: Fields): Json {
  const content = Object.entries(schemas).map(([type, schema]) => [type, { schema }] as const);
  return { description, content: Object.fromEntries(content) };
}

function document(name: string): Json {
  return answerOf('The document.', { 'application/json': reference('schemas', name) });
}

function rows(description: string, json: Json): Json {
  const content = ANSWER_FORMATS.map(format => {
    const type = mediaType(`.${format}`);
    const isText = type.startsWith('text/');
    const text = { schema: { type: 'string', ...(!isText && { contentEncoding: 'binary' }) } };
    return [type, format === 'json' ? json : text];
  });
  const answer = { description, content: Object.fromEntries(content) };
  return responses(answer, 'ValidationError', 'NotComputed', 'BrokenTree');
}

function servicePaths(
  datasets: readonly DescribedDataset[],
  documents: readonly ApiDocument[],
): [string, Json][] {
  const all = datasets.map(({ schema }) => schema);
  const [first] = all;
  const inPath = (
    name: string,
    description: string,
    values: (one: SchemaDocument) => string | readonly string[],
    example: string | undefined,
  ) => {
    const schema = { type: 'string', enum: [...new Set(all.flatMap(values))] };
    return { name, in: 'path', required: true, description, schema, example };
  };
  const known = [
    inPath('main_topic', 'Domain of the dataset.', one => one.main_topic, first?.main_topic),
    inPath('topic', 'Name of the dataset within its domain.', one => one.topic, first?.topic),
    inPath('detail', 'Level of detail.', one => one.detail_levels, first?.default_detail),
  ];
  const namedIn = (path: string) => known.filter(({ name }) => path.includes(`{${name}}`));
  const contract = `/${API_ROOT}/datasets/{main_topic}/{topic}/contract`;
  return [
    ...documents
      .filter(({ ofEach }) => !ofEach)
      .map(({ name, route, operation: operationId = `get${name}`, summary }) => {
        const path = route('{main_topic}', '{topic}', '{detail}');
        const named = namedIn(path);
        const isWhole = named.length === 0;
        return get(path, {
          operationId,
          tags: ['service'],
          summary,
          parameters: isWhole ? undefined : named,
          responses: isWhole ? responses(document(name)) : responses(document(name), 'NotFound'),
        });
      }),
    get(contract, {
      operationId: 'getDatasetContract',
      tags: ['service'],
      summary: 'The data contract of a dataset',
      parameters: [
        ...namedIn(contract),
        queryParameter('format', 'The contract as the publisher wrote it (yaml), or parsed (json).', {
          type: 'string',
          enum: ['yaml', 'json'],
          default: 'yaml',
        }),
      ],
      responses: responses(
        answerOf('The contract.', {
          'application/yaml': { type: 'string' },
          'application/json': { type: 'object' },
        }),
        'NotFound',
        'ValidationError',
      ),
    }),
  ];
}

function camel(...parts: readonly string[]): string {
  return parts
    .flatMap(part => part.split(/[^A-Za-z0-9]+/))
    .map(word => word.charAt(0).toUpperCase() + word.slice(1))
    .join('');
}

function datasetPaths(
  { domain, topic, title, schema, columns }: DescribedDataset,
  example: RowsExample,
  documents: readonly ApiDocument[],
): [string, Json][] {
  const words = [schema.summary, schema.coverage_note, schema.granularity_description, schema.limitations];
  const data = { type: 'array', items: rowSchema(columns) };
  const page = { allOf: [reference('schemas', 'FactPage'), { type: 'object', properties: { data } }] };
  return [
    get(route.facts(domain, topic), {
      operationId: `get${camel(domain, topic)}`,
      tags: [domain],
      summary: `${title}: rows`,
      description: words.filter(Boolean).join('\n\n'),
      parameters: [...schema.filters.map(filter => filterParameter(filter, schema)), ...ROW_PARAMETERS],
      responses: rows('Rows in the order of the grain.', {
        schema: { anyOf: [page, reference('schemas', 'FigureDocument')] },
        examples: { one_row: { summary: `GET ${example.url}`, value: example.body } },
      }),
    }),
    get(`/${datasetFeedPath(datasetFolder(domain, topic))}`, {
      operationId: `get${camel(domain, topic)}Feed`,
      tags: [domain],
      summary: `${title}: what releases changed, in all rows or in those of a place`,
      parameters: [reference('parameters', 'followedPlace'), reference('parameters', 'followedDetail')],
      responses: responses(reference('responses', 'Feed'), 'ValidationError'),
    }),
    ...documentsOf('dataset', { domain, name: topic, title, tag: domain }, documents),
  ];
}

function documentsOf(
  kind: ApiDocument['ofEach'],
  { domain, name, title, tag }: Readonly<Record<'domain' | 'name' | 'title' | 'tag', string>>,
  documents: readonly ApiDocument[],
): [string, Json][] {
  return documents
    .filter(({ ofEach }) => ofEach === kind)
    .map(one =>
      get(one.route(domain, name, ''), {
        operationId: `get${camel(domain, name)}${one.name}`,
        tags: [tag],
        summary: `${title}: ${one.summary}`,
        responses: responses(document(one.name)),
      }),
    );
}

function dimensionPaths(
  { schema: { name, title }, domain }: DimensionRecord,
  documents: readonly ApiDocument[],
): [string, Json][] {
  return [
    get(route.dimension(domain, name), {
      operationId: `get${camel(domain, name)}Dimension`,
      tags: ['dimensions'],
      summary: `${title}: rows`,
      parameters: DIMENSION_PARAMETERS,
      responses: rows('Rows in the order of the key.', { schema: reference('schemas', 'DimensionPage') }),
    }),
    ...documentsOf('dimension', { domain, name, title, tag: 'dimensions' }, documents),
  ];
}

function queryParameter(name: string, description: string, schema: Json): Fields {
  return { name, in: 'query', description, schema };
}

/** A list is one comma-separated text: `style: form`, not exploded. */
function filterParameter(filter: FilterDescriptor, schema: SchemaDocument): Json {
  const { type, values } = filter;
  const listed = type === 'integer' ? values?.map(Number) : values;
  const item: Fields = { ...valueType(type), enum: listed ?? undefined };
  return {
    name: filter.param,
    in: 'query',
    description: filterDescription(filter, schema),
    ...(filter.multi_value
      ? { style: 'form', explode: false, schema: { type: 'array', items: item, minItems: 1 } }
      : { schema: { ...item, default: filter.default } }),
  };
}

/** JSON has no dates. */
const TIMES: Partial<Record<ColumnType, string>> = { date: 'date', timestamp: 'date-time' };

function valueType(type: ColumnType) {
  const format = TIMES[type];
  return { type: format === undefined ? type : 'string', format };
}

function filterDescription(filter: FilterDescriptor, schema: SchemaDocument): string {
  const column = schema.columns.find(candidate => candidate.name === filter.column);
  switch (filter.kind) {
    case 'year_exact':
      return `One year; the dataset has ${spellYears(schema.available_years)}. ${column?.description ?? ''}`.trim();
    case 'year_range':
      return filter.param === 'year_min' ? 'First year of the answer.' : 'Last year of the answer.';
    case 'detail':
      return 'Level of geography.';
    case 'range': {
      const side = filter.bound === 'min' ? 'at least' : 'at most';
      return `Rows whose ${column?.label ?? filter.column ?? 'value'} is ${side} this. Rows without a value never match.`;
    }
    case 'time':
    case 'foreign_key':
    case 'categorical':
      return [column?.label, column?.description].filter(Boolean).join('. ');
    case 'dimension_attribute':
      return `Rows whose ${filter.dimension ?? 'dimension'} have this ${filter.column ?? ''}.`;
    case 'place':
      return `Whole keys of places: the codes that the level has of ${(filter.columns ?? []).join(', ')}, in this order and joined by a colon. In a code, write % as %25, : as %3A and , as %2C before the value is encoded for the URL. An empty part means NULL.`;
    default:
      return filter.kind satisfies never;
  }
}

function rowSchema(columns: DescribedDataset['columns']): Json {
  return {
    type: 'object',
    required: columns.map(({ column }) => column.name),
    properties: Object.fromEntries(columns.map(one => [one.column.name, columnSchema(one)])),
  };
}

/** `known` is undefined if a join adds the column. */
function columnSchema({ column, known }: DescribedColumn<ColumnDescriptor>): Json {
  const { type, format } = valueType(column.type);
  const { description, nullable = true, null_meaning: meaning, valid_values: values } = known ?? {};
  // Timestamps without a known zone have no offset, which the format date-time requires.
  const isPlain = column.type === 'timestamp' && known?.time_zone === undefined;
  const words = [description ?? `From the dimension ${column.from ?? ''}.`, meaning && `NULL: ${meaning}`];
  return {
    type: nullable ? [type, 'null'] : type,
    format: isPlain ? undefined : format,
    description: words.filter(Boolean).join(' '),
    enum: values ? (nullable ? [...values, null] : values) : undefined,
    minimum: known?.value_min ?? undefined,
    maximum: known?.value_max ?? undefined,
  };
}

const OTHER_FORMATS = ANSWER_FORMATS.filter(format => !isPaged(format)).join(', ');

const PARAMETERS: Readonly<Record<PlainName, { readonly description: string; readonly values?: Fields }>> = {
  limit: {
    description: `Maximum number of rows in the answer. json and md: the default and the maximum are ${PAGE_ROWS}. ${OTHER_FORMATS}: all rows by default.`,
  },
  offset: {
    description: 'Number of rows to skip. Past the end, the answer is empty.',
    values: { default: 0 },
  },
  format: {
    description: 'Format of the answer. Only servers make xlsx and md.',
    values: { default: 'json' },
  },
  as_of: {
    description:
      'The rows as they were published then: a date, or the name of a release. Columns, filters and versions are those of that time.',
    values: { examples: ['2026-11-21', '2026-11-21-3f9a2b7c'] },
  },
  history: {
    description:
      'With the whole key of one figure, its NULL columns left out: each value that it had, from when to when, and why it changed, as JSON. Refused if several rows have the key.',
  },
  figure: {
    description:
      'With the whole key of one row: a column of figures. The answer is a FigureDocument: value, margin, rules, history, proof and citation. With as_of, the address of the figure.',
  },
};

const ROW_PARAMETERS = PLAIN_RULES.map(({ name }) => reference('parameters', name));
const DIMENSION_PARAMETERS = ROW_PARAMETERS.filter((_, at) => PLAIN_RULES[at]!.kind !== 'measure');

function valuesOf(rule: PlainRule): Fields {
  switch (rule.kind) {
    case 'integer':
      return { type: 'integer', minimum: rule.least };
    case 'choice':
      return { type: 'string', enum: rule.choices };
    case 'moment':
    case 'measure':
      return { type: 'string' };
    default:
      return rule satisfies never;
  }
}

const REFUSALS = {
  NotFound: [404, 'No such dataset, dimension or route; the body suggests the nearest name.'],
  MethodNotAllowed: [405, 'The service is read-only: GET, HEAD and OPTIONS.'],
  ValidationError: [422, 'One or more parameters are invalid; the body lists all of them.'],
  NotComputed: [
    501,
    'This host serves files and cannot compute this answer. The body names the files to read, what remains to be done with their rows, and SQL that does it.',
  ],
  BrokenTree: [502, 'A stored file is missing or does not match its manifest; the body names it.'],
} as const satisfies Readonly<Record<string, readonly [status: number, description: string]>>;

type Refusal = keyof typeof REFUSALS;

/** `first`: the schema of the dataset in the examples of refusals; undefined if the tree has none. */
function fixedComponents(first: SchemaDocument | undefined, documents: readonly ApiDocument[]): Json {
  const examples = first === undefined ? {} : refusalExamples(first);
  return {
    parameters: {
      ...Object.fromEntries(
        PLAIN_RULES.map(rule => {
          const { description, values } = PARAMETERS[rule.name];
          return [rule.name, queryParameter(rule.name, description, { ...valuesOf(rule), ...values })];
        }),
      ),
      followedPlace: queryParameter(
        'place',
        'Whole keys of places, as for the rows; filters on other columns of the grain work too. A host of files answers the feed of the whole dataset.',
        { type: 'string' },
      ),
      followedDetail: queryParameter('detail', 'Level of detail of the rows that the feed follows.', {
        type: 'string',
      }),
    },
    schemas: componentSchemas(documents),
    responses: {
      Feed: answerOf('An Atom feed with an entry for each release that changed something.', {
        'application/xml': { type: 'string' },
      }),
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

const COMPONENTS: Readonly<Record<string, object>> = {
  RuleCounts: schemas.RuleCounts,
  DatasetSummary: schemas.DatasetSummary,
  WithdrawnSummary: schemas.WithdrawnSummary,
  Column: schemas.ColumnDescriptor,
  Filter: schemas.FilterDescriptor,
  ForeignKey: schemas.ForeignKeyDescriptor,
  ColumnValue: schemas.ColumnValue,
  DimensionColumn: schemas.DimensionColumnDescriptor,
  FactPage: schemas.FactPage,
  DimensionPage: schemas.DimensionPage,
  FigureDocument,
  Problem: schemas.ValidationProblem,
  ValidationErrorBody: schemas.ValidationErrorDocument,
  ErrorBody: schemas.ErrorDocument,
};

/** Schemas refer to each other by name. */
function componentSchemas(documents: readonly ApiDocument[]): Readonly<Record<string, Json>> {
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

function reference(kind: 'schemas' | 'parameters' | 'responses', name: string): Json {
  return { $ref: `#/components/${kind}/${name}` };
}

function refusalExamples(schema: SchemaDocument): Partial<Record<Refusal, Json>> {
  const { main_topic: domain, topic, year_max: year } = schema;
  const path = route.facts(domain, topic);
  const wrong = `${topic}x`;
  // A dataset without time has no parameter `year`.
  const [misspelt, meant, input] =
    year === null ? ['detial', 'detail', schema.default_detail] : ['yaer', 'year', String(year)];
  const expected = [...schema.filters.map(filter => filter.param), ...PLAIN_RULES.map(rule => rule.name)];
  const problem = {
    type: 'extra_forbidden',
    loc: ['query', misspelt],
    msg: `Unknown parameter. Did you mean '${meant}'?`,
    input,
    ctx: { expected, nearest: meant, url: `${path}?${meant}=${input}` },
  };
  return {
    NotFound: {
      unknown_dataset: {
        summary: `GET ${route.schema(domain, wrong)}`,
        value: {
          detail: `There is no dataset ${domain}/${wrong}. Did you mean ${domain}/${topic}? /${API_ROOT}/datasets lists all.`,
        },
      },
    },
    ValidationError: {
      unknown_parameter: {
        summary: `GET ${path}?${misspelt}=${input}`,
        value: { detail: [problem] },
      },
    },
  };
}
