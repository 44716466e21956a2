/** Gives a page with tools the rest of its texts in Spanish. */
import { tools } from './es-tools.ts';

Object.assign(globalThis.civicMessages!, tools);
