/** Archives of a tree, and strict readers of them. */
import { execFileSync } from 'node:child_process';
import { readFileSync, statSync } from 'node:fs';
import path from 'node:path';
import { snapshot } from '../../build/archive/snapshot.ts';
import { keptWeather } from '../publishers/kept-trees.ts';

/** `all` has the whole tree, `rain` one of its two datasets. */
type ArchiveName = `${'all' | 'rain'}.zip`;

export async function makeArchives() {
  const publisher = await (await keptWeather()).copyBuilt();
  await publisher.build({ baseUrl: 'https://data.example.org/arcadia/' });
  const archive = (name: ArchiveName) => path.join(publisher.root, name);
  await snapshot(publisher.out, { out: archive('all.zip'), only: null }, () => undefined);
  await snapshot(publisher.out, { out: archive('rain.zip'), only: 'climate/*' }, () => undefined);
  return { publisher, archive };
}

type Entity = Readonly<Record<string, unknown>>;

/** Violations of RO-Crate 1.2 in a crate's folder, one per line. `terms` are the terms of its context, if known. */
export function crateProblems(root: string, terms: ReadonlySet<string> | null): string[] {
  const found: string[] = [];
  const text = readFileSync(path.join(root, 'ro-crate-metadata.json'), 'utf8');
  const { '@context': context, '@graph': graph } = JSON.parse(text) as {
    '@context': unknown;
    '@graph': Entity[];
  };
  if (context !== 'https://w3id.org/ro/crate/1.2/context') found.push('the context');
  const byId = new Map<unknown, Entity>();
  for (const entity of graph) {
    if (typeof entity['@id'] !== 'string' || byId.has(entity['@id'])) found.push(`@id ${entity['@id']}`);
    if (entity['@type'] === undefined) found.push(`${entity['@id']} has no @type`);
    byId.set(entity['@id'], entity);
    for (const key of Object.keys(entity)) if (terms?.has(key) === false) found.push(`${key} is no term`);
    for (const type of [entity['@type']].flat())
      if (terms?.has(String(type)) === false) found.push(`${type} is no type`);
  }
  const about = byId.get('ro-crate-metadata.json');
  const same = (value: unknown, id: string) => JSON.stringify(value) === JSON.stringify({ '@id': id });
  if (about?.['@type'] !== 'CreativeWork' || !same(about['about'], './'))
    found.push('the metadata descriptor');
  if (!same(about?.['conformsTo'], 'https://w3id.org/ro/crate/1.2')) found.push('conformsTo');
  const crate = byId.get('./');
  if (![crate?.['@type']].flat().includes('Dataset')) found.push('the root data entity');
  for (const name of ['name', 'description', 'license'])
    if (!crate?.[name]) found.push(`the root has no ${name}`);
  if (!/^\d{4}-\d\d-\d\d/.test(String(crate?.['datePublished']))) found.push('datePublished');
  // Every reference leads to an entity, and every data entity is a part of the crate and exists.
  const references = (value: unknown): string[] => {
    if (value === null || typeof value !== 'object') return [];
    if (Array.isArray(value)) return value.flatMap(references);
    const { '@id': id, ...rest } = value as Entity;
    return Object.keys(rest).length === 0 ? [String(id)] : [];
  };
  const parts = new Set<string>();
  const walk = (entity: Entity | undefined) => {
    for (const id of references(entity?.['hasPart'])) {
      if (parts.has(id)) continue;
      parts.add(id);
      walk(byId.get(id));
    }
  };
  walk(crate);
  for (const entity of graph) {
    const id = String(entity['@id']);
    for (const to of Object.values(entity).flatMap(references)) {
      if (!byId.has(to) && to !== 'https://w3id.org/ro/crate/1.2')
        found.push(`${id} refers to ${to}, which is not described`);
    }
    const data = ['File', 'Dataset'].includes(String(entity['@type'])) && id !== './';
    if (!data) continue;
    if (!parts.has(id)) found.push(`${id} is no part of the crate`);
    const info = statSync(path.join(root, id), { throwIfNoEntry: false });
    const isFolder = entity['@type'] === 'Dataset';
    if (info === undefined || info.isDirectory() !== isFolder || id.endsWith('/') !== isFolder)
      found.push(`${id} is not there`);
  }
  return found;
}

export function run(program: string, ...args: string[]): string {
  return execFileSync(program, args, { encoding: 'utf8', maxBuffer: 1 << 26, stdio: 'pipe' });
}
