#!/usr/bin/env node
/** Starts `civic`, and lets Node keep the compiled code for the next start. */
import module from 'node:module';

// Node 22 and later. The cache works only for modules that are loaded after this call.
(module as { enableCompileCache?: () => void }).enableCompileCache?.();
try {
  await import('./program.ts');
} catch (error) {
  // Nothing of the program may be there to print it.
  if (!/EMFILE|ENFILE/.test(String(error))) throw error;
  process.stderr.write(
    'too-many-files This process may not open more files at once. Raise the limit (ulimit -n).\n',
  );
  process.exit(3);
}
