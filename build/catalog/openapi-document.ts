/** openapi.json: every route of the tree in OpenAPI 3.1, with each dataset's parameters and rows. Pure. */
import type { Publisher } from '../contract/dataset.ts';
import { API_VERSION, FORMAT, type TreeExtract } from '../format/documents.ts';
import { extractNotice } from '../format/envelope.ts';
import type { Json } from '../format/json.ts';
import type { RowColumn } from '../format/manifest.ts';
import { API_ROOT, datasetFeedPath, datasetFolder, route } from '../format/paths.ts';
import type { SchemaDocument } from '../format/schema.ts';
import { errorExamples, fixedComponents, jsonContent, reference } from './openapi-components.ts';
import { filterParameter, pathParameter, rowSchema } from './openapi-parameters.ts';
import type { DescribedDimension } from './tree-description.ts';

export interface OpenApiDataset {
  readonly schema: SchemaDocument;
  readonly columns: readonly RowColumn[];
  /** An example request for this dataset and its answer. */
  readonly example: { readonly url: string; readonly body: Json };
}

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

interface OpenApiInput {
  readonly publisher: Publisher;
  readonly release: string;
  readonly sample: boolean;
  /** Null if the tree contains all datasets. */
  readonly extract: TreeExtract | null;
  /** The tree's address; null if unknown: then the document's own host applies. */
  readonly baseUrl: string | null;
  readonly datasets: readonly OpenApiDataset[];
  readonly dimensions: readonly DescribedDimension[];
  readonly documents: readonly ApiDocument[];
}

export function openApiDocument(input: OpenApiInput): Json {
  const { publisher, datasets, dimensions, documents } = input;
  const domains = [...new Set(datasets.map(one => one.schema.main_topic))].sort();
  return {
    openapi: '3.1.0',
    'x-format': FORMAT,
    'x-release': input.release,
    ...(input.sample ? { 'x-sample': true } : {}),
    ...(input.extract === null ? {} : { 'x-extract': { ...input.extract } }),
    info: {
      title: publisher.service,
      version: API_VERSION,
      description: description(input),
      ...(publisher.license === null ? {} : { license: license(publisher) }),
    },
    servers: [
      { url: input.baseUrl === null ? '/' : input.baseUrl.replace(/\/$/, ''), description: 'This tree' },
    ],
    security: [],
    tags: [
      { name: 'service', description: 'The service and its list of datasets.' },
      ...domains.map(name => ({ name, description: `Datasets of the domain ${name}.` })),
      ...(dimensions.length > 0
        ? [{ name: 'dimensions', description: 'Names and attributes that joins add to rows.' }]
        : []),
    ],
    paths: {
      ...servicePaths(datasets, documents),
      ...Object.fromEntries(datasets.flatMap(dataset => datasetPaths(dataset, documents))),
      ...Object.fromEntries(dimensions.flatMap(dimensionPaths)),
    },
    components: fixedComponents(errorExamples(datasets[0]?.schema), documents),
  };
}

function description({ publisher, sample, extract }: OpenApiInput): string {
  const notice = sample ? ' **Synthetic sample data: no figure here describes a real place.**' : '';
  const part = extract === null ? '' : ` ${extractNotice(extract)}`;
  return `${publisher.description}${notice}${part}

Every answer comes from published files. NULL is never zero: each column's description says what its NULL means. A comma-separated list matches any of its values; a row must match all parameters.`;
}

function license(publisher: Publisher): Json {
  const { license: name, licenseUrl } = publisher;
  return { name: name ?? '', ...(licenseUrl === null ? {} : { url: licenseUrl }) };
}

/** A route that returns one JSON document. */
function documentPath(
  operationId: string,
  tag: string,
  summary: string,
  schema: string,
  parameters: readonly Json[] = [],
  missing = false,
): Json {
  return {
    get: {
      operationId,
      tags: [tag],
      summary,
      ...(parameters.length > 0 ? { parameters } : {}),
      responses: {
        200: { description: 'The document.', content: jsonContent(reference('schemas', schema)) },
        ...(missing ? { 404: reference('responses', 'NotFound') } : {}),
        405: reference('responses', 'MethodNotAllowed'),
      },
    },
  };
}

