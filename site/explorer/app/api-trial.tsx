/** Lets a reader try the API's routes: a form from the table of parameters, and the answer. */
import { render } from 'preact';
import { useState } from 'preact/hooks';
import { readAll, watchedFetch } from '../../edge/files/watched-fetch.ts';
import { inTime, SILENCE } from '../engine/patience.ts';
import { t } from '../messages/messages.ts';
import { Facts } from '../pages/text.tsx';
import { formatBytes, formatCount } from '../view/format.ts';
import { explain } from './explanation.tsx';

interface TrialParameter {
  readonly name: string;
  readonly in: string;
  readonly example: string;
  readonly allowed: readonly string[];
}

interface Outcome {
  readonly status: string;
  readonly milliseconds: number;
  readonly bytes: number;
  readonly headers: readonly (readonly [string, string])[];
  readonly head: string;
  /** Whether the page computed the answer because its host cannot. */
  readonly ownAnswer: boolean;
}

/** The page shows at most this much of a body. */
const MOST_TEXT = 3000;

export function startTrials(root: URL): void {
  for (const route of document.querySelectorAll<HTMLDetailsElement>('details.route')) {
    // The route that the address names may be open before this script is there.
    if (route.open) addTrial(root, route);
    else route.addEventListener('toggle', () => addTrial(root, route), { once: true });
  }
  // A link may lead to one route.
  const asked = location.hash ? document.getElementById(decodeURIComponent(location.hash.slice(1))) : null;
  if (asked instanceof HTMLDetailsElement) {
    asked.open = true;
    asked.scrollIntoView();
  }
}

function addTrial(root: URL, route: HTMLDetailsElement): void {
  const parameters = [...route.querySelectorAll<HTMLElement>('tr[data-name]')].map(
    (row): TrialParameter => ({
      name: row.dataset['name'] ?? '',
      in: row.dataset['in'] ?? 'query',
      example: row.dataset['example'] ?? '',
      allowed: [...row.querySelectorAll('.allowed')].map(one => one.textContent ?? ''),
    }),
  );
  const place = document.createElement('div');
  route.append(place);
  render(<Trial root={root} path={route.dataset['path'] ?? '/'} parameters={parameters} />, place);
}

interface TrialProps {
  readonly root: URL;
  readonly path: string;
  readonly parameters: readonly TrialParameter[];
}

function Trial({ root, path, parameters }: TrialProps) {
  const [values, setValues] = useState<Readonly<Record<string, string>>>(() =>
    Object.fromEntries(parameters.map(one => [one.name, one.in === 'path' ? one.example : ''])),
  );
  const [outcome, setOutcome] = useState<Outcome | string | null>(null);
  const [busy, setBusy] = useState(false);
  const url = addressOf(root, path, parameters, values);
  const run = async () => {
    setBusy(true);
    setOutcome(await ask(root, url).catch(explain));
    setBusy(false);
  };
  return (
    <form
      class="trial"
      aria-label={t.api.tryRoute(path)}
      onSubmit={event => {
        event.preventDefault();
        run();
      }}
    >
      <h4>{t.api.tryIt}</h4>
      <div class="fields">
        {parameters.map(one => (
          <Field
            key={one.name}
            id={`${path} ${one.name}`}
            parameter={one}
            value={values[one.name] ?? ''}
            onChange={value => setValues({ ...values, [one.name]: value })}
          />
        ))}
      </div>
      <p>
        <code class="long">GET {url.href}</code>
      </p>
      <p class="toolbar">
        <button class="button" type="submit" disabled={busy}>
          {busy ? t.api.sending : t.api.send}
        </button>
        <a class="button quiet" href={url.href}>
          {t.api.open}
        </a>
      </p>
      <div role="status">{outcome !== null && <Answer outcome={outcome} />}</div>
    </form>
  );
}

function Field(props: {
  readonly id: string;
  readonly parameter: TrialParameter;
  readonly value: string;
  onChange(value: string): void;
}) {
  const { id, parameter, value, onChange } = props;
  const list = `${id} list`.replaceAll(/[^\w-]/g, '-');
  return (
    <div class="field">
      <label for={id}>{parameter.name}</label>
      <input
        id={id}
        value={value}
        autocomplete="off"
        spellcheck={false}
        list={parameter.allowed.length > 0 ? list : undefined}
        onInput={event => onChange(event.currentTarget.value)}
      />
      {parameter.allowed.length > 0 && (
        <datalist id={list}>
          {parameter.allowed.map(one => (
            <option key={one} value={one} />
          ))}
        </datalist>
      )}
    </div>
  );
}

function Answer({ outcome }: { readonly outcome: Outcome | string }) {
  if (typeof outcome === 'string') return <p class="notice warn">{t.api.failed(outcome)}</p>;
  const { status, milliseconds, bytes, headers, head, ownAnswer } = outcome;
  return (
    <>
      {ownAnswer && <p class="notice">{t.api.ownAnswer}</p>}
      <p>
        <strong>{status}</strong>, {formatBytes(bytes)}, {formatCount(milliseconds)} ms
      </p>
      <details>
        <summary>{t.api.headers}</summary>
        <Facts facts={headers} />
      </details>
      <div class="code">
        <pre tabindex={0}>{head}</pre>
      </div>
    </>
  );
}

/** Leaves out empty parameters. */
function addressOf(
  root: URL,
  path: string,
  parameters: readonly TrialParameter[],
  values: Readonly<Record<string, string>>,
): URL {
  const filled = path.replaceAll(/\{([^}]+)\}/g, (_, name: string) => encodeURIComponent(values[name] ?? ''));
  const url = new URL(filled.slice(1), root);
  for (const { name, in: place } of parameters) {
    const value = values[name] ?? '';
    if (place === 'query' && value !== '') url.searchParams.append(name, value);
  }
  return url;
}

async function ask(root: URL, url: URL): Promise<Outcome> {
  const started = performance.now();
  // The edge would give a browser the page at the root.
  const request = new Request(url, { headers: { Accept: 'application/json, */*;q=0.1' } });
  const hosts = await watchedFetch(request, {}, SILENCE);
  const ownAnswer = !isAnswerOfApi(hosts.response);
  const response = ownAnswer ? await askHere(root, request) : hosts.response;
  const body = ownAnswer ? new Uint8Array(await response.arrayBuffer()) : await readAll(hosts);
  await hosts.end();
  const binary = body.subarray(0, 4).every((byte, i) => byte === 'PAR1'.charCodeAt(i)) && body.length > 3;
  const text = binary ? t.api.parquet : new TextDecoder().decode(body.subarray(0, MOST_TEXT));
  return {
    status: `${response.status} ${response.statusText}`.trim(),
    milliseconds: Math.round(performance.now() - started),
    bytes: body.length,
    headers: [...response.headers],
    head: body.length > MOST_TEXT && !binary ? `${text}\n…` : text,
    ownAnswer,
  };
}

/** An API never answers a program with a page; a host of files does when it lacks the file. */
function isAnswerOfApi({ ok, headers }: Response): boolean {
  const type = headers.get('content-type') ?? '';
  return ok ? !type.startsWith('text/html') : type.startsWith('application/json');
}

/** Runs the edge in the page, which computes the API's answer from the files. */
async function askHere(root: URL, request: Request): Promise<Response> {
  const { createBrowserHandler } = await inTime(import('../../edge/browser-handler.ts'));
  // The error is the answer: it explains itself.
  return createBrowserHandler(root.href, () => undefined)(request);
}
