/** Load from this process: each connection asks its next question as soon as it has read an answer to its end. */
import { Client } from 'undici';

export interface Load {
  /** Answers with the status 200. */
  readonly answers: number;
  /** Answers with another status, and connections that broke: how often each. */
  readonly refused: ReadonlyMap<string, number>;
  /** From the first question to the end of the last answer. */
  readonly seconds: number;
  /** Milliseconds that each answer took, ascending. */
  readonly delays: readonly number[];
}

export interface LoadOptions {
  readonly connections: number;
  /** After so long no question is asked any more. */
  readonly seconds: number;
}

/** `next` gives the path of a question; null: there is none any more. */
export async function runLoad(
  url: string,
  next: () => string | null,
  { connections, seconds: duration }: LoadOptions,
): Promise<Load> {
  const delays: number[] = [];
  const refused = new Map<string, number>();
  const started = performance.now();
  const until = started + duration * 1000;
  const askOnAndOn = async (): Promise<void> => {
    const client = new Client(url, { pipelining: 1 });
    for (let asked = performance.now(); asked < until; asked = performance.now()) {
      const path = next();
      if (path === null) break;
      const outcome = await ask(client, path);
      if (outcome === '200') delays.push(performance.now() - asked);
      else refused.set(outcome, (refused.get(outcome) ?? 0) + 1);
    }
    await client.destroy();
  };
  await Promise.all(Array.from({ length: connections }, askOnAndOn));
  const seconds = (performance.now() - started) / 1000;
  delays.sort((a, b) => a - b);
  return { answers: delays.length, refused, seconds, delays };
}

/** The status, or what went wrong. */
function ask(client: Client, path: string): Promise<string> {
  return new Promise(done => {
    let status = '';
    client.dispatch(
      { path, method: 'GET' },
      {
        onRequestStart: () => undefined,
        onResponseStart: (_, code) => {
          status = String(code);
        },
        onResponseData: () => undefined,
        onResponseEnd: () => done(status),
        onResponseError: (_, error) => done(error.message),
      },
    );
  });
}
