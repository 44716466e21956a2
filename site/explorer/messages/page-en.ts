/** Gives a page its texts. */
import { en } from './en.ts';

globalThis.civicMessages = en;
