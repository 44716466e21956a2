/**
 * The style and the words of the pages that build and edge write without the explorer: listings of folders, and the page
 * for what is not published.
 */
import { SAMPLE_NOTICE, SPANISH_SAMPLE_NOTICE } from './envelope.ts';

export const PLAIN_STYLE = `:root { color-scheme: light dark; }
html { background: #fff; color: #1b1e23; }
a { color: #0b57a4; }
@media (prefers-color-scheme: dark) {
html { background: #14171c; color: #e6e8eb; }
a { color: #9cc4ff; }
}
body { font: 1rem/1.5 system-ui, sans-serif; max-width: 60rem; margin: 0 auto; padding: 1rem; overflow-wrap: anywhere; }
.notice { border-left: .3rem solid #c60; padding-left: .7rem; }`;

const EN = {
  upOneFolder: 'Up one folder',
  sample: SAMPLE_NOTICE,
  notFound: 'Not found',
  nothingHere: 'Nothing is published here',
  filesNeverMove: 'Files never move. Check the address for a typing error.',
  near: 'Near to it',
  perhaps: 'Perhaps you meant ',
  filesAt: 'This dataset is published; its files are listed at ',
  searchLabel: 'Search data and places',
  search: 'Search',
  allDatasets: 'All datasets',
  /** Parameters but for `count` are links. */
  published: (service: string, count: number, manifest: string, urls: string, api: string) =>
    `${service} publishes ${count === 1 ? 'one dataset' : `${count} datasets`}; ${manifest} and ${urls} name every file, and ${api} contains the rows.`,
  /** `link` makes a link to the places. */
  places: (link: (text: string) => string) => `${link('Places')} have pages of their own.`,
};

export type PlainWords = typeof EN;

const ES: PlainWords = {
  upOneFolder: 'Subir una carpeta',
  sample: SPANISH_SAMPLE_NOTICE,
  notFound: 'No encontrado',
  nothingHere: 'Aquí no hay nada publicado',
  filesNeverMove: 'Los archivos nunca cambian de lugar. Compruebe que la dirección esté bien escrita.',
  near: 'Parecidos',
  perhaps: 'Quizá buscaba ',
  filesAt: 'Este conjunto de datos está publicado; sus archivos están en ',
  searchLabel: 'Buscar datos y lugares',
  search: 'Buscar',
  allDatasets: 'Todos los conjuntos de datos',
  published: (service, count, manifest, urls, api) =>
    `${service} publica ${count === 1 ? 'un conjunto de datos' : `${count} conjuntos de datos`}; ${manifest} y ${urls} nombran cada archivo, y ${api} contiene las filas.`,
  places: link => `${link('Los lugares')} tienen páginas propias.`,
};

/** The words for a BCP 47 tag, and the tag that they and their numbers follow: English if there are no words of its language. */
export function plainWords(tag: string | null | undefined): {
  readonly words: PlainWords;
  readonly tag: string;
} {
  return tag && /^es(-|$)/i.test(tag) ? { words: ES, tag } : { words: EN, tag: 'en' };
}
