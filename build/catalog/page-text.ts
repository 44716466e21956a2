/** Text and policies of the pages that the build renders itself. Pure. */
import { createHash } from 'node:crypto';
import { showReordering } from '../format/shown-text.ts';

export function escapeHtml(text: string): string {
  return showReordering(text)
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
    .replaceAll("'", '&#39;');
}

/** The policy of a page that loads nothing, with its own style and, where it has one, its own script. */
export function ownPolicy(style: string, script: string | null = null): string {
  const scripts = script === null ? '' : ` script-src '${hashOf(script)}';`;
  return `default-src 'none';${scripts} style-src '${hashOf(style)}'; base-uri 'none'; form-action 'none'`;
}

function hashOf(text: string): string {
  return `sha256-${createHash('sha256').update(text).digest('base64')}`;
}
