/** Policies of the pages that the build renders itself. Pure. */
import { createHash } from 'node:crypto';

/** The policy of a page that loads nothing, with its own style and, where it has one, its own script. */
export function ownPolicy(style: string, script: string | null = null, forms = "'none'"): string {
  const scripts = script === null ? '' : ` script-src '${hashOf(script)}';`;
  return `default-src 'none';${scripts} style-src '${hashOf(style)}'; base-uri 'none'; form-action ${forms}`;
}

function hashOf(text: string): string {
  return `sha256-${createHash('sha256').update(text).digest('base64')}`;
}
