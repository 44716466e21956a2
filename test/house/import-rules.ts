/** Who may import whom, where biome.json can't say it. Each rule returns its violations as text. */
import type { Import, Source } from './source.ts';

/** The files of the project that a rule judges. */
export type SourceRule = (sources: readonly Source[]) => string[];

const PLAIN_HOST = 'site/edge/adapters/plain-host.ts';
/** What reads or changes the world outside the program. */
const IMPURE =
  /^(node:)?(fs|fs\/promises|child_process|cluster|dgram|dns|http|http2|https|net|os|process|tls|worker_threads)$/;

const within = (file: string | null, ...folders: readonly string[]): boolean =>
  file !== null && folders.some(folder => file === folder || file.startsWith(`${folder}/`));

/** A rule over single imports: which files it is about, and which of their imports break it. */
function importRule(
  holds: (file: string) => boolean,
  breaks: (one: Import, file: string) => boolean,
): SourceRule {
  return sources =>
    sources
      .filter(source => holds(source.path))
      .flatMap(source =>
        source.imports
          .filter(one => breaks(one, source.path))
          .map(one => `${source.path}:${one.line} imports ${one.specifier ?? 'a computed name'}`),
      );
}

/** Rooms of build/, and the files at its root. Each imports only rooms before it, types included. */
const ROOMS = (
  'format log contract system-error.ts tool.ts lake slice cache check failure.ts report.ts tree plan ' +
  'releases documents hosts archive pipeline draft cli'
)
  .split(' ')
  .map(room => `build/${room}`);

/** The schemas of documents use it, and their types come from the schemas. */
const SCHEMAS = 'typebox';

const roomOf = (file: string | null): number => ROOMS.findIndex(room => within(file, room));

const RESPONDERS = ['stored', 'rows'].map(name => `site/edge/respond/${name}.ts`);

/** The files of build/documents that write; the others only render. */
const DOCUMENT_WRITERS = /^build\/documents\/(pages|register|release-changes|table-documents)\.ts$/;

/** What starts a program, listens, or drives a browser. */
const SLOW =
  /^((node:)?(child_process|cluster|http|http2|https|net|worker_threads)|fastify|miniflare|playwright-core|rolldown|s3rver|vite)$/;

/**
 * Quick tests exist; neither they nor the test and script files that they import start a program or listen.
 */
export function quickTestsStartNothing(quick: readonly string[]): SourceRule {
  return sources => {
    const files = new Map(sources.map(source => [source.path, source]));
    const reached = new Set(quick);
    const found: string[] = [];
    // The loop also visits files that it adds.
    for (const file of reached) {
      const source = files.get(file);
      if (source === undefined) found.push(`${file} is not there`);
      for (const { target, specifier, line } of source?.imports ?? []) {
        if (SLOW.test(specifier ?? '') || within(target, 'site/edge/adapters/node.ts', PLAIN_HOST))
          found.push(`${file}:${line} imports ${specifier}`);
        if (target !== null && within(target, 'test', 'scripts')) reached.add(target);
      }
    }
    return found;
  };
}

/** The site takes only types from the schemas of documents, so its bundles have neither them nor their package. */
const siteHasNoSchemas: SourceRule = sources => {
  const files = new Map(sources.map(source => [source.path, source]));
  const hasSchemas = (file: string): boolean =>
    (files.get(file)?.imports ?? []).some(
      one => !one.isType && (one.specifier === SCHEMAS || (one.target !== null && hasSchemas(one.target))),
    );
  return importRule(
    file => within(file, 'site'),
    one =>
      !one.isType &&
      (one.specifier === SCHEMAS || (within(one.target, 'build/format') && hasSchemas(one.target ?? ''))),
  )(sources);
};

export const IMPORT_RULES = {
  formatIsAlone: importRule(
    file => within(file, 'build/format'),
    one => !within(one.target, 'build/format') && one.specifier !== SCHEMAS,
  ),
  siteHasNoSchemas,
  roomsFollowOneAnother: importRule(
    file => within(file, 'build'),
    (one, file) => within(one.target, 'build') && roomOf(one.target) > roomOf(file),
  ),
  everyRoomIsListed: (sources: readonly Source[]) =>
    sources
      .filter(({ path }) => within(path, 'build') && roomOf(path) < 0)
      .map(({ path }) => `${path} is in no room of build/`),
  contractAndRenderersArePure: importRule(
    file => within(file, 'build/contract', 'build/documents') && !DOCUMENT_WRITERS.test(file),
    one => IMPURE.test(one.specifier ?? '') || within(one.target, 'build/lake/database.ts'),
  ),
  queryIsAlone: importRule(
    file => within(file, 'site/query'),
    one => !within(one.target, 'site/query', 'build/format'),
  ),
  /** A request walks down: what answers a plan leads neither back nor to another way to answer. */
  walkIsStraight: importRule(
    file => within(file, 'site/edge/respond', 'site/edge/rows'),
    (one, file) =>
      within(one.target, 'site/edge/handler.ts') ||
      (within(file, ...RESPONDERS) && within(one.target, ...RESPONDERS)),
  ),
  namesAreWritten: importRule(
    file => within(file, 'build', 'site'),
    one => one.specifier === null,
  ),
};
