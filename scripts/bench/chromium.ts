/** Finds Chromium on this machine. */
import { existsSync } from 'node:fs';

/** The headless shell comes first: the same engine draws no windows, and a page costs a third of the work. */
const NAMES = ['chromium-headless-shell', 'chromium', 'chromium-browser', 'google-chrome'];

/** Path of the program; null if there is none. */
export function findChromium(): string | null {
  return NAMES.map(name => `/usr/bin/${name}`).find(file => existsSync(file)) ?? null;
}
