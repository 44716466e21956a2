/** Gives a page its texts. */
import { said } from './en.ts';

globalThis.civicMessages = said;
