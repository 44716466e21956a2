/** Gives a page its texts. */
import { es } from './es.ts';

globalThis.civicMessages = es;
