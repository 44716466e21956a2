/** Gives a page its texts in English. */
import { said } from './en.ts';

globalThis.civicMessages = said;
