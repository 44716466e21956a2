/** openapi.json: every route of the tree in OpenAPI 3.1, with each dataset's parameters and rows. Pure. */
import { API_VERSION, FORMAT } from '../format/documents.ts';
import { extractNotice } from '../format/envelope.ts';
import type { Fields, Json } from '../format/json.ts';
import { API_ROOT, datasetFeedPath, datasetFolder, route } from '../format/paths.ts';
import { fixedComponents, REFUSALS, ROW_PARAMETERS, type Refusal, reference } from './openapi-components.ts';
import { filterParameter, pathParameter, rowSchema } from './openapi-parameters.ts';
import type { DatasetRecord, DimensionRecord, TreeDescription } from './tree-description.ts';

/** A document of datasets that the API answers. */
export interface ApiDocument {
  /** Of its schema, among the components. */
  readonly name: string;
  readonly schema: object;
  readonly route: (domain: string, topic: string, detail: string) => string;
  /** `getStatistics`; or, where each dataset has an operation, what its name ends in. */
  readonly operation: string;
  readonly summary: string;
  /**
   * `once`: one path, with parameters where the route has them. A route beneath a dataset's own that is two names and a
   * word would be ambiguous with that of the schema document: each dataset needs its own.
   */
  readonly scope: 'each dataset' | 'once';
}

/** An example request for the rows of a dataset, and its answer. */
export interface RowsExample {
  readonly url: string;
  readonly body: Json;
}

/** `examples`: one for each dataset, in their order. */
export function openApiDocument(
  tree: TreeDescription,
  documents: readonly ApiDocument[],
  examples: readonly RowsExample[],
): Fields {
  const { publisher, release, sample, extract, baseUrl, datasets, dimensions } = tree;
  const { license, licenseUrl } = publisher;
  const domains = [...new Set(datasets.map(one => one.schema.main_topic))].sort();
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
      ...dimensions.flatMap(dimensionPaths),
    ]),
    components: fixedComponents(datasets[0]?.schema, documents),
  };
}

function description({ publisher, sample, extract }: TreeDescription): string {
  const notice = sample ? ' **Synthetic sample data: no figure here describes a real place.**' : '';
  const part = extract === null ? '' : ` ${extractNotice(extract)}`;
  return `${publisher.description}${notice}${part}

Every answer comes from published files. NULL is never zero: each column's description says what its NULL means. A comma-separated list matches any of its values; a row must match all parameters.`;
}

interface Operation {
  readonly operationId: string;
  readonly tag: string;
  readonly summary: string;
  readonly description?: string;
  readonly parameters?: readonly Json[];
  /** What a 200 has. */
  readonly answer: Json;
  /** Besides that of another method. */
  readonly errors?: readonly Refusal[];
}

/** Each route answers GET alone. */
function get({ operationId, tag, parameters = [], answer, errors = [], ...words }: Operation): Fields {
  const refusals = (['MethodNotAllowed', ...errors] as const).map(
    name => [REFUSALS[name][0], reference('responses', name)] as const,
  );
  return {
    get: {
      operationId,
      tags: [tag],
      ...words,
      parameters: parameters.length === 0 ? undefined : parameters,
      responses: { 200: answer, ...Object.fromEntries(refusals) },
    },
  };
}

function document(name: string): Json {
  return {
    description: 'The document.',
    content: { 'application/json': { schema: reference('schemas', name) } },
  };
}

/** The rows of a table; a host answers them in each format. */
function rows(description: string, json: Json): Pick<Operation, 'answer' | 'errors'> {
  const content = {
    'application/json': json,
    'text/csv': { schema: { type: 'string' } },
    'application/vnd.apache.parquet': { schema: { type: 'string', contentEncoding: 'binary' } },
  };
  return { answer: { description, content }, errors: ['ValidationError', 'NotComputed', 'BrokenTree'] };
}

