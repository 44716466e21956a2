/** Gives a page its texts. */
import { said } from './es.ts';

globalThis.civicMessages = said;
