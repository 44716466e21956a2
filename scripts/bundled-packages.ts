/** Lists the packages whose code the bundles contain, for the package's bill of materials. */
import { readFileSync, writeFileSync } from 'node:fs';
import type { Plugin } from 'rolldown';

/** `name@version` of packages that bundling copies files of. */
const COPIED = ['dejavu-fonts-ttf', 'us-atlas'].map(name => refOf(`node_modules/${name}`));

const found = new Set(COPIED);

/** For every bundler, and for those of workers. */
export const recordPackages: Plugin = {
  name: 'record-packages',
  generateBundle(_options, bundle) {
    for (const one of Object.values(bundle)) {
      if (one.type !== 'chunk') continue;
      for (const id of one.moduleIds) {
        const [folder] = /^.*node_modules\/(@[^/]+\/)?[^/]+/.exec(id.replaceAll('\\', '/')) ?? [];
        if (folder !== undefined) found.add(refOf(folder));
      }
    }
  },
};

export const BUNDLED_PACKAGES = 'lib/bundled/packages.json';

export function writeBundledPackages(): void {
  writeFileSync(BUNDLED_PACKAGES, JSON.stringify([...found].sort()));
}

/** As `npm sbom` names a package. */
function refOf(folder: string): string {
  const { name, version } = JSON.parse(readFileSync(`${folder}/package.json`, 'utf8'));
  return `${name}@${version}`;
}
