/** Every text of the interface is in the catalogue: JSX has none of its own. */
import type { SourceRule } from './import-rules.ts';

/** Rooms of the explorer whose texts are in the catalogue. */
const ROOMS = ['pages', 'app', 'engine', 'panel', 'view'];

/** Names that are the same in every language. */
const NAMES = ['SHA-256', 'BibTeX', 'JSON', 'DuckDB', 'Parquet', 'GET', 'ms', 'NULL'];

const FILE = /\b[\w-]+\.(json|xml|sql|csv)\b/g;

export const textsAreInTheCatalogue: SourceRule = sources =>
  sources
    .filter(({ path }) => ROOMS.some(room => path.startsWith(`site/explorer/${room}/`)))
    .flatMap(({ path, shown }) =>
      shown
        .filter(({ text }) => /\p{L}/u.test(withoutNames(text)))
        .map(({ text, line }) => `${path}:${line} shows ${JSON.stringify(text.trim())}`),
    );

function withoutNames(text: string): string {
  return NAMES.reduce((rest, name) => rest.replaceAll(name, ''), text.replace(FILE, ''));
}
