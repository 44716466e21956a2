/** Parses openapi.json for the API page, with care: another program may have written it. */

export interface ApiParameter {
  readonly name: string;
  readonly in: 'path' | 'query';
  readonly required: boolean;
  readonly description: string;
  readonly type: string;
  /** Allowed values; null means any. */
  readonly allowed: readonly string[] | null;
  /** Whether the parameter takes several values, separated by commas. */
  readonly several: boolean;
  readonly fallback: string | null;
  readonly example: string | null;
}

export interface ApiAnswer {
  readonly status: string;
  readonly description: string;
  /** Request and body of an example. */
  readonly example: { readonly request: string; readonly body: string } | null;
}

export interface ApiRoute {
  readonly path: string;
  readonly id: string;
  readonly tag: string;
  readonly summary: string;
  readonly description: string;
  readonly parameters: readonly ApiParameter[];
  readonly answers: readonly ApiAnswer[];
}

interface ApiDescription {
  readonly title: string;
  readonly version: string;
  readonly description: string;
  readonly tags: readonly { readonly name: string; readonly description: string }[];
  readonly routes: readonly ApiRoute[];
}

type Json = Readonly<Record<string, unknown>>;

const object = (value: unknown): Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Json) : {};
const list = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);
const text = (value: unknown): string => (typeof value === 'string' ? value : '');
const textOrNull = (value: unknown): string | null =>
  typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean' ? String(value) : null;

export function parseOpenApi(source: string): ApiDescription {
  const document = object(JSON.parse(source));
  const info = object(document['info']);
  const resolve = (value: unknown): Json => {
    const reference = text(object(value)['$ref']);
    if (!reference.startsWith('#/')) return object(value);
    return object(
      reference
        .slice(2)
        .split('/')
        .reduce<unknown>((at, name) => object(at)[name], document),
    );
  };
  const routes = Object.entries(object(document['paths'])).flatMap(([path, item]): ApiRoute[] => {
    const operation = object(object(item)['get']);
    if (Object.keys(operation).length === 0) return [];
    return [
      {
        path,
        id: text(operation['operationId']) || path,
        tag: text(list(operation['tags'])[0]),
        summary: text(operation['summary']) || path,
        description: text(operation['description']),
        parameters: list(operation['parameters']).map(one => parseParameter(resolve(one))),
        answers: Object.entries(object(operation['responses'])).map(([status, answer]) =>
          parseAnswer(status, resolve(answer)),
        ),
      },
    ];
  });
  return {
    title: text(info['title']),
    version: text(info['version']),
    description: text(info['description']),
    tags: list(document['tags']).map(tag => ({
      name: text(object(tag)['name']),
      description: text(object(tag)['description']),
    })),
    routes,
  };
}

function parseParameter(parameter: Json): ApiParameter {
  const schema = object(parameter['schema']);
  const several = schema['type'] === 'array';
  const one = several ? object(schema['items']) : schema;
  const allowed = Array.isArray(one['enum']) ? list(one['enum']).map(String) : null;
  return {
    name: text(parameter['name']),
    in: parameter['in'] === 'path' ? 'path' : 'query',
    required: parameter['required'] === true,
    description: text(parameter['description']),
    type: text(one['type']) || 'text',
    allowed,
    several,
    fallback: textOrNull(schema['default']),
    example: textOrNull(parameter['example']),
  };
}

function parseAnswer(status: string, answer: Json): ApiAnswer {
  const json = object(object(answer['content'])['application/json']);
  const [example] = Object.values(object(json['examples'])).map(object);
  return {
    status,
    description: text(answer['description']),
    example:
      example === undefined
        ? null
        : { request: text(example['summary']), body: JSON.stringify(example['value'], null, 2) },
  };
}
