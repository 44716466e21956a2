/**
 * The interface's texts in the language of the tree. The build chooses it; a page loads its language's catalogue before
 * its own script. Read `t` when a text is needed, never while a module loads: a build may choose later.
 */
import type { Messages, Said } from './en.ts';
import { setLocale } from './numbers.ts';

export { locale } from './numbers.ts';

declare global {
  var civicMessages: Said | undefined;
}

/** The catalogue of the page's language. A script has only the parts that its page loads. */
export let t = globalThis.civicMessages as Messages;

export function speak(messages: Messages, language: string): void {
  t = messages;
  setLocale(language);
}
