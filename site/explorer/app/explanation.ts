/** What a reader is told of an error. */
import { HostError } from '../../edge/files/watched-fetch.ts';
import { describeTrouble, ScriptMissing } from '../engine/patience.ts';

const PART_MISSING = 'A part of this page could not be loaded. Check the connection.';

/** One sentence or more, without the address of a script or a file. */
export function explain(error: unknown): string {
  if (error instanceof HostError) return describeTrouble(error);
  const message = error instanceof Error ? error.message : String(error);
  // Browsers name the address of what they could not load.
  const isScript = /imported module|module script|preload CSS|Failed to fetch|NetworkError|Load failed/i;
  return error instanceof ScriptMissing || isScript.test(message) ? PART_MISSING : message;
}
