/**
 * A tree's datasets and dimensions as records, which root documents are rendered from, and how to read them
 * from a published tree.
 */
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import type { RefusedError } from '../failure.ts';
import type {
  DimensionSchemaDocument,
  ErrataDocument,
  Erratum,
  QualityDocument,
  RuleCounts,
  RuleResult,
  SchemaDocument,
  WithdrawalDocument,
} from '../format/documents.ts';
import type {
  DatasetManifest,
  DimensionManifest,
  ManifestEntry,
  WithdrawnEntry,
} from '../format/manifest.ts';
import { dimensionSchemaPath, errataPath, qualityPath, ROOT, schemaPath } from '../format/paths.ts';
import { digestText } from '../slice/file-digest.ts';

export interface DatasetRecord {
  readonly schema: SchemaDocument;
  readonly manifest: DatasetManifest;
  readonly entry: ManifestEntry;
  readonly rules: RuleCounts;
  /** Newest first. */
  readonly errata: readonly Erratum[];
}

/** A dimension under one of its domains. */
export interface DimensionRecord {
  readonly domain: string;
  readonly schema: DimensionSchemaDocument;
  readonly entry: ManifestEntry;
  readonly manifest: DimensionManifest;
}

/** A withdrawn dataset, or a withdrawn dimension under one domain. */
export interface WithdrawnRecord {
  readonly title: string;
  readonly entry: WithdrawnEntry;
}

/** The dimension's key in contracts: its name, with its domain if the scope isn't global. */
export function dimensionKey({ endpoint, scope, name }: DimensionSchemaDocument): string {
  return scope === 'global' ? name : `${endpoint.split('/')[3] ?? ''}/${name}`;
}

export function countRules(rules: readonly RuleResult[]): RuleCounts {
  const count = (result: RuleResult['result']) => rules.filter(rule => rule.result === result).length;
  const skipped = count('skipped');
  return { run: rules.length - skipped, passed: count('passed'), warned: count('warned'), skipped };
}

export function addCounts(a: RuleCounts, b: RuleCounts): RuleCounts {
  return {
    run: a.run + b.run,
    passed: a.passed + b.passed,
    warned: a.warned + b.warned,
    skipped: a.skipped + b.skipped,
  };
}

/** Documents of a tree that have their hashes. Others that are rendered from a damaged one would hide the damage. */
export interface SoundDocuments {
  has(name: string): boolean;
  /** Throws what `corrupt` returns for a missing or damaged document. */
  text(name: string): Promise<string>;
  read<Document>(name: string): Promise<Document>;
  readonly corrupt: (name: string) => RefusedError;
}

/** `hashes`: SHA-256 of every file that the tree should have, lower-case hexadecimal. */
export function soundDocuments(
  folder: string,
  hashes: ReadonlyMap<string, string>,
  corrupt: SoundDocuments['corrupt'],
): SoundDocuments {
  const text = async (name: string) => {
    const found = await readFile(path.join(folder, name), 'utf8').catch(() => '');
    if (digestText(found) !== hashes.get(name)) throw corrupt(name);
    return found;
  };
  return { has: name => hashes.has(name), text, read: async name => JSON.parse(await text(name)), corrupt };
}

export async function datasetRecords(
  documents: SoundDocuments,
  entries: readonly ManifestEntry[],
  manifests: ReadonlyMap<string, DatasetManifest>,
): Promise<DatasetRecord[]> {
  const records: DatasetRecord[] = [];
  for (const entry of entries) {
    const [domain = '', topic = ''] = entry.key.split('/');
    const manifest = manifests.get(entry.key);
    if (manifest === undefined) throw documents.corrupt(entry.path);
    const schema = await documents.read<SchemaDocument>(schemaPath(domain, topic));
    const { rules } = await documents.read<QualityDocument>(qualityPath(domain, topic));
    const errata = documents.has(errataPath(domain, topic))
      ? (await documents.read<ErrataDocument>(errataPath(domain, topic))).errata
      : [];
    records.push({ entry, manifest, schema, rules: countRules(rules), errata });
  }
  return records;
}

export async function dimensionRecord(
  documents: SoundDocuments,
  entry: ManifestEntry,
  manifests: ReadonlyMap<string, DimensionManifest>,
): Promise<DimensionRecord> {
  const [domain = '', , name = ''] = entry.key.split('/');
  const manifest = manifests.get(entry.key);
  if (manifest === undefined) throw documents.corrupt(entry.path);
  const schema = await documents.read<DimensionSchemaDocument>(dimensionSchemaPath(domain, name));
  return { domain, schema, entry, manifest };
}

export async function withdrawnRecords(
  documents: SoundDocuments,
  entries: readonly WithdrawnEntry[],
): Promise<WithdrawnRecord[]> {
  const read = async (entry: WithdrawnEntry) => {
    const name = entry.documents[0]?.path ?? ROOT.manifest;
    return { title: (await documents.read<WithdrawalDocument>(name)).title, entry };
  };
  return Promise.all(entries.map(read));
}
