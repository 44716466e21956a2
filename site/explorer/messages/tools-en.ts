/** Gives a page with tools the rest of its texts in English. */
import { tools } from './en-tools.ts';

Object.assign(globalThis.civicMessages!, tools);
