/**
 * The interface's texts in the language of the tree. The build chooses it; a page loads its language's catalogue before
 * its own script. Read `t` when a text is needed, never while a module loads: a build may choose later.
 */
import type { Messages } from './en.ts';

declare global {
  var civicMessages: Messages | undefined;
}

/** The catalogue of the page's language. */
export let t = globalThis.civicMessages as Messages;

/** The language of numbers and dates, as a BCP 47 tag. */
export let locale = globalThis.document?.documentElement.lang || 'en';

export function speak(messages: Messages, language: string): void {
  t = messages;
  locale = language;
}
