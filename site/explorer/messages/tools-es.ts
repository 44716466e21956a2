/** Gives a page with tools for programs the rest of its texts. */
import { tools } from './es-tools.ts';

Object.assign(globalThis.civicMessages!, tools);
