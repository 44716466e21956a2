/** What files are called, how long they are, and what they may not hold. */
import type { SourceRule } from './import-rules.ts';

const LONGEST = 600;

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

export const namesAreKebab: SourceRule = sources =>
  sources.filter(({ path }) => !partsOf(path).every(part => KEBAB.test(part))).map(({ path }) => path);

/** Expected failures are values; only the outermost layer prints or exits. On a host that is its adapter. */
const OUTERMOST =
  /^(build\/cli\/(launcher|program|command-run|query-command|terminal)\.ts|site\/edge\/adapters\/[^/]+)$/;

export const onlyTheOutermostPrints: SourceRule = sources =>
  sources
    .filter(({ path }) => /^(build|site)\//.test(path) && !OUTERMOST.test(path))
    .flatMap(({ path, outputs }) => outputs.map(line => `${path}:${line} prints or exits`));

/** Tests are tables and catalogues are lists: they may be longer. */
const MAY_BE_LONGER = /^(test|site\/explorer\/messages)\//;

export const filesAreShort: SourceRule = sources =>
  sources
    .filter(({ path, lines }) => !MAY_BE_LONGER.test(path) && lines > LONGEST)
    .map(({ path, lines }) => `${path} has ${lines} lines; the most is ${LONGEST}`);
