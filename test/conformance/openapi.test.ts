import { execFile } from 'node:child_process';
import path from 'node:path';
import { promisify } from 'node:util';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { beforeAll, expect, test } from 'vitest';
import type { DatasetsDocument, SchemaDocument } from '../../build/format/documents.ts';
import { readTreeJson } from '../publishers/built-tree.ts';
import { type Ask, askTree } from './executors.ts';
import { useSampleTree } from './sample-tree.ts';

const sample = useSampleTree();

type Values = Readonly<{ type: string; enum?: readonly (string | number)[] }>;

interface Parameter {
  readonly name: string;
  readonly in: 'path' | 'query';
  readonly example?: string;
  readonly schema: Values & { readonly default?: string; readonly items?: Values };
}

type Reference<Target> = Target | { readonly $ref: string };
type Content = Readonly<Record<string, { schema: Reference<{ properties?: object }> }>>;

interface Operation {
  readonly operationId: string;
  readonly parameters?: readonly Reference<Parameter>[];
  readonly responses: Readonly<Record<string, Reference<{ readonly content?: Content }>>>;
}

interface OpenApi {
  readonly openapi: string;
  readonly paths: Readonly<Record<string, { readonly get: Operation }>>;
  readonly info: { readonly version: string };
  readonly components: object;
}

let document: OpenApi;
let ask: Ask;
let schemas: readonly SchemaDocument[];
beforeAll(async () => {
  document = await readTreeJson(sample.tree, 'openapi.json');
  ask = askTree(sample.tree);
  const { datasets } = await readTreeJson<DatasetsDocument>(sample.tree, 'api/v1/datasets/index.json');
  schemas = await Promise.all(
    datasets.map(async one => (await (await ask(one.schema_endpoint)).json()) as SchemaDocument),
  );
});

function resolve<Target>(one: Reference<Target>): Target {
  if (typeof one !== 'object' || one === null || !('$ref' in one)) return one as Target;
  const parts = one.$ref.slice(2).split('/');
  return parts.reduce<unknown>((found, part) => (found as Record<string, unknown>)[part], document) as Target;
}

const parametersOf = (operation: Operation) => (operation.parameters ?? []).map(one => resolve(one));

/** A path with the examples of its parameters in place of their names. */
function examplePath(template: string, operation: Operation): string {
  return parametersOf(operation)
    .filter(parameter => parameter.in === 'path')
    .reduce((url, { name, example }) => url.replace(`{${name}}`, String(example)), template);
}

