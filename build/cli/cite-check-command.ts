/** `civic cite-check`: finds addresses of figures in a document, and says which figures have changed since. */
import { createReadStream } from 'node:fs';
import { json } from 'node:stream/consumers';
import { Option } from 'commander';
import { UnableError } from '../failure.ts';
import type { FigureDocument } from '../format/documents.ts';
import { countOf } from '../format/shown-text.ts';
import { reasonOf } from '../system-error.ts';
import { JSON_RESULT, type Shared } from './arguments.ts';
import { defineCommand, examples } from './command-run.ts';
import type { SiteQueries } from './query-command.ts';

/** Bytes of a document, addresses that are looked up at once, and milliseconds for each. */
const LIMITS = { bytes: 32 << 20, atOnce: 4, patience: 60_000 };

export function citeCheckCommand<Tree>(load: () => Promise<SiteQueries<Tree, object>>) {
  return defineCommand<Shared & { readonly tree?: string }>({
    name: 'cite-check',
    description: 'look up each figure whose address a document has, and say whether it has changed since',
    operands: [['<document>', 'a file (Markdown, HTML, CSV, BibTeX), or its address']],
    options: [new Option('--tree <dir-or-url>', "ask this tree, not each address's own host"), JSON_RESULT],
    help: examples('cite-check report.md', 'cite-check https://example.org/report.html --json'),
    act: async ({ tree: given }, terminal, { args: [document = ''] }) => {
      const site = await load();
      const found = findAddresses(await readDocument(document));
      const trees = new Map<string, Promise<Tree>>();
      const look = async ({ line, address, base, question }: Address) => {
        const tree = trees.get(given ?? base) ?? site.openTree(given ?? base);
        trees.set(given ?? base, tree);
        const signal = AbortSignal.timeout(LIMITS.patience);
        const finding = tree.then(async one => judge(await site.runQuery(one, question, signal), question));
        const unable = (error: unknown) => ({ verdict: 'unreachable', message: reasonOf(error) });
        return { line, address, ...(await finding.catch(unable)) };
      };
      const figures: Awaited<ReturnType<typeof look>>[] = [];
      for (let at = 0; at < found.length; at += LIMITS.atOnce)
        figures.push(...(await Promise.all(found.slice(at, at + LIMITS.atOnce).map(look))));
      const lines = figures.map(one => `line ${one.line}: ${one.verdict}: ${one.message} ${one.address}`);
      const others = figures.filter(({ verdict }) => verdict !== 'unchanged').length;
      const message = `${countOf(figures.length, 'figure')}, ${figures.length - others} unchanged.`;
      const failure = { severity: 'error', code: 'figures-changed', message, file: document } as const;
      terminal.say([...lines, message], { figures }, others > 0 ? [failure] : []);
    },
  });
}

async function readDocument(name: string): Promise<string> {
  const parts: Uint8Array[] = [];
  let room = LIMITS.bytes;
  try {
    const signal = AbortSignal.timeout(LIMITS.patience);
    const answer = /^https?:\/\//i.test(name) ? await fetch(name, { signal }) : null;
    if (answer?.ok === false) throw new Error(`the host answers ${answer.status}`);
    for await (const part of answer?.body ?? createReadStream(name)) {
      room -= part.length;
      if (room < 0) throw new Error(`it has more than ${countOf(LIMITS.bytes, 'byte')}`);
      parts.push(part);
    }
  } catch (error) {
    throw new UnableError('document-unreadable', `${name} cannot be read: ${reasonOf(error)}.`);
  }
  return Buffer.concat(parts).toString();
}

interface Address {
  readonly line: number;
  readonly address: string;
  /** The tree's address, and `domain/topic?…` in it. */
  readonly base: string;
  readonly question: string;
}

/** In the API or of a page, at the root of the host even if it names a release there. */
const ADDRESS = /^(https?:\/\/[^?#]*?\/)(?:releases\/[^/]+\/)?(?:api\/v1\/|figure\/#)([^?#]+\?[^#]*)$/;

/** Removes the marks of HTML, Markdown and TeX. An address that is repeated counts once. */
function findAddresses(text: string): readonly Address[] {
  const plain = text.replace(/&(?:amp;|#38;|#x26;)+/gi, '&').replace(/\\(?=[\p{P}\p{S}])/gu, '');
  const found = new Map<string, Address>();
  for (const [at, line] of plain.split('\n').entries())
    for (const [whole] of line.matchAll(/https?:\/\/[^\s<>"`|^{},;]+/g)) {
      // It ends with a release, so such marks at the end aren't its own.
      const address = whole.replace(/[.:!?'*_~)\]]+$/, '');
      const [, base = '', question = ''] = ADDRESS.exec(address) ?? [];
      if (/[?&]figure=/.test(question) && !found.has(address))
        found.set(address, { line: at + 1, address, base, question });
    }
  return [...found.values()];
}

type Answer = Awaited<ReturnType<SiteQueries<unknown, object>['runQuery']>>;

/** `unfixed`: the address names no release. `unknown`: it's no figure's. */
async function judge(answer: Answer, question: string) {
  if (answer.kind === 'failure') {
    const message = [answer.message, ...answer.problems].join(' ');
    return { verdict: answer.code === 'withdrawn' ? 'withdrawn' : 'unknown', message };
  }
  const { address, value, margin, changed } = (await json(answer.parts)) as FigureDocument;
  const then = say({ value, margin });
  if (!/[?&]as_of=/.test(question))
    return { verdict: 'unfixed', message: `${then} today. Cite ${address} instead of`, value, margin };
  if (!changed) return { verdict: 'unchanged', message: then, value, margin };
  const { date, release, why, row } = changed;
  const message = [`${then} → ${say(row)}`, date && `on ${date} (${release}).`, ...why]
    .filter(Boolean)
    .join(' ');
  return { verdict: row === null ? 'withdrawn' : 'changed', message, value, margin, changed };
}

function say(figure: Pick<FigureDocument, 'value' | 'margin'> | null): string {
  if (figure === null) return 'no row';
  return [figure.value ?? 'NULL', figure.margin !== null && `±${figure.margin}`].filter(Boolean).join(' ');
}
