/** The side branch of the walk: answers that are files of the tree and need no plan. */
import { contractPath, dimensionSchemaPath, ROOT, schemaPath, valuesPath } from '../../build/format/paths.ts';
import { formatQuery, parseReadable, withPair } from '../query/query-string.ts';
import type { Route } from '../query/route.ts';
import { readChoice } from '../query/value.ts';
import { type Answer, linkPath } from './answer.ts';
import type { Exchange } from './exchange.ts';
import { TreeMismatch } from './files/files.ts';
import type { Headers } from './respond/headers.ts';
import { refuseParameters } from './respond/refusal.ts';
import { signpost } from './respond/signpost.ts';
import { respondListed, respondUnlisted } from './respond/stored.ts';

/** Null where the route names rows, or the tree has no such file. */
export async function answerDocument(exchange: Exchange, route: Route): Promise<Answer | null> {
  switch (route.kind) {
    case 'service':
      return answerService(exchange);
    case 'document':
    case 'folder':
    case 'file':
      return answerFile(exchange, route.path);
    case 'schema':
      return answerFile(exchange, schemaPath(route.domain, route.topic));
    case 'values':
      return answerFile(exchange, valuesPath(route.domain, route.topic));
    case 'contract':
      return answerContract(exchange, route.domain, route.topic);
    case 'dimension-schema':
      return answerFile(exchange, dimensionSchemaPath(route.domain, route.name));
    case 'facts':
    case 'dimension':
    case 'unknown':
      return null;
    default:
      return route satisfies never;
  }
}

/** The front page for people, and a document for programs. */
async function answerService(exchange: Exchange): Promise<Answer | null> {
  const html = exchange.incoming.header('accept')?.toLowerCase().includes('text/html') === true;
  const vary = { Vary: 'Accept' };
  const page = html ? await answerFile(exchange, 'index.html', vary) : null;
  return page ?? answerFile(exchange, ROOT.service, vary);
}

/** `format` chooses the form. Documents ignore all other parameters. */
function answerContract(exchange: Exchange, domain: string, topic: string): Promise<Answer | null> | Answer {
  const { incoming } = exchange;
  const pairs = parseReadable(incoming.query);
  const format = pairs.find(pair => pair.name === 'format')?.value ?? 'yaml';
  const reading = readChoice('format', format, ['yaml', 'json']);
  if ('problem' in reading) {
    const corrected = withPair([], 'format', reading.repaired ?? 'yaml');
    return refuseParameters([reading.problem], linkPath(incoming) + formatQuery(corrected));
  }
  return answerFile(exchange, contractPath(domain, topic, reading.value));
}

async function answerFile(exchange: Exchange, path: string, more: Headers = {}): Promise<Answer | null> {
  const { files, catalog, tree, incoming } = exchange;
  const extra = { ...signpost(exchange, path), ...more };
  const entry = await catalog.find(tree, path);
  if (entry) return respondListed(exchange, path, entry, extra);
  const checksums = await catalog.checksums(tree);
  const sha256 = checksums && (checksums.get(path) ?? null);
  // What stands in no list was never published.
  if (checksums && sha256 === null) return null;
  const stat = await files.stat(path, incoming.signal);
  if (!stat && sha256 !== null) throw new TreeMismatch(path, `is in ${ROOT.checksums} but not in the tree`);
  return stat && respondUnlisted(incoming, path, stat, sha256, extra);
}