test('redocly finds nothing wrong with it', async () => {
  const program = path.resolve(import.meta.dirname, '../../node_modules/.bin/redocly');
  const quiet = { REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true', CI: 'true' };
  const { stdout, stderr } = await promisify(execFile)(
    program,
    ['lint', path.join(sample.tree, 'openapi.json'), '--format', 'json', '--extends', 'recommended-strict'],
    { cwd: sample.tree, env: { ...process.env, ...quiet } },
  ).catch((failed: { stdout: string; stderr: string }) => failed);
  const report = JSON.parse(stdout.slice(stdout.indexOf('{')));
  expect(report).toMatchObject({ problems: [], totals: { errors: 0, warnings: 0 } });
  expect(stderr).not.toMatch(/error/i);
});

test('every route answers 200 with the examples of its path, in the types that it says', async () => {
  expect([document.openapi, document.info.version]).toEqual(['3.1.0', '0.1.0']);
  const routes = Object.entries(document.paths);
  expect(routes.length).toBeGreaterThan(20);
  expect(new Set(routes.map(([, { get }]) => get.operationId)).size).toBe(routes.length);
  for (const [template, { get }] of routes) {
    const types = Object.keys(resolve(get.responses['200']!).content ?? {});
    const format = parametersOf(get).find(parameter => parameter.name === 'format');
    const queries = ['', ...(format?.schema.enum ?? []).map(value => `?format=${value}&limit=2`)];
    const given = new Set<string>();
    for (const query of queries) {
      const response = await ask(examplePath(template, get) + query);
      expect([template, query, response.status]).toEqual([template, query, 200]);
      given.add(response.headers.get('content-type')!.replace(/;.*/, ''));
      await response.body?.cancel();
    }
    expect([template, [...given].sort()]).toEqual([template, types.sort()]);
  }
});

const ajv = new Ajv2020({ strict: true, allowUnionTypes: true, allErrors: true, keywords: ['components'] });
ajv.addFormat('date', /^\d{4}-\d\d-\d\d$/);

const schemaOf = (operation: Operation, status: string) =>
  resolve(operation.responses[status]!).content!['application/json']!.schema;

test('every document, page and error has exactly the documented fields', async () => {
  let validated = 0;
  const expectValid = async (operation: Operation, url: string) => {
    const response = await ask(url);
    const { components } = document;
    const validate = ajv.compile({ ...schemaOf(operation, String(response.status)), components });
    const body = await response.json();
    validate(body);
    expect([url, validate.errors ?? []]).toEqual([url, []]);
    validated++;
    return body as Record<string, unknown>;
  };
  const known = (operation: Operation) => Object.keys(resolve(schemaOf(operation, '200')).properties ?? {});
  for (const [template, { get }] of Object.entries(document.paths)) {
    if (/\/(contract|feed\.xml)$/.test(template)) continue;
    const isRows = parametersOf(get).some(parameter => parameter.name === 'format');
    const isSchema = template === '/api/v1/datasets/{main_topic}/{topic}';
    const urls = isSchema
      ? schemas.map(({ endpoint }) => endpoint.replace('/v1/', '/v1/datasets/'))
      : [examplePath(template, get)];
    for (const url of urls) {
      const body = await expectValid(get, isRows ? `${url}?limit=3` : url);
      if (!isRows)
        expect([url, Object.keys(body).filter(name => !known(get).includes(name))]).toEqual([url, []]);
    }
    if (isRows) await expectValid(get, `${urls[0]}?limit=x`);
    if (get.responses['404']) await expectValid(get, '/api/v1/datasets/education/nothing');
  }
  expect(validated).toBeGreaterThan(Object.keys(document.paths).length);
});

/** Every example that names its request. */
function findExamples(node: unknown, found: { url: string; value: unknown }[] = []) {
  if (typeof node !== 'object' || node === null) return found;
  const { summary, value } = node as { summary?: unknown; value?: unknown };
  if (typeof summary === 'string' && summary.startsWith('GET ') && value !== undefined)
    found.push({ url: summary.slice(4), value });
  for (const child of Object.values(node)) findExamples(child, found);
  return found;
}

test('every example is the exact answer to its request', async () => {
  const statuses = [];
  for (const { url, value } of findExamples(document)) {
    const response = await ask(url);
    expect([url, await response.json()]).toEqual([url, value]);
    statuses.push(response.status);
  }
  expect(statuses.sort()).toEqual([...schemas.map(() => 200), 404, 422]);
});

test('each filter of every dataset is a parameter, with the values that it accepts', async () => {
  expect(schemas.length).toBeGreaterThan(5);
  for (const { endpoint, filters } of schemas) {
    const given = parametersOf(document.paths[endpoint]!.get);
    const common = ['limit', 'offset', 'format', 'as_of', 'history', 'figure'];
    expect(given.map(({ name }) => name)).toEqual([...filters.map(({ param }) => param), ...common]);
    for (const { param, multi_value: list, type, values, default: usual } of filters) {
      const { schema } = given.find(parameter => parameter.name === param)!;
      const item = schema.items ?? schema;
      const said = [schema.type === 'array', item.type, item.enum?.map(String) ?? null, schema.default];
      expect([param, ...said]).toEqual([param, list, type, values, usual]);
      if (values === null) continue;
      for (const value of list ? [values.join(',')] : values) {
        const response = await ask(`${endpoint}?${param}=${encodeURIComponent(value)}&limit=1`);
        expect([endpoint, param, value, response.status]).toEqual([endpoint, param, value, 200]);
        await response.body?.cancel();
      }
      expect((await ask(`${endpoint}?${param}=no%20such%20value`)).status).toBe(422);
    }
  }
});
