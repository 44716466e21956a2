/** The API's page, from openapi.json: routes, parameters, requests, examples and errors. */
import type { ComponentChildren } from 'preact';
import { PAGES, ROOT } from '../../../build/format/paths.ts';
import { t } from '../messages/messages.ts';
import { formatCount, titleName } from '../view/format.ts';
import type { Documents } from './documents.ts';
import { type Bundle, renderPage, rootFrom } from './layout.tsx';
import { ADDRESS, Code, DataTable, Line, Paragraphs } from './text.tsx';

/** A longer list of allowed values is folded. */
const SHOWN_VALUES = 12;

export function renderApiPage(documents: Documents, openapi: string, bundle: Bundle): string {
  const api = parseOpenApi(openapi);
  const folder = `${PAGES.api}/`;
  const root = rootFrom(folder);
  const tags = [...new Set(api.routes.map(route => route.tag))];
  return renderPage(
    documents,
    bundle,
    {
      folder,
      section: 'api',
      hasTools: true,
      title: t.layout.api,
      description: t.api.described(documents.service.service),
    },
    <div id="api">
      <h1>{t.layout.api}</h1>
      <p class="lead">{t.api.lead}</p>
      <p>
        <Line
          text={t.api.version(api.version, t.counts.routes(api.routes.length))}
          parts={{
            openapi: <a href={`${root}${ROOT.openapi}`}>openapi.json</a>,
            files: <a href="v1/">{t.api.allFiles}</a>,
          }}
        />
      </p>
      <h2 id="start">{t.api.howItWorks}</h2>
      <ol>
        {t.api.steps().map(step => (
          <li key={step}>
            <Line text={step} />
          </li>
        ))}
      </ol>
      <h2 id="errors">{t.api.errors}</h2>
      <Errors routes={api.routes} />
      {tags.map(tag => (
        <section key={tag} aria-labelledby={`tag-${tag}`}>
          <h2 id={`tag-${tag}`}>{titleName(tag)}</h2>
          <p>{api.tags.find(one => one.name === tag)?.description}</p>
          {api.routes
            .filter(route => route.tag === tag)
            .map(route => (
              <Route key={route.path} route={route} address={documents.source.baseUrl} />
            ))}
        </section>
      ))}
    </div>,
  );
}

/** Lists each status once, with the first example that a route gives of it. */
function Errors({ routes }: { readonly routes: readonly ApiRoute[] }) {
  const errors = new Map<string, ApiAnswer>();
  for (const answer of routes.flatMap(route => route.answers)) {
    const known = errors.get(answer.status);
    if (/^[45]/.test(answer.status) && (known === undefined || (!known.example && answer.example)))
      errors.set(answer.status, answer);
  }
  return (
    <dl>
      {[...errors.values()]
        .sort((a, b) => (a.status < b.status ? -1 : 1))
        .map(({ status, description, example }) => (
          <>
            <dt>
              <strong>{status}</strong> {description}
            </dt>
            <dd>
              {example && (
                <Body
                  title={
                    <Line
                      text={t.api.example}
                      parts={{ request: <code class="long">{example.request}</code> }}
                    />
                  }
                  body={example.body}
                />
              )}
            </dd>
          </>
        ))}
    </dl>
  );
}

interface RouteProps {
  readonly route: ApiRoute;
  /** The tree's address; null if unknown. */
  readonly address: string | null;
}

function Route({ route, address }: RouteProps) {
  const { path, summary, description, parameters, answers, id } = route;
  const example = answers.find(answer => answer.status === '200')?.example ?? null;
  const request = example?.request.replace(/^GET \//, '') ?? fillPath(route);
  return (
    <details class="route" id={id}>
      <summary>
        <h3>{summary}</h3> <code class="long">GET {path}</code>
      </summary>
      <Paragraphs text={description} />
      {parameters.length === 0 ? <p>{t.api.noParameters}</p> : <Parameters route={route} />}
      <Code label={t.api.requestOf(path)} code={ADDRESS + request} address={address} kind="request" />
      <p class="needs-script">
        {/* biome-ignore lint/a11y/useValidAnchor: a script adds the address, which a host of files may not have */}
        <a data-request={request}>{t.api.open}</a>
      </p>
      {example && <Body title={t.api.answer} body={example.body} />}
    </details>
  );
}

/** The path from the tree's root with an example of each parameter in it. */
function fillPath({ path, parameters }: ApiRoute): string {
  const examples = new Map(parameters.map(({ name, example }) => [name, example]));
  return path
    .slice(1)
    .replace(/\{([^}]+)\}/g, (_, name: string) => encodeURIComponent(examples.get(name) ?? ''));
}

function Body({ title, body }: { readonly title: ComponentChildren; readonly body: string }) {
  return (
    <details>
      <summary>{title}</summary>
      <div class="code">
        <pre tabindex={0}>{body}</pre>
      </div>
    </details>
  );
}

function Parameters({ route: { parameters, path } }: { readonly route: ApiRoute }) {
  return (
    <DataTable
      label={t.api.parametersOf(path)}
      titles={[t.api.parameter, t.api.effect, t.api.values]}
      kind="parameters stacked"
    >
      {parameters.map(parameter => (
        <tr key={parameter.name}>
          <th scope="row">
            <code>{parameter.name}</code>
            {parameter.required && (
              <>
                <br />
                <span class="badge">{t.api.required}</span>
              </>
            )}
          </th>
          <td class="text">
            <Line text={parameter.description} />
          </td>
          <td data-label={t.api.values}>
            <Values parameter={parameter} />
          </td>
        </tr>
      ))}
    </DataTable>
  );
}

function Values({ parameter: { allowed, several, type, fallback } }: { readonly parameter: ApiParameter }) {
  const oneOf = several ? t.api.oneOfSeveral : t.api.oneOf;
  const values = allowed?.map((value, i) => (
    <>
      {i > 0 && ', '}
      <code>{value}</code>
    </>
  ));
  return (
    <>
      {allowed === null ? (
        (several ? t.api.anySeveral : t.api.any)(type)
      ) : allowed.length > SHOWN_VALUES ? (
        <details>
          <summary>
            <Line text={oneOf} parts={{ values: formatCount(allowed.length) }} />
          </summary>
          <p>{values}</p>
        </details>
      ) : (
        <Line text={oneOf} parts={{ values }} />
      )}
      {fallback !== null && (
        <>
          ; <Line text={t.api.default} parts={{ value: <code>{fallback}</code> }} />
        </>
      )}
    </>
  );
}

/** Parses openapi.json for the API page, with care: another program may have written it. */

interface ApiParameter {
  readonly name: string;
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

interface ApiAnswer {
  readonly status: string;
  readonly description: string;
  /** Request and body of an example. */
  readonly example: { readonly request: string; readonly body: string } | null;
}

interface ApiRoute {
  readonly path: string;
  readonly id: string;
  readonly tag: string;
  readonly summary: string;
  readonly description: string;
  readonly parameters: readonly ApiParameter[];
  readonly answers: readonly ApiAnswer[];
}

interface ApiDescription {
  readonly version: string;
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

function parseOpenApi(source: string): ApiDescription {
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
    version: text(info['version']),
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
