/** What a browser keeps of a host, with a store in memory and a host that the test controls. */
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { answerKept, keepPage } from '../../site/edge/adapters/kept-answers.ts';

const ROOT = 'https://host.test/';
const FILE = `${ROOT}search.json`;

/** The parts of a browser's store that keeping needs. */
const held = new Map<string, Response>();
const CACHES = {
  open: async () => ({
    match: async (key: string) => held.get(key)?.clone(),
    put: async (key: string, response: Response) => {
      held.set(key, new Response(await response.arrayBuffer(), { headers: response.headers }));
    },
    keys: async () => [...held.keys()],
    delete: async (key: string) => held.delete(key),
  }),
};

beforeEach(() => {
  vi.useFakeTimers();
  vi.stubGlobal('caches', CACHES);
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

test('an answer arrives while it is stored, and is used if the host is silent or gone', async () => {
  const works: Promise<void>[] = [];
  const ask = () => answerKept(ROOT, new Request(FILE), work => works.push(work));
  // The host sends the first half of a file, and the second one later.
  let finish = (): void => undefined;
  const body = new ReadableStream<Uint8Array>({
    start(controller) {
      controller.enqueue(new TextEncoder().encode('first '));
      finish = () => {
        controller.enqueue(new TextEncoder().encode('second'));
        controller.close();
      };
    },
  });
  vi.stubGlobal('fetch', async () => new Response(body));
  const arriving = await ask();
  finish();
  expect(await arriving.text()).toBe('first second');
  await Promise.all(works);

  vi.stubGlobal('fetch', () => new Promise<Response>(() => undefined));
  const standIn = ask();
  await vi.advanceTimersByTimeAsync(10_000);
  expect(await (await standIn).text()).toBe('first second');

  vi.stubGlobal('fetch', () => Promise.reject(new TypeError('Failed to fetch')));
  expect(await (await ask()).text()).toBe('first second');
  // A file that was never read has no copy.
  await expect(answerKept(ROOT, new Request(`${ROOT}other.json`), () => undefined)).rejects.toThrow(
    'Failed to fetch',
  );
  expect(vi.getTimerCount()).toBe(0);
});

test('a page that was there before the worker is asked for as a page, and its files as files', async () => {
  const asked: unknown[] = [];
  vi.stubGlobal('fetch', async (url: string, { headers }: RequestInit) => {
    asked.push([url, headers]);
    return new Response('');
  });
  await keepPage(ROOT, { kind: 'keep', page: ROOT, files: [`${ROOT}values.json`] });
  expect(asked).toEqual([
    [ROOT, { Accept: 'text/html' }],
    [`${ROOT}values.json`, undefined],
  ]);
});
