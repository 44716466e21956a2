/**
 * The interface's texts in the language of the tree. The build chooses it; a page loads its language's catalogue before
 * its own script. Read `t` when a text is needed, never while a module loads: a build may choose later.
 */
import type { Messages } from './en.ts';
import { setLocale } from './numbers.ts';

export { locale } from './numbers.ts';

declare global {
  var civicMessages: Messages | undefined;
}

/** The catalogue of the page's language. */
export let t = globalThis.civicMessages as Messages;

export function speak(messages: Messages, language: string): void {
  t = messages;
  setLocale(language);
}
