/** Renders the citation of a dataset as a sentence and as BibTeX. */
import { pageFolder } from '../../../build/format/paths.ts';
import { t } from '../messages/messages.ts';
import type { OpenDataset } from './documents.ts';
import type { Publication } from './publication.ts';
import { ADDRESS } from './text.tsx';

interface Citation {
  readonly text: string;
  readonly bibtex: string;
}

/** ADDRESS stands in both for the tree's address. */
export function renderCitation(
  { service, year, sample }: Omit<Publication, 'baseUrl' | 'modified'>,
  { schema, manifest }: Pick<OpenDataset, 'schema' | 'manifest'>,
): Citation {
  const author = oneLine(schema.creator ?? schema.source ?? service.attribution ?? service.service);
  const title = oneLine(schema.title);
  const url = ADDRESS + pageFolder(schema.main_topic, schema.topic);
  const source =
    schema.source === null || oneLine(schema.source) === author
      ? ''
      : ` ${t.words.source(oneLine(schema.source))}`;
  const notice = sample ? ` ${t.frame.sample}` : '';
  const publisher = oneLine(service.service);
  const fields: readonly (readonly [string, string])[] = [
    ['author', `{${inBibtex(author)}}`],
    ['title', `{${inBibtex(title)}}`],
    ['year', year],
    ['publisher', inBibtex(publisher)],
    ['version', inBibtex(manifest.version)],
    ['note', inBibtex(t.citation.note(manifest.release) + source + notice)],
    ['url', url],
  ];
  const name = `${schema.main_topic}_${schema.topic}_${year}`.replaceAll('-', '_');
  return {
    text: `${t.citation.text(author, year, title, manifest.version, manifest.release, publisher)}${source}${notice} ${url}`,
    bibtex: `@misc{${name},\n${fields.map(([key, value]) => `  ${key} = {${value}}`).join(',\n')}\n}`,
  };
}

function oneLine(text: string): string {
  return text.replaceAll(/\s+/g, ' ').trim();
}

const SPECIAL: Readonly<Record<string, string>> = {
  '\\': '\\textbackslash{}',
  '~': '\\textasciitilde{}',
  '^': '\\textasciicircum{}',
};

function inBibtex(text: string): string {
  return text.replace(/[\\{}$&#%_~^]/g, sign => SPECIAL[sign] ?? `\\${sign}`);
}
