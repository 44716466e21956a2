/** The API's page, from openapi.json: routes, parameters, examples and errors. A script adds forms to try them with. */
import { PAGES, ROOT } from '../../../build/format/paths.ts';
import { countOf, titleName } from '../view/format.ts';
import type { Documents } from './documents.ts';
import { type Bundle, renderPage, rootFrom } from './layout.tsx';
import { type ApiAnswer, type ApiParameter, type ApiRoute, parseOpenApi } from './openapi.ts';
import { Line, Paragraphs, TableScroll } from './text.tsx';

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
      title: 'API',
      description: `Every route and parameter of the API of ${documents.service.service}, with requests to try.`,
    },
    <div id="api">
      <h1>API</h1>
      <p class="lead">
        Programs request data by address. You can open every address on this page in a browser too.
      </p>
      <p>
        Version {api.version}, {countOf(api.routes.length, 'route')}. For programs:{' '}
        <a href={`${root}${ROOT.openapi}`}>openapi.json</a> (OpenAPI 3.1), <a href="v1/">all files</a>.
      </p>
      <h2 id="start">How it works</h2>
      <ol>
        <li>
          Choose a dataset below. Its first route returns rows: <code>year</code> and <code>detail</code>{' '}
          choose the year and the level, and the other parameters filter the rows.
        </li>
        <li>
          Values separated by commas match any of them. A row must match every parameter. A parameter without
          a value matches the rows where the column is NULL.
        </li>
        <li>
          <code>format</code> is <code>json</code>, <code>csv</code> or <code>parquet</code>. A JSON answer
          has at most 10,000 rows, and its <code>next</code> is the address of the rows that follow.
        </li>
        <li>
          NULL is never zero: each column says what its NULL means. Codes are text: keep their leading zeros.
        </li>
      </ol>
      <h2 id="errors">Errors</h2>
      <Errors routes={api.routes} />
      {tags.map(tag => (
        <section key={tag} aria-labelledby={`tag-${tag}`}>
          <h2 id={`tag-${tag}`}>{titleName(tag)}</h2>
          <p>{api.tags.find(one => one.name === tag)?.description}</p>
          {api.routes
            .filter(route => route.tag === tag)
            .map(route => (
              <Route key={route.path} route={route} />
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
            <dd>{example && <Example request={example.request} body={example.body} />}</dd>
          </>
        ))}
    </dl>
  );
}

function Route({ route }: { readonly route: ApiRoute }) {
  const { path, summary, description, parameters, answers, id } = route;
  const example = answers.find(answer => answer.status === '200')?.example ?? null;
  return (
    <details class="route" id={id} data-path={path}>
      <summary>
        <h3>{summary}</h3> <code class="long">GET {path}</code>
      </summary>
      <Paragraphs text={description} />
      {parameters.length === 0 ? <p>This route takes no parameters.</p> : <Parameters route={route} />}
      {example && <Example request={example.request} body={example.body} />}
    </details>
  );
}

function Example({ request, body }: { readonly request: string; readonly body: string }) {
  return (
    <details>
      <summary>
        Example: <code class="long">{request}</code>
      </summary>
      <div class="code">
        <pre tabindex={0}>{body}</pre>
      </div>
    </details>
  );
}

function Parameters({ route: { parameters, path } }: { readonly route: ApiRoute }) {
  return (
    <TableScroll label={`Parameters of ${path}`}>
      <table class="data parameters stacked">
        <thead>
          <tr>
            <th scope="col">Parameter</th>
            <th scope="col">What it does</th>
            <th scope="col">Values</th>
          </tr>
        </thead>
        <tbody>
          {parameters.map(parameter => (
            <tr
              key={parameter.name}
              data-name={parameter.name}
              data-in={parameter.in}
              data-example={parameter.example ?? undefined}
            >
              <th scope="row">
                <code>{parameter.name}</code>
                {parameter.required && (
                  <>
                    <br />
                    <span class="badge">required</span>
                  </>
                )}
              </th>
              <td class="text">
                <Line text={parameter.description} />
              </td>
              <td data-label="Values">
                <Values parameter={parameter} />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </TableScroll>
  );
}

function Values({ parameter: { allowed, several, type, fallback } }: { readonly parameter: ApiParameter }) {
  const many = several ? ', or several' : '';
  const values = allowed?.map((value, i) => (
    <>
      {i > 0 && ', '}
      <code class="allowed">{value}</code>
    </>
  ));
  return (
    <>
      {allowed === null ? (
        `${type}${many}`
      ) : allowed.length > SHOWN_VALUES ? (
        <details>
          <summary>
            one of {allowed.length}
            {many}
          </summary>
          <p>{values}</p>
        </details>
      ) : (
        <>
          one of {values}
          {many}
        </>
      )}
      {fallback !== null && (
        <>
          ; default <code>{fallback}</code>
        </>
      )}
    </>
  );
}