function servicePaths(
  datasets: readonly OpenApiDataset[],
  documents: readonly ApiDocument[],
): Record<string, Json> {
  const mainTopics = [...new Set(datasets.map(one => one.schema.main_topic))];
  const topics = [...new Set(datasets.map(one => one.schema.topic))];
  const levels = [...new Set(datasets.flatMap(one => one.schema.detail_levels))];
  const named = [
    pathParameter('main_topic', 'Domain of the dataset.', mainTopics, datasets[0]?.schema.main_topic),
    pathParameter('topic', 'Name of the dataset within its domain.', topics, datasets[0]?.schema.topic),
  ];
  const level = pathParameter('detail', 'Level of detail.', levels, datasets[0]?.schema.default_detail);
  const contract = {
    name: 'format',
    in: 'query',
    description: 'The contract as the publisher wrote it (yaml), or parsed (json).',
    schema: { type: 'string', enum: ['yaml', 'json'], default: 'yaml' },
  };
  return {
    ...Object.fromEntries(
      documents
        .filter(({ scope }) => scope === 'once')
        .map(({ name, route, operation, summary }) => {
          const path = route('{main_topic}', '{topic}', '{detail}');
          const parameters = [
            ...(path.includes('{topic}') ? named : []),
            ...(path.includes('{detail}') ? [level] : []),
          ];
          const missing = parameters.length > 0;
          return [path, documentPath(operation, 'service', summary, name, parameters, missing)];
        }),
    ),
    [`/${API_ROOT}/datasets/{main_topic}/{topic}/contract`]: {
      get: {
        operationId: 'getDatasetContract',
        tags: ['service'],
        summary: 'The data contract of a dataset',
        parameters: [...named, contract],
        responses: {
          200: {
            description: 'The contract.',
            content: {
              'application/yaml': { schema: { type: 'string' } },
              ...jsonContent({ type: 'object' }),
            },
          },
          404: reference('responses', 'NotFound'),
          405: reference('responses', 'MethodNotAllowed'),
          422: reference('responses', 'ValidationError'),
        },
      },
    },
  };
}

function camel(...parts: readonly string[]): string {
  return parts
    .flatMap(part => part.split(/[^A-Za-z0-9]+/))
    .map(word => word.charAt(0).toUpperCase() + word.slice(1))
    .join('');
}

function datasetPaths(
  { schema, columns, example }: OpenApiDataset,
  documents: readonly ApiDocument[],
): [string, Json][] {
  const { main_topic: domain, topic } = schema;
  return [
    [
      route.facts(domain, topic),
      {
        get: {
          operationId: `get${camel(domain, topic)}`,
          tags: [domain],
          summary: `${schema.title}: rows`,
          description: [
            schema.summary,
            schema.coverage_note ?? '',
            schema.granularity_description,
            schema.limitations,
          ]
            .filter(Boolean)
            .join('\n\n'),
          parameters: [
            ...schema.filters.map(filter => filterParameter(filter, schema)),
            reference('parameters', 'limit'),
            reference('parameters', 'offset'),
            reference('parameters', 'format'),
            reference('parameters', 'asOf'),
            reference('parameters', 'history'),
          ],
          responses: {
            200: {
              description: 'Rows in the order of the grain.',
              content: {
                'application/json': {
                  schema: {
                    allOf: [
                      reference('schemas', 'FactPage'),
                      {
                        type: 'object',
                        properties: { data: { type: 'array', items: rowSchema(schema, columns) } },
                      },
                    ],
                  },
                  examples: { one_row: { summary: `GET ${example.url}`, value: example.body } },
                },
                'text/csv': { schema: { type: 'string' } },
                'application/vnd.apache.parquet': { schema: { type: 'string', contentEncoding: 'binary' } },
              },
            },
            405: reference('responses', 'MethodNotAllowed'),
            422: reference('responses', 'ValidationError'),
            501: reference('responses', 'NotComputed'),
            502: reference('responses', 'BrokenTree'),
          },
        },
      },
    ],
    [
      `/${datasetFeedPath(datasetFolder(domain, topic))}`,
      {
        get: {
          operationId: `get${camel(domain, topic)}Feed`,
          tags: [domain],
          summary: `${schema.title}: what releases changed, in all rows or in those of a place`,
          parameters: [reference('parameters', 'followedPlace'), reference('parameters', 'followedDetail')],
          responses: {
            200: reference('responses', 'Feed'),
            405: reference('responses', 'MethodNotAllowed'),
            422: reference('responses', 'ValidationError'),
          },
        },
      },
    ],
    ...documents
      .filter(({ scope }) => scope === 'each dataset')
      .map(({ name, route, operation, summary }): [string, Json] => [
        route(domain, topic, ''),
        documentPath(`get${camel(domain, topic)}${operation}`, domain, `${schema.title}: ${summary}`, name),
      ]),
  ];
}

function dimensionPaths({ schema: { name, title }, domains }: DescribedDimension): [string, Json][] {
  return domains.flatMap((domain): [string, Json][] => [
    [
      route.dimension(domain, name),
      {
        get: {
          operationId: `get${camel(domain, name)}Dimension`,
          tags: ['dimensions'],
          summary: `${title}: rows`,
          parameters: ['limit', 'offset', 'format', 'asOf', 'history'].map(parameter =>
            reference('parameters', parameter),
          ),
          responses: {
            200: {
              description: 'Rows in the order of the key.',
              content: {
                ...jsonContent(reference('schemas', 'DimensionPage')),
                'text/csv': { schema: { type: 'string' } },
                'application/vnd.apache.parquet': { schema: { type: 'string', contentEncoding: 'binary' } },
              },
            },
            405: reference('responses', 'MethodNotAllowed'),
            422: reference('responses', 'ValidationError'),
            501: reference('responses', 'NotComputed'),
            502: reference('responses', 'BrokenTree'),
          },
        },
      },
    ],
    [
      `${route.dimension(domain, name)}/schema`,
      documentPath(
        `get${camel(domain, name)}DimensionSchema`,
        'dimensions',
        `${title}: columns`,
        'DimensionSchema',
      ),
    ],
  ]);
}
