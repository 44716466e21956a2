/** Where a publisher's contracts, lake and tree are: what the command line says, else `civic.yaml`, else the usual names. */
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { parseDocument } from 'yaml';
import { UnableError } from '../failure.ts';
import { reasonOf } from '../system-error.ts';

export interface PublisherFolders {
  readonly contracts: string;
  /** A folder, or `s3://bucket/prefix`. */
  readonly data: string;
  readonly out: string;
}

const FILE = 'civic.yaml';

/** Paths in `civic.yaml` are relative to it. Throws UnableError if the file is wrong. */
export function publisherFolders(given: Partial<PublisherFolders>): PublisherFolders {
  const stated = readStated(FILE);
  const data = existsSync(path.join('data', 'lake')) ? 'data/lake' : 'data';
  return {
    contracts: given.contracts ?? stated.contracts ?? 'contracts',
    data: given.data ?? stated.data ?? data,
    out: given.out ?? stated.out ?? 'dist',
  };
}

function readStated(file: string): Partial<PublisherFolders> {
  if (!existsSync(file)) return {};
  let text: string;
  try {
    text = readFileSync(file, 'utf8');
  } catch (error) {
    throw new UnableError('civic-yaml', `${file} cannot be read: ${reasonOf(error)}.`);
  }
  const document = parseDocument(text);
  const [problem] = document.errors;
  if (problem !== undefined)
    throw new UnableError('civic-yaml', `${file} is not valid YAML: ${problem.message.split('\n')[0]}`);
  const value: unknown = document.toJS({ maxAliasCount: 0 }) ?? {};
  const names = ['contracts', 'data', 'out'];
  const isRight =
    typeof value === 'object' &&
    value !== null &&
    !Array.isArray(value) &&
    Object.entries(value).every(([key, one]) => names.includes(key) && typeof one === 'string' && one !== '');
  if (!isRight)
    throw new UnableError(
      'civic-yaml',
      `${file} may state contracts, data and out, each as the name of a folder.`,
    );
  return value as Partial<PublisherFolders>;
}
