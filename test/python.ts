/** A Python of this machine that has some modules. */
import { execFileSync, spawnSync } from 'node:child_process';

/** Debian's modules belong to its own Python, which another may hide. */
const PYTHONS = ['python3', '/usr/bin/python3'];

/** The first Python that can import all of them; null if none can. */
export function pythonWith(...modules: string[]): string | null {
  const imports = modules.map(name => `import ${name}`).join('\n');
  return PYTHONS.find(one => spawnSync(one, ['-c', imports]).status === 0) ?? null;
}

/** The JSON output of a Python program. */
export function runPython(
  python: string,
  program: string,
  args: readonly string[],
  input: string = '',
): unknown {
  return JSON.parse(
    execFileSync(python, ['-c', program, ...args], { input, encoding: 'utf8', maxBuffer: 1e8 }),
  );
}
