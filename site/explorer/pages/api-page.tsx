/** The API's page, from openapi.json: routes, parameters, requests, examples and errors. */
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
  const { parameters, responses } = api.components;
  const routes = Object.entries(api.paths).map(
    ([path, { get }]): ApiRoute => ({
      ...get,
      path,
      parameters: (get.parameters ?? []).map(one => resolve(one, parameters)),
      answers: Object.entries(get.responses).map(([status, one]) => ({
        status,
        ...resolve(one, responses),
      })),
    }),
  );
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
      <Errors answers={routes.flatMap(({ answers }) => answers)} />
      {[...new Set(routes.map(({ tags: [tag] }) => tag))].map(tag => (
        <section key={tag} aria-labelledby={`tag-${tag}`}>
          <h2 id={`tag-${tag}`}>{titleName(tag)}</h2>
          <p>{api.tags.find(one => one.name === tag)?.description}</p>
          {routes
            .filter(route => route.tags[0] === tag)
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

interface Described {
  readonly operationId: string;
  readonly tags: readonly [string];
  readonly summary: string;
  readonly description?: string;
}

interface Operation extends Described {
  readonly parameters?: readonly (Parameter | Reference)[];
  readonly responses: Readonly<Record<string, Answer | Reference>>;
}

interface Reference {
  readonly $ref: string;
}

function resolve<Part extends object>(part: Part | Reference, known: Readonly<Record<string, Part>>): Part {
  return '$ref' in part ? known[part.$ref.split('/').at(-1) ?? '']! : part;
}

/** A route with its references resolved. */
interface ApiRoute extends Described {
  readonly path: string;
  readonly parameters: readonly Parameter[];
  readonly answers: readonly ApiAnswer[];
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
  readonly content?: Readonly<Record<string, { readonly examples?: Readonly<Record<string, Example>> }>>;
}

interface ApiAnswer extends Answer {
  readonly status: string;
}

/** A request and the body of its answer. */
interface Example {
  readonly summary: string;
  readonly value: unknown;
}

function exampleOf(answer: Answer | undefined): Example | undefined {
  return Object.values(answer?.content?.['application/json']?.examples ?? {})[0];
}

/** Lists each status once, with the first example of it. */
function Errors({ answers }: Pick<ApiRoute, 'answers'>) {
  const errors = new Map<string, ApiAnswer>();
  for (const answer of answers)
    if (/^[45]/.test(answer.status) && !exampleOf(errors.get(answer.status)))
      errors.set(answer.status, answer);
  return (
    <dl>
      {[...errors].sort().map(([status, { description, ...answer }]) => (
        <>
          <dt>
            <strong>{status}</strong> {description}
          </dt>
          <dd>
            <Body example={exampleOf({ description, ...answer })} />
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
  const { path, parameters } = route;
  const example = exampleOf(route.answers.find(({ status }) => status === '200'));
  const request = example?.summary.replace(/^GET \//, '') ?? fillPath(route);
  return (
    <details class="route" id={route.operationId}>
      <summary>
        <h3>{route.summary}</h3> <code>GET {path}</code>
      </summary>
      <Paragraphs text={route.description ?? ''} />
      {parameters.length === 0 && <p>{t.api.noParameters}</p>}
      {parameters.length > 0 && (
        <DataTable
          label={t.api.parametersOf(path)}
          titles={[t.api.parameter, t.api.effect, t.nouns.values]}
          texts={[1]}
          kind="parameters stacked"
          rows={parameters.map(({ name, required, description, schema }) => [
            <>
              <code>{name}</code>
              {required && (
                <>
                  <br />
                  <span class="hint">{t.api.required}</span>
                </>
              )}
            </>,
            <Line text={description} />,
            <Values schema={schema} />,
          ])}
        />
      )}
      <Code label={t.api.requestOf(path)} code={ADDRESS + request} address={address} kind="request" />
      <p class="needs-script">
        {/* biome-ignore lint/a11y/useValidAnchor: a script adds the address, since a host of files may lack it */}
        <a data-request={request}>{t.api.open}</a>
      </p>
      <Body example={example} />
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

/** The body of an example's answer, and its request. */
function Body({ example }: { readonly example: Example | undefined }) {
  if (example === undefined) return null;
  return (
    <details>
      <summary>
        <Line text={t.api.example} parts={{ request: <code>{example.summary}</code> }} />
      </summary>
      <div class="code">
        <pre tabindex={0}>{JSON.stringify(example.value, null, 2)}</pre>
      </div>
    </details>
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
