/**
 * The interface's texts in the tree's language. The build sets the language; a page loads its catalogue
 * before its own script. Don't read `t` while a module loads: a build sets the language later.
 */
import type { Messages, Said } from './en.ts';
import { setLocale } from './numbers.ts';

export { locale } from './numbers.ts';

declare global {
  var civicMessages: Said | undefined;
}

/** A script lacks the texts that only the build writes. */
export let t = globalThis.civicMessages as Messages;

export function speak(messages: Messages, language: string): void {
  t = messages;
  setLocale(language);
}
