/**
 * Before `npm pack`: a bill of materials in CycloneDX of the packages that npm installs with ours, and of those whose code is in
 * lib/. From the lock file alone, so it names no folder and no registry, and is the same on every machine.
 */
import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { BUNDLED_PACKAGES } from './bundled-packages.ts';

interface Component {
  readonly 'bom-ref': string;
  readonly name: string;
}

interface Bom {
  readonly metadata: { readonly component: Component; readonly tools: unknown };
  readonly components: readonly Component[];
  readonly dependencies: readonly { readonly ref: string; readonly dependsOn: readonly string[] }[];
}

const { name, dependencies } = JSON.parse(readFileSync('package.json', 'utf8'));
const bundled = new Set<string>(JSON.parse(readFileSync(BUNDLED_PACKAGES, 'utf8')));
const listing = ['sbom', '--sbom-format', 'cyclonedx', '--package-lock-only'];
const {
  metadata,
  components,
  dependencies: edges,
  ...bom
} = JSON.parse(
  execFileSync('npm', listing, { encoding: 'utf8', maxBuffer: 1 << 28, shell: process.platform === 'win32' }),
) as Bom & { serialNumber?: string };

const needs = new Map(edges.map(({ ref, dependsOn }) => [ref, dependsOn]));
const own = metadata.component['bom-ref'];
const names = new Map(components.map(one => [one['bom-ref'], one.name]));
const installed = new Set((needs.get(own) ?? []).filter(ref => (names.get(ref) ?? '') in dependencies));
// The loop also visits what it adds.
for (const ref of installed) for (const one of needs.get(ref) ?? []) installed.add(one);
const shipped = new Set([own, ...installed, ...bundled]);
const unknown = [...bundled].filter(ref => !names.has(ref));
if (unknown.length > 0)
  throw new Error(`package-lock.json lacks ${unknown.join(', ')}, which lib/ contains.`);

// A number and a time of its own would make each file another.
delete bom.serialNumber;
const result = {
  ...bom,
  metadata: { tools: metadata.tools, component: { ...metadata.component, name } },
  components: components
    .filter(one => shipped.has(one['bom-ref']))
    .map(one => {
      const isBundled = bundled.has(one['bom-ref']);
      const properties = isBundled ? [{ name: 'cdx:npm:package:bundled', value: 'true' }] : [];
      return { ...one, ...(isBundled && { scope: 'required' }), properties };
    }),
  dependencies: edges
    .filter(({ ref }) => shipped.has(ref))
    .map(({ ref, dependsOn }) => ({ ref, dependsOn: dependsOn.filter(one => shipped.has(one)) })),
};
writeFileSync('lib/sbom.cdx.json', `${JSON.stringify(result, null, 1)}\n`);
