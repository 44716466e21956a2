/** How other sites show a dataset's page where somebody pastes its address: https://oembed.com */
import { PAGES } from './paths.ts';

/** The build writes it for the dataset's first view, and an edge adapts it to another. */
export interface OEmbedDocument {
  readonly version: '1.0';
  readonly type: 'rich';
  readonly title: string;
  readonly provider_name: string;
  /** The tree's address. */
  readonly provider_url: string;
  readonly thumbnail_url: string;
  readonly thumbnail_width: number;
  readonly thumbnail_height: number;
  /** Pixels of the frame. */
  readonly width: number;
  readonly height: number;
  /** The frame: `src` comes first, and `width` and `height` are as above. */
  readonly html: string;
}

/** The type that a page's link to it has. */
export const OEMBED_TYPE = 'application/json+oembed';

/** The folder of the page that such a document is about; null for every other path. */
export function parseOEmbedPath(path: string): string | null {
  const folder = path.slice(0, -PAGES.oEmbed.length);
  return /^datasets\/[^/]+\/[^/]+\/$/.test(folder) && path.endsWith(`/${PAGES.oEmbed}`) ? folder : null;
}
