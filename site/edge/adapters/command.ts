/** The edge as a command: answers one question from a folder or an address. */
import { resolve } from 'node:path';
import type { ValidationErrorDocument } from '../../../build/format/documents.ts';
import { API_ROOT, ROOT } from '../../../build/format/paths.ts';
import { type Answer, type Incoming, partsOf, readWhole } from '../answer.ts';
import { Catalog } from '../catalog.ts';
import { type Explanation, explainPlan } from '../explanation.ts';
import { type Files, TreeMismatch } from '../files/files.ts';
import { createHttpFiles, HostError } from '../files/http-files.ts';
import { Kept } from '../files/kept.ts';
import { createEdge, planQuestion } from '../handler.ts';
import { ColumnCache } from '../rows/column-cache.ts';
import { createFolderFiles, FOLDER_BUDGET, resolveTree, usualMemory } from './folder.ts';

/** Bytes of a stored file in one read: each read of a distant tree is a request. */
const STEP = 8 << 20;

interface QueriedTree {
  /** The address or folder of its root, with a final slash. */
  readonly base: string;
  readonly files: Files;
}

export interface QueryFailure {
  readonly kind: 'failure';
  readonly code: FailureCode;
  readonly message: string;
  /** One line for each problem of a query. */
  readonly problems: readonly string[];
  /** The query that was probably meant. */
  readonly corrected: string | null;
}

type FailureCode =
  | 'wrong-query'
  | 'not-published'
  | 'withdrawn'
  | 'broken-tree'
  | 'not-a-tree'
  | 'unreachable'
  | 'too-costly';

interface QueryAnswer {
  readonly kind: 'answer';
  readonly parts: AsyncIterable<Uint8Array>;
}

/** On a user's own machine an answer has no limit of bytes. */
const BUDGET = { bytes: Number.MAX_SAFE_INTEGER, rows: 50_000_000 };

/**
 * Opens a tree in a folder or at an address; of several releases the current one. Throws HostError,
 * TreeMismatch.
 */
export async function openTree(base: string, kept?: Kept<Uint8Array>): Promise<QueriedTree> {
  if (/^https?:\/\//i.test(base)) {
    const address = base.endsWith('/') ? base : `${base}/`;
    return { base: address, files: createHttpFiles(address, kept && { kept }) };
  }
  const folder = await resolveTree(resolve(base));
  return { base: `${folder}/`, files: createFolderFiles(folder) };
}

/** `text`: `domain/topic?…`, or an API path that begins with `/`. */
export async function runQuery(
  tree: QueriedTree,
  text: string,
  signal?: AbortSignal,
): Promise<QueryAnswer | QueryFailure> {
  const { name, path, query } = splitQuery(text);
  if (name === '')
    return failure(
      'wrong-query',
      'The query names no dataset. Write domain/topic?parameters, or a path that begins with /.',
    );
  const origin = /^https?:/i.test(tree.base) ? tree.base.slice(0, -1) : '';
  const incoming: Incoming = { method: 'GET', root: '', path, query, origin, header: () => null, signal };
  const thrown: unknown[] = [];
  const missing = await explainMissingTree(tree);
  if (missing) return missing;
  const edge = createEdge(tree.files, {
    budget: BUDGET,
    workbooks: { cells: 10_000_000, open: () => import('../respond/workbook.ts') },
    cache: new ColumnCache(usualMemory()),
    step: STEP,
    onError: error => thrown.push(error),
  });
  const answer = await edge(incoming);
  if (thrown.length > 0) throw thrown[0];
  if (answer.status === 200) return { kind: 'answer', parts: partsOf(answer) };
  return describeRefusal(answer);
}

export async function explainQuery(tree: QueriedTree, text: string): Promise<Explanation | QueryFailure> {
  const missing = await explainMissingTree(tree);
  if (missing) return missing;
  const { path, query } = splitQuery(text);
  const plan = await planQuestion(await new Catalog(tree.files).current(), path, query);
  if (plan) return explainPlan(plan, tree.base);
  const answer = await runQuery(tree, text);
  if (answer.kind === 'failure') return answer;
  return failure(
    'wrong-query',
    'Only questions about rows have a plan. This is a document, which is one stored file.',
  );
}

/** Milliseconds until a program that goes on asking learns of a new release. */
const REFRESH_AFTER = 10_000;

/** Answers tools for language models until standard input ends. A failure if there is no tree. Throws as `openTree`. */
export async function speakMcp(place: string): Promise<QueryFailure | null> {
  // Kept files would hide a new release.
  const tree = await openTree(place, new Kept(0));
  const missing = await explainMissingTree(tree);
  if (missing) return missing;
  const [, origin = '', root = ''] = /^(https?:\/\/[^/]+)(.*)\/$/i.exec(tree.base) ?? [];
  const edge = createEdge(tree.files, {
    ...{ budget: FOLDER_BUDGET, cache: new ColumnCache(usualMemory()), refreshAfter: REFRESH_AFTER },
    // Standard output is the protocol's.
    onError: error => console.error(error),
  });
  const { createTools } = await import('../../mcp/server.ts');
  const { StdioServerTransport } = await import('@modelcontextprotocol/sdk/server/stdio.js');
  await createTools(edge, { origin, root, signal: undefined }).connect(new StdioServerTransport());
  return null;
}

/** Null if the error is a bug. */
export function describeFailure(error: unknown): QueryFailure | null {
  if (error instanceof HostError) return failure('unreachable', `${error.message}.`);
  if (error instanceof TreeMismatch) return failure('broken-tree', `${error.message}.`);
  return null;
}

function failure(code: FailureCode, message: string): QueryFailure {
  return { kind: 'failure', code, message, problems: [], corrected: null };
}

/** Reports a wrong folder or address as such, instead of a missing file. */
async function explainMissingTree({ base, files }: QueriedTree): Promise<QueryFailure | null> {
  if (await files.stat(ROOT.manifest)) return null;
  const message = `${base} has no ${ROOT.manifest}. Name the root of a tree; civic build makes one.`;
  return failure('not-a-tree', message);
}

function splitQuery(text: string): { name: string; path: string; query: string } {
  const [whole = ''] = text.split('#', 1);
  const at = whole.indexOf('?');
  const name = at < 0 ? whole : whole.slice(0, at);
  const path = name.startsWith('/') ? name : `/${API_ROOT}/${name}`;
  return { name, path, query: at < 0 ? '' : whole.slice(at) };
}

const REFUSALS: Readonly<Record<number, FailureCode>> = {
  301: 'not-published',
  404: 'not-published',
  410: 'withdrawn',
  414: 'wrong-query',
  422: 'wrong-query',
  501: 'too-costly',
  502: 'broken-tree',
};

async function describeRefusal(answer: Answer): Promise<QueryFailure> {
  const text = new TextDecoder().decode(await readWhole(partsOf(answer)));
  const code = REFUSALS[answer.status] ?? 'not-published';
  if (text === '') return failure(code, `This is a folder. Ask for ${answer.headers.Location ?? 'a file'}.`);
  const { detail } = JSON.parse(text) as { detail: string } | ValidationErrorDocument;
  if (typeof detail === 'string') return failure(code, detail);
  const url = String(detail[0]?.ctx?.url ?? '');
  return {
    ...failure(code, 'The query is wrong.'),
    problems: detail.map(({ loc, msg }) => `${loc.slice(1).join('.')}: ${msg}`),
    corrected: url.replace(`/${API_ROOT}/`, ''),
  };
}
