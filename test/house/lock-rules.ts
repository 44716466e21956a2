/** What package-lock.json must and may not say, so that `npm ci` works on every platform and from anywhere. */
export interface Lock {
  /** By folder: `node_modules/name`, `node_modules/name/node_modules/other`. */
  readonly packages: Readonly<Record<string, LockedPackage>>;
}

interface LockedPackage {
  readonly resolved?: string;
  readonly integrity?: string;
  readonly optionalDependencies?: Readonly<Record<string, string>>;
}

/** A lock file pins what is installed by its hash, and leaves to whoever installs it where from. */
export function lockNamesNoHost({ packages }: Lock): string[] {
  return Object.entries(packages)
    .filter(([, one]) => one.resolved !== undefined)
    .map(([folder, one]) => `${folder} is resolved to ${one.resolved}`);
}

export function lockHasHashes({ packages }: Lock): string[] {
  return Object.entries(packages)
    .filter(([folder, one]) => folder !== '' && one.integrity === undefined)
    .map(([folder]) => `${folder} has no hash`);
}

/**
 * The packages of other platforms are optional dependencies. npm leaves out those that it cannot find when it writes
 * the lock file, and then `npm ci` refuses the file, on this platform too.
 */
export function lockHasEveryPlatform({ packages }: Lock): string[] {
  return Object.entries(packages).flatMap(([folder, one]) =>
    Object.keys(one.optionalDependencies ?? {})
      .filter(
        name => !(`${folder}/node_modules/${name}` in packages) && !(`node_modules/${name}` in packages),
      )
      .map(name => `${folder} needs ${name} on some platform, and it is not locked`),
  );
}
