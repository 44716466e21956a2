/** Reports what a build with --only leaves unchanged, and where contracts differ from it. */
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { contractPath } from '../format/paths.ts';
import type { PlannedBuild } from './build-options.ts';

export async function reportRest({
  options: { only, out },
  compiled: { contracts },
  plan: { rest, extract, previous },
  report,
}: PlannedBuild): Promise<void> {
  if (only === null) return;
  const note = (text: string) => report({ kind: 'note', text });
  if (extract !== null)
    note(`An extract: the tree at ${out} holds only the datasets ${extract.only}, and its documents say so.`);
  const keys = [...rest.datasets, ...rest.withdrawn].map(({ entry }) => entry.key).filter(isDataset);
  if (keys.length === 0) return;
  const release = previous.manifest?.release ?? '';
  note(
    `--only: ${listed(keys)} ${is(keys)} not built and ${stay(keys)} as release ${release} has ${them(keys)}.`,
  );
  const noteKeys = (what: string, of: readonly string[]) => {
    if (of.length > 0) note(`--only: ${what} ${listed(of)}; ${stay(of)} as published until built.`);
  };
  const served = new Map(contracts.datasets.map(one => [one.key, one.source.published]));
  const changed: string[] = [];
  for (const { entry } of rest.datasets) {
    const [domain = '', topic = ''] = entry.key.split('/');
    const text = served.get(entry.key);
    const file = path.join(previous.folder ?? '', contractPath(domain, topic, 'yaml'));
    if (text !== undefined && text !== (await readFile(file, 'utf8'))) changed.push(entry.key);
  }
  const published = rest.datasets.map(({ entry }) => entry.key);
  const withdrawn = new Set(contracts.withdrawn.datasets.map(one => one.key));
  noteKeys('the contracts differ from those published for', changed);
  noteKeys(
    'contracts withdraw',
    published.filter(key => withdrawn.has(key)),
  );
  noteKeys(
    'no active contract has',
    published.filter(key => !served.has(key) && !withdrawn.has(key)),
  );
  const { license, attribution } = contracts.publisher;
  const others = rest.datasets.filter(
    ({ manifest }) => manifest.license !== license || manifest.attribution !== attribution,
  );
  noteKeys(
    'publisher.yaml states another licence or attribution than the manifests of',
    others.map(({ entry }) => entry.key),
  );
}

function isDataset(key: string): boolean {
  return key.split('/').length === 2;
}

const is = (keys: readonly string[]) => (keys.length === 1 ? 'is' : 'are');
const stay = (keys: readonly string[]) => (keys.length === 1 ? 'stays' : 'stay');
const them = (keys: readonly string[]) => (keys.length === 1 ? 'it' : 'them');

function listed(keys: readonly string[]): string {
  const more = keys.length > 5 ? ` and ${keys.length - 5} more` : '';
  return `${keys.slice(0, 5).join(', ')}${more}`;
}
