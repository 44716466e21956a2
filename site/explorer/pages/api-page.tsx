/** The API's page, from openapi.json: routes, parameters, requests, examples and errors. */
import type { ComponentChildren } from 'preact';
import { PAGES, ROOT } from '../../../build/format/paths.ts';
import { t } from '../messages/messages.ts';
import { formatCount, titleName } from '../view/format.ts';
import { renderPage, rootFrom, type Site } from './layout.tsx';
import { ADDRESS, Code, DataTable, Line, Paragraphs } from './text.tsx';

/** A longer list of allowed values is folded. */
const SHOWN_VALUES = 12;

export function renderApiPage(site: Site): string {
  const api = site.openapi as OpenApi;
  const folder = `${PAGES.api}/`;
  const root = rootFrom(folder);
  const routes = Object.entries(api.paths).map(([path, { get }]) => readRoute(api, path, get));
  return renderPage(
    site,
    {
      folder,
      section: 'api',
      title: t.layout.api,
      description: t.api.described(site.service.service),
    },
    <div id="api">
      <h1>{t.layout.api}</h1>
      <p class="lead">{t.api.lead}</p>
      <p>
        <Line
          text={t.api.version(api.info.version, t.counts.routes(routes.length))}
          parts={{
            openapi: <a href={`${root}${ROOT.openapi}`}>openapi.json</a>,
            files: <a href="v1/">{t.layout.allFiles}</a>,
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
      <Errors routes={routes} />
      {[...new Set(routes.map(({ tag }) => tag))].map(tag => (
        <section key={tag} aria-labelledby={`tag-${tag}`}>
          <h2 id={`tag-${tag}`}>{titleName(tag)}</h2>
          <p>{api.tags.find(one => one.name === tag)?.description}</p>
          {routes
            .filter(route => route.tag === tag)
            .map(route => (
              <Route key={route.path} route={route} address={site.source.baseUrl} />
            ))}
        </section>
      ))}
    </div>,
  );
}

/** The parts of openapi.json that the page shows. */
interface OpenApi {
  readonly info: { readonly version: string };
  readonly tags: readonly { readonly name: string; readonly description: string }[];
  readonly paths: Readonly<Record<string, { readonly get: Operation }>>;
  readonly components: {
    readonly parameters: Readonly<Record<string, Parameter>>;
    readonly responses: Readonly<Record<string, Answer>>;
  };
}

interface Operation {
  readonly operationId: string;
  readonly tags: readonly [string];
  readonly summary: string;
  readonly description?: string;
  readonly parameters?: readonly (Parameter | Reference)[];
  readonly responses: Readonly<Record<string, Answer | Reference>>;
}

interface Reference {
  readonly $ref: string;
}

interface Parameter {
  readonly name: string;
  readonly required?: boolean;
  readonly description: string;
  readonly schema: ValueSchema & {
    /** Set if the parameter takes several values, separated by commas. */
    readonly items?: ValueSchema;
    readonly default?: string | number;
  };
  readonly example?: string;
}

interface ValueSchema {
  readonly type: string;
  readonly enum?: readonly string[];
}

interface Answer {
  readonly description: string;
  readonly content?: Readonly<
    Record<string, { readonly examples?: Readonly<Record<string, { summary: string; value: unknown }>> }>
  >;
}

/** A route with its references resolved. */
interface ApiRoute {
  readonly path: string;
  readonly tag: string;
  readonly operation: Operation;
  readonly parameters: readonly Parameter[];
  readonly answers: readonly ApiAnswer[];
}

interface ApiAnswer {
  readonly status: string;
  readonly description: string;
  /** Request and body of an example. */
  readonly example: { readonly request: string; readonly body: string } | null;
}

function readRoute({ components }: OpenApi, path: string, operation: Operation): ApiRoute {
  const resolve = <Part,>(part: Part | Reference, known: Readonly<Record<string, Part>>): Part =>
    typeof part === 'object' && part !== null && '$ref' in part
      ? known[part.$ref.split('/').at(-1) ?? '']!
      : (part as Part);
  return {
    path,
    tag: operation.tags[0],
    operation,
    parameters: (operation.parameters ?? []).map(one => resolve(one, components.parameters)),
    answers: Object.entries(operation.responses).map(([status, one]) => {
      const { description, content } = resolve(one, components.responses);
      const [example] = Object.values(content?.['application/json']?.examples ?? {});
      const shown = example && { request: example.summary, body: JSON.stringify(example.value, null, 2) };
      return { status, description, example: shown ?? null };
    }),
  };
}

/** Lists each status once, with the first example of it. */
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
                  title={<Line text={t.api.example} parts={{ request: <code>{example.request}</code> }} />}
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
  const { path, operation, parameters, answers } = route;
  const example = answers.find(answer => answer.status === '200')?.example ?? null;
  const request = example?.request.replace(/^GET \//, '') ?? fillPath(route);
  return (
    <details class="route" id={operation.operationId}>
      <summary>
        <h3>{operation.summary}</h3> <code>GET {path}</code>
      </summary>
      <Paragraphs text={operation.description ?? ''} />
      {parameters.length === 0 ? <p>{t.api.noParameters}</p> : <Parameters route={route} />}
      <Code label={t.api.requestOf(path)} code={ADDRESS + request} address={address} kind="request" />
      <p class="needs-script">
        {/* biome-ignore lint/a11y/useValidAnchor: a script adds the address, since a host of files may lack it */}
        <a data-request={request}>{t.api.open}</a>
      </p>
      {example && <Body title={t.nouns.answer} body={example.body} />}
    </details>
  );
}

/** The path from the tree's root, with example values of its parameters. */
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
      titles={[t.api.parameter, t.api.effect, t.nouns.values]}
      kind="parameters stacked"
    >
      {parameters.map(({ name, required, description, schema }) => (
        <tr key={name}>
          <th scope="row">
            <code>{name}</code>
            {required && (
              <>
                <br />
                <span class="badge">{t.api.required}</span>
              </>
            )}
          </th>
          <td class="text">
            <Line text={description} />
          </td>
          <td data-label={t.nouns.values}>
            <Values schema={schema} />
          </td>
        </tr>
      ))}
    </DataTable>
  );
}

function Values({ schema }: Pick<Parameter, 'schema'>) {
  const { items, default: fallback } = schema;
  const { type, enum: allowed } = items ?? schema;
  const said = (what: string) => (items ? t.api.several(what) : what);
  const values = allowed?.map((value, i) => (
    <>
      {i > 0 && ', '}
      <code>{value}</code>
    </>
  ));
  return (
    <>
      {allowed === undefined ? (
        said(type)
      ) : allowed.length > SHOWN_VALUES ? (
        <details>
          <summary>
            <Line text={said(t.api.oneOf)} parts={{ values: formatCount(allowed.length) }} />
          </summary>
          <p>{values}</p>
        </details>
      ) : (
        <Line text={said(t.api.oneOf)} parts={{ values }} />
      )}
      {fallback !== undefined && (
        <>
          ; <Line text={t.api.default} parts={{ value: <code>{fallback}</code> }} />
        </>
      )}
    </>
  );
}
