/** Fits a tree to its host: leaves out formats that exceed the host's limits, and writes the files that the host needs. */
import { mkdir, rm } from 'node:fs/promises';
import type { HostSummary } from '../cache/build-note.ts';
import { RefusedError, UnableError } from '../failure.ts';
import type { HostFile } from '../format/host-files.ts';
import { datasetFolder } from '../format/paths.ts';
import { groupDigits } from '../format/shown-text.ts';
import { chooseFormats, describeLeftOut, type FileGroup, sum } from '../hosts/format-choice.ts';
import { hostFolderOf, renderFolderFiles } from '../hosts/host-folder.ts';
import type { BuildEvent } from '../report.ts';
import { type StagedTree, type StageInput, stageTree } from './assembly-stage.ts';
import type { BuildOptions } from './build-options.ts';

export interface StagedForHost extends StagedTree {
  /** Files for the folder next to the tree. */
  readonly hostFiles: readonly HostFile[];
}

const NO_ADDRESS =
  'The tree does not know its address, so readers of croissant.json find no file over HTTP, and there is no sitemap.xml. Give it with --base-url.';

/**
 * Assembles the tree and weighs it. If the host takes less, leaves out rows in some formats and writes the documents
 * again, which then name fewer files.
 */
export async function stageForHost(input: Omit<StageInput, 'leftOut'>): Promise<StagedForHost> {
  const { options, workspace, report } = input;
  if (!options.host) return { ...(await stageTree({ ...input, leftOut: new Set() })), hostFiles: [] };
  const { profile } = options.host;
  const built = new Set(input.plan.datasets.map(one => one.dataset.key));
  const leftOut = new Set<string>();
  let whole: number | null = null;
  for (;;) {
    const said: BuildEvent[] = [];
    const staged = await stageTree({ ...input, leftOut, report: event => said.push(event) });
    const choice = chooseFormats(weigh(staged, built), profile);
    if (choice.leftOut.size > 0) {
      whole ??= sum([...staged.files.values()].map(file => file.bytes));
      for (const path of choice.leftOut) leftOut.add(path);
      await rm(workspace.staging, { recursive: true });
      await mkdir(workspace.staging);
      continue;
    }
    if (choice.problems.length > 0) throw new RefusedError(choice.problems);
    for (const event of said) report(event);
    const { bytes } = choice.size;
    const counts = countPaths(leftOut);
    if (whole !== null) {
      const instead = profile.computes
        ? 'The edge answers those requests from Parquet.'
        : 'Readers there get those as Parquet alone.';
      report({
        kind: 'note',
        text: `${profile.name}: the whole tree has ${groupDigits(whole)} bytes; without ${describeLeftOut(counts).join(' and ')} it has ${groupDigits(bytes)}. ${instead}`,
      });
    }
    const hostFiles = await renderFolderFiles(profile, staged.forHost!, [...staged.files.keys()]);
    const folder = hostFiles.length === 0 ? null : hostFolderOf(workspace.out);
    const summary: HostSummary = { name: profile.name, bytes, leftOut: counts, folder };
    if (options.baseUrl === null) report({ kind: 'note', text: NO_ADDRESS });
    return { ...staged, summary: { ...staged.summary, host: summary }, hostFiles };
  }
}

/**
 * Weighs what the tree may leave out, and every other file by itself. Nothing is left out of datasets that --only leaves
 * unchanged.
 */
function weigh({ files, forHost }: StagedTree, built: ReadonlySet<string>): FileGroup[] {
  const taken = new Set<string>();
  const group = (kind: FileGroup['kind'], names: readonly string[]): FileGroup[] => {
    const [path] = names;
    const sizes = names.map(name => files.get(name)?.bytes ?? 0);
    for (const name of names) taken.add(name);
    return path === undefined
      ? []
      : [{ path, kind, files: names.length, bytes: sum(sizes), largest: Math.max(...sizes) }];
  };
  const optional = forHost!.documents.datasets.flatMap(({ manifest, schema }) => {
    if (!built.has(manifest.dataset)) return [];
    const folder = datasetFolder(schema.main_topic, schema.topic);
    const named = (list: readonly { readonly path: string }[]) => list.map(file => `${folder}/${file.path}`);
    return [
      ...manifest.slices.flatMap(({ files: { json, csv } }) => [
        ...group('json', named(json)),
        ...group('csv', named(csv)),
      ]),
      ...manifest.copies.flatMap(({ file }) => group('copy', named([file]))),
    ];
  });
  const others = [...files.keys()].filter(name => !taken.has(name));
  return [...optional, ...others.flatMap(name => group('other', [name]))];
}

type Counts = HostSummary['leftOut'];

function countPaths(paths: ReadonlySet<string>): Counts {
  const count = (pattern: RegExp) => [...paths].filter(one => pattern.test(one)).length;
  return { json: count(/\.json$/), csv: count(/\.csv$/), copies: count(/\/_copies\//) };
}

/** Refuses a base path that the host cannot serve. */
export function expectServable({ host }: BuildOptions): void {
  if (!host || host.basePath === '/' || host.profile.beneathPath) return;
  throw new UnableError(
    'base-path',
    `${host.profile.name} answers the API at the root of an address, not below ${host.basePath}. Leave out --base-path, and give a --base-url without a path.`,
  );
}
