/** Renders the citation of a dataset as a sentence and as BibTeX. */
import { SAMPLE_NOTICE } from '../../../build/format/envelope.ts';
import { pageFolder } from '../../../build/format/paths.ts';
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
  const version = `version ${manifest.version}, release ${manifest.release}`;
  const url = ADDRESS + pageFolder(schema.main_topic, schema.topic);
  const source =
    schema.source === null || oneLine(schema.source) === author ? '' : ` Source: ${oneLine(schema.source)}.`;
  const notice = sample ? ` ${SAMPLE_NOTICE}` : '';
  const fields: readonly (readonly [string, string])[] = [
    ['author', `{${inBibtex(author)}}`],
    ['title', `{${inBibtex(title)}}`],
    ['year', year],
    ['publisher', inBibtex(oneLine(service.service))],
    ['version', inBibtex(manifest.version)],
    ['note', inBibtex(`Data set, release ${manifest.release}.${source}${notice}`)],
    ['url', url],
  ];
  const name = `${schema.main_topic}_${schema.topic}_${year}`.replaceAll('-', '_');
  return {
    text: `${author} (${year}). ${title} (${version}) [Data set]. ${oneLine(service.service)}.${source}${notice} ${url}`,
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
