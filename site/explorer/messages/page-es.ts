/** Gives a page its texts in Spanish. */
import { said } from './es.ts';

globalThis.civicMessages = said;
