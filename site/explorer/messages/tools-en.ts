/** Gives a page with tools for programs the rest of its texts. */
import { tools } from './en-tools.ts';

Object.assign(globalThis.civicMessages!, tools);
