/** What files are called, how long they are, and what they may not hold. */
import type { SourceRule } from './import-rules.ts';
import type { Source } from './source.ts';

const LONGEST = 350;
const MEDIAN = 150;

/** Names that say nothing of what is inside. */
const VAGUE = /^(utils?|helpers?|commons?|managers?|misc)$/;
const KEBAB = /^[a-z0-9]+(-[a-z0-9]+)*$/;

/** The parts of a path, without the endings of a file's name: `site/query/plan.test.ts` is site, query, plan. */
function partsOf(file: string): string[] {
  const parts = file.split('/');
  parts.push((parts.pop() ?? '').replace(/(\.(test|config|d))?\.tsx?$/, ''));
  return parts;
}

export const namesSaySomething: SourceRule = sources =>
  sources
    .filter(source => partsOf(source.path).some(part => part.split('-').some(word => VAGUE.test(word))))
    .map(source => source.path);

/** A dataset's specification is named as the dataset is, so `topics` are allowed there. */
export function namesAreKebab(topics: ReadonlySet<string>): SourceRule {
  return sources =>
    sources
      .filter(source =>
        partsOf(source.path).some(
          part =>
            !KEBAB.test(part) && !(source.path.startsWith('test/georgia/specification/') && topics.has(part)),
        ),
      )
      .map(source => source.path);
}

const at = (source: Source, lines: readonly number[], what: string): string[] =>
  lines.map(line => `${source.path}:${line} ${what}`);

/** A tool's configuration exports by default because the tool asks for it; a .d.ts describes someone else's code. */
export const noDefaultExports: SourceRule = sources =>
  sources
    .filter(source => !/\.(config|d)\.ts$/.test(source.path) && !isHostEntry(source.path))
    .flatMap(source => at(source, source.defaultExports, 'has a default export'));

/** A host's module format: it runs what the entry module exports by default. */
function isHostEntry(file: string): boolean {
  return /^site\/edge\/adapters\/[a-z-]+-worker\.ts$/.test(file);
}

export const noAny: SourceRule = sources =>
  sources.flatMap(source => at(source, source.anys, 'uses the type any'));

/** Expected failures are values; only the outermost layer prints or exits. On a host that is its adapter. */
export const onlyTheOutermostPrints: SourceRule = sources =>
  sources
    .filter(source => /^(build|site)\//.test(source.path))
    .filter(
      source =>
        !/^(build\/cli\/(launcher|program|command-run|query-command|terminal)\.ts|site\/edge\/adapters\/[^/]+)$/.test(
          source.path,
        ),
    )
    .flatMap(source => at(source, source.outputs, 'prints or exits'));

/** Tests are tables, and may be longer. */
export const filesAreShort: SourceRule = sources => {
  const measured = sources
    .filter(source => !source.path.startsWith('test/'))
    .sort((a, b) => a.lines - b.lines);
  const median = measured[Math.floor(measured.length / 2)]?.lines ?? 0;
  return [
    ...measured
      .filter(source => source.lines > LONGEST)
      .map(source => `${source.path} has ${source.lines} lines; the most is ${LONGEST}`),
    ...(median > MEDIAN ? [`half of the files have ${median} lines or more; the most is ${MEDIAN}`] : []),
  ];
};