function servicePaths(
  datasets: readonly DatasetRecord[],
  documents: readonly ApiDocument[],
): [string, Json][] {
  const schemas = datasets.map(({ schema }) => schema);
  const [first] = schemas;
  const mainTopics = [...new Set(schemas.map(one => one.main_topic))];
  const topics = [...new Set(schemas.map(one => one.topic))];
  const levels = [...new Set(schemas.flatMap(one => one.detail_levels))];
  const named = [
    pathParameter('main_topic', 'Domain of the dataset.', mainTopics, first?.main_topic),
    pathParameter('topic', 'Name of the dataset within its domain.', topics, first?.topic),
  ];
  const level = pathParameter('detail', 'Level of detail.', levels, first?.default_detail);
  const contract = {
    name: 'format',
    in: 'query',
    description: 'The contract as the publisher wrote it (yaml), or parsed (json).',
    schema: { type: 'string', enum: ['yaml', 'json'], default: 'yaml' },
  };
  return [
    ...documents
      .filter(({ scope }) => scope === 'once')
      .map(({ name, route, operation: operationId, summary }): [string, Json] => {
        const path = route('{main_topic}', '{topic}', '{detail}');
        const parameters = [
          ...(path.includes('{topic}') ? named : []),
          ...(path.includes('{detail}') ? [level] : []),
        ];
        const errors: Refusal[] = parameters.length > 0 ? ['NotFound'] : [];
        return [
          path,
          get({ operationId, tag: 'service', summary, parameters, answer: document(name), errors }),
        ];
      }),
    [
      `/${API_ROOT}/datasets/{main_topic}/{topic}/contract`,
      get({
        operationId: 'getDatasetContract',
        tag: 'service',
        summary: 'The data contract of a dataset',
        parameters: [...named, contract],
        answer: {
          description: 'The contract.',
          content: {
            'application/yaml': { schema: { type: 'string' } },
            'application/json': { schema: { type: 'object' } },
          },
        },
        errors: ['NotFound', 'ValidationError'],
      }),
    ],
  ];
}

function camel(...parts: readonly string[]): string {
  return parts
    .flatMap(part => part.split(/[^A-Za-z0-9]+/))
    .map(word => word.charAt(0).toUpperCase() + word.slice(1))
    .join('');
}

function datasetPaths(
  { schema, manifest }: DatasetRecord,
  example: RowsExample,
  documents: readonly ApiDocument[],
): [string, Json][] {
  const { main_topic: domain, topic, title } = schema;
  const words = [schema.summary, schema.coverage_note, schema.granularity_description, schema.limitations];
  const data = { type: 'array', items: rowSchema(schema, manifest) };
  return [
    [
      route.facts(domain, topic),
      get({
        operationId: `get${camel(domain, topic)}`,
        tag: domain,
        summary: `${title}: rows`,
        description: words.filter(Boolean).join('\n\n'),
        parameters: [...schema.filters.map(filter => filterParameter(filter, schema)), ...ROW_PARAMETERS],
        ...rows('Rows in the order of the grain.', {
          schema: { allOf: [reference('schemas', 'FactPage'), { type: 'object', properties: { data } }] },
          examples: { one_row: { summary: `GET ${example.url}`, value: example.body } },
        }),
      }),
    ],
    [
      `/${datasetFeedPath(datasetFolder(domain, topic))}`,
      get({
        operationId: `get${camel(domain, topic)}Feed`,
        tag: domain,
        summary: `${title}: what releases changed, in all rows or in those of a place`,
        parameters: [reference('parameters', 'followedPlace'), reference('parameters', 'followedDetail')],
        answer: reference('responses', 'Feed'),
        errors: ['ValidationError'],
      }),
    ],
    ...documents
      .filter(({ scope }) => scope === 'each dataset')
      .map(({ name, route, operation, summary }): [string, Json] => [
        route(domain, topic, ''),
        get({
          operationId: `get${camel(domain, topic)}${operation}`,
          tag: domain,
          summary: `${title}: ${summary}`,
          answer: document(name),
        }),
      ]),
  ];
}

function dimensionPaths({ schema: { name, title }, domain }: DimensionRecord): [string, Json][] {
  const operationId = `get${camel(domain, name)}Dimension`;
  return [
    [
      route.dimension(domain, name),
      get({
        operationId,
        tag: 'dimensions',
        summary: `${title}: rows`,
        parameters: ROW_PARAMETERS,
        ...rows('Rows in the order of the key.', { schema: reference('schemas', 'DimensionPage') }),
      }),
    ],
    [
      `${route.dimension(domain, name)}/schema`,
      get({
        operationId: `${operationId}Schema`,
        tag: 'dimensions',
        summary: `${title}: columns`,
        answer: document('DimensionSchema'),
      }),
    ],
  ];
}
