/** Fits a tree to its host: leaves out formats that exceed the host's limits, and writes the files that the host needs. */
import { mkdir, rm } from 'node:fs/promises';
import type { HostFile } from '../catalog/host-site.ts';
import { RefusedError, UnableError } from '../failure.ts';
import { datasetFolder } from '../format/paths.ts';
import { chooseFormats, type FileGroup, grouped, sum } from '../hosts/format-choice.ts';
import { hostFolderOf, siteOf } from '../hosts/host-folder.ts';
import { findSyntaxError } from '../hosts/script-syntax.ts';
import type { HostSummary } from '../cache/build-note.ts';
import type { Reporter } from '../report.ts';
import { type StagedTree, type StageInput, stageTree } from './assembly-stage.ts';
import type { BuildOptions } from './build-options.ts';

export interface StagedForHost extends StagedTree {
  /** Files for the folder next to the tree. */
  readonly hostFiles: readonly HostFile[];
}

const NO_ADDRESS =
  'The tree does not know its address, so readers of croissant.json find no file over HTTP, and there is no sitemap.xml. Give it with --base-url.';

/** Assembles the tree. If it exceeds its host's limits, leaves out what takes most room, and assembles it again. */
export async function stageForHost(input: StageInput, report: Reporter): Promise<StagedForHost> {
  const { options, workspace, compiled, plan } = input;
  const { host } = options;
  for (let { leftOut } = input; ; ) {
    const staged = await stageTree({ ...input, leftOut }, report);
    if (!host) return { ...staged, hostFiles: [] };
    const { profile } = host;
    const groups = measuredGroups(staged, new Set(plan.datasets.map(one => one.dataset.key)));
    const choice = chooseFormats(groups, profile);
    if (choice.problems.length > 0) throw new RefusedError(choice.problems);
    if (choice.leftOut.size === 0) {
      const hostFiles = await renderHostFolder(options, compiled, staged);
      const summary: HostSummary = {
        name: profile.name,
        bytes: choice.size.bytes,
        leftOut: countPaths(leftOut),
        folder: hostFiles.length === 0 ? null : hostFolderOf(workspace.out),
      };
      if (options.baseUrl === null) report({ kind: 'note', text: NO_ADDRESS });
      return { ...staged, summary: { ...staged.summary, host: summary }, hostFiles };
    }
    const whole = sum(groups.map(group => group.bytes));
    const instead =
      profile.edge === 'full'
        ? 'The edge answers those requests from Parquet.'
        : 'Readers there get those as Parquet alone.';
    report({
      kind: 'note',
      text: `${profile.name}: the tree would have ${grouped(whole)} bytes; without ${words(countPaths(choice.leftOut))} it has about ${grouped(choice.size.bytes)}. ${instead}`,
    });
    leftOut = new Set([...leftOut, ...choice.leftOut]);
    await rm(workspace.staging, { recursive: true });
    await mkdir(workspace.staging);
  }
}

interface MeasuredGroup extends FileGroup {
  readonly names: readonly string[];
}

/** Sizes of what a tree may leave out, and of every other file by itself. */
function measuredGroups({ files, documents }: StagedTree, built: ReadonlySet<string>): MeasuredGroup[] {
  const sizeOf = (name: string) => files.get(name)?.bytes ?? 0;
  const group = (kind: FileGroup['kind'], names: readonly string[]): MeasuredGroup[] => {
    const [path] = names;
    const sizes = names.map(sizeOf);
    return path === undefined
      ? []
      : [{ path, kind, names, files: names.length, bytes: sum(sizes), largest: Math.max(...sizes) }];
  };
  // Nothing is left out of datasets that --only leaves unchanged.
  const made = documents.datasets.filter(({ manifest }) => built.has(manifest.dataset));
  const optional = made.flatMap(({ manifest, schema }) => {
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
  const taken = new Set(optional.flatMap(one => one.names));
  return [
    ...optional,
    ...[...files.keys()].filter(name => !taken.has(name)).flatMap(name => group('other', [name])),
  ];
}

/** The files for a deployment: those of the host's profile, and those of its edge. */
async function renderHostFolder(
  options: BuildOptions,
  compiled: StageInput['compiled'],
  { documents, files }: StagedTree,
): Promise<readonly HostFile[]> {
  const { host } = options;
  if (!host) return [];
  const { profile } = host;
  const edge = (await host.renderEdge?.(documents, [...files.keys()])) ?? [];
  const broken = edge.flatMap(({ path: file, text }) => {
    const problem = file.endsWith('.js') ? findSyntaxError(text) : null;
    const message = `The script does not parse: ${problem}. Nothing was published. Install civic-data-service again or, in a clone, run npm run compile; if that does not help, report it.`;
    return problem === null ? [] : [{ severity: 'error' as const, code: 'script-syntax', file, message }];
  });
  if (broken.length > 0) throw new RefusedError(broken);
  for (const { path: file, bytes } of profile.edgeLimits) {
    const found = edge.find(one => one.path === file);
    const size = Buffer.byteLength(found?.text ?? '');
    if (size <= bytes) continue;
    throw new RefusedError([
      {
        severity: 'error',
        code: 'function-too-large',
        file,
        message: `${profile.name} takes a function of at most ${grouped(bytes)} bytes, and this one has ${grouped(size)}. Publish fewer datasets with --only, or on a host without that limit (nginx, cloudflare, cloudflare-r2).`,
      },
    ]);
  }
  const site = siteOf(host, options.out, {
    publisher: compiled.contracts.publisher,
    sample: compiled.inventory.sample,
    hasPages: Boolean(options.pages),
    datasets: documents.datasets,
  });
  return [...profile.folderFiles(site), ...edge];
}

type Counts = HostSummary['leftOut'];

function countPaths(paths: ReadonlySet<string>): Counts {
  const count = (pattern: RegExp) => [...paths].filter(one => pattern.test(one)).length;
  return { json: count(/\.json$/), csv: count(/\.csv$/), copies: count(/\/_copies\//) };
}

/** `JSON of 12 slices and CSV of 3` */
function words({ json, csv, copies }: Counts): string {
  const parts = [
    json > 0 ? `JSON of ${grouped(json)} ${json === 1 ? 'slice' : 'slices'}` : '',
    csv > 0 ? `CSV of ${grouped(csv)}` : '',
    copies > 0 ? `${grouped(copies)} ${copies === 1 ? 'copy' : 'copies'} of rows in another order` : '',
  ].filter(Boolean);
  return parts.length < 2 ? parts.join('') : `${parts.slice(0, -1).join(', ')} and ${parts.at(-1)}`;
}

/** Refuses a base path that the host cannot serve. */
export function expectServable({ host }: BuildOptions): void {
  if (!host || host.basePath === '/' || host.profile.beneathPath) return;
  throw new UnableError(
    'base-path',
    `${host.profile.name} answers the API at the root of an address, not below ${host.basePath}. Leave out --base-path, and give a --base-url without a path.`,
  );
}
