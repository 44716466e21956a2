#!/usr/bin/env node
/** Starts `civic`, and lets Node keep the compiled code for the next start. */
import module from 'node:module';

// Needs Node 22. The cache works only for modules that are loaded after this call.
(module as { enableCompileCache?: () => void }).enableCompileCache?.();
try {
  await import('./program.ts');
} catch (error) {
  // The program may not have loaded, so this prints the error itself.
  if (!/EMFILE|ENFILE/.test(String(error))) throw error;
  process.stderr.write(
    'too-many-files This process may not open more files at once. Raise the limit (ulimit -n).\n',
  );
  process.exit(3);
}
