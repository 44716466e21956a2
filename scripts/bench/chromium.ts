/** Chromium, where this machine has one. */
import { existsSync } from 'node:fs';

/** The first is the same engine without what draws windows: a page costs it a third of the work. */
const NAMES = ['chromium-headless-shell', 'chromium', 'chromium-browser', 'google-chrome'];

/** Path of the program; null where there is none. */
export function findChromium(): string | null {
  return NAMES.map(name => `/usr/bin/${name}`).find(file => existsSync(file)) ?? null;
}
