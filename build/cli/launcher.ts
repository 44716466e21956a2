#!/usr/bin/env node
/** Starts `civic`, and lets Node keep the compiled code for the next start. */
import module from 'node:module';

// Node 22 and later. The cache works only for modules that are loaded after this call.
(module as { enableCompileCache?: () => void }).enableCompileCache?.();
await import('./program.ts');
