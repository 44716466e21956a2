#!/usr/bin/env node
/** What people run: starts `civic`, with the code that V8 compiled last time where this version of Node keeps it. */
import module from 'node:module';

// Node 22 and later; it must run before what it is about is loaded.
(module as { enableCompileCache?: () => void }).enableCompileCache?.();
await import('./program.ts');
