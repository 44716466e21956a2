import type { RawObject, RawRule } from './contract-profile.ts';
import type { Rule, Severity } from './dataset.ts';
import { readExpectation } from './expectation.ts';
import { readLibraryMeasure } from './library-measure.ts';
import type { Problems } from './problems.ts';
import { quote } from './quoting.ts';
import type { RuleSource } from './rule-source.ts';
import { readSqlMeasure } from './sql-measure.ts';
import { readLimits } from './stated-limits.ts';
import type { Path } from './yaml-document.ts';

/**
 * Reads the rules of a table and of its columns, in the contract's order, columns first. Text rules cannot run. Custom
 * rules, which another tool runs, get a `rule-not-run` warning. Severity is `error` unless stated; `info` counts as
 * `warning`. A rule without a name is called `<column>_<metric>` or `rule_<n>`, a second rule of the same name
 * `<name>_2`. The limits that columns state next to their rules come last.
 */
export function readRules(
  object: RawObject,
  owner: Path,
  columns: readonly string[],
  problems: Problems,
): Rule[] {
  const sources: RuleSource[] = [];
  const add = (list: readonly (RawRule | null)[] | undefined, column: string | null, at: Path) => {
    for (const [i, raw] of (list ?? []).entries()) {
      if (raw !== null) sources.push({ raw, column, columns, path: [...at, 'quality', i] });
    }
  };
  for (const [i, property] of (object.properties ?? []).entries()) {
    if (property?.name !== undefined) add(property.quality, property.name, [...owner, 'properties', i]);
  }
  add(object.quality, null, owner);

  const taken = new Map<string, number>();
  const names = new Map<RuleSource, string>();
  for (const source of sources) {
    const { name } = source.raw;
    if (name === undefined || taken.has(name)) continue;
    taken.set(name, problems.placeOf(source.path).line);
    names.set(source, name);
  }
  const rules = sources.flatMap((source, index): Rule[] => {
    const rule = readRule(source, problems);
    if (rule === null) return [];
    const { name: stated } = source.raw;
    const name = names.get(source) ?? freeName(stated ?? rule.name ?? `rule_${index + 1}`, taken);
    if (stated !== undefined && stated !== name) {
      const message = `the rule ${quote(stated)} already stands on line ${taken.get(stated)}, so results call this one ${quote(name)}: give it a name of its own`;
      problems.warning([...source.path, 'name'], 'duplicate-rule', message);
    }
    return [{ ...rule, name }];
  });
  const limits = (object.properties ?? []).flatMap((property, i) =>
    property === null ? [] : readLimits(property, [...owner, 'properties', i], problems),
  );
  return [...rules, ...limits.map(limit => ({ ...limit, name: freeName(limit.name, taken) }))];
}

const OTHER_TOOL =
  'a custom rule belongs to another tool and does not run here: write it as sql or library to have it checked';

function readRule(
  source: RuleSource,
  problems: Problems,
): (Omit<Rule, 'name'> & { name: string | null }) | null {
  const { raw, path } = source;
  const { type = raw.query !== undefined && raw.metric === undefined ? 'sql' : 'library' } = raw;
  switch (type) {
    case 'text':
      return null;
    case 'custom': {
      problems.warning(path, 'rule-not-run', OTHER_TOOL);
      return null;
    }
    case 'library':
    case 'sql': {
      // Version 3.0 of ODCS let other tools' rules stand without a type.
      const isForeign = raw.metric === undefined && raw.rule === undefined && raw.query === undefined;
      if (isForeign && !problems.native) {
        problems.warning(path, 'rule-not-run', OTHER_TOOL);
        return null;
      }
      const read = type === 'sql' ? readSqlMeasure(source, problems) : readLibraryMeasure(source, problems);
      const expectation = readExpectation(raw, path, problems);
      if (read === null || expectation === null) return null;
      return {
        name: read.name,
        description: raw.description ?? '',
        dimension: raw.dimension ?? read.dimension,
        severity: readSeverity(raw, path, problems),
        column: read.column,
        measure: read.measure,
        expectation,
        place: problems.placeOf(path),
      };
    }
    default: {
      const message = `type is ${quote(type)}, so the rule does not run: it must be one of 'library', 'sql', 'text', 'custom'`;
      problems.doubt([...path, 'type'], 'contract-value', message);
      return null;
    }
  }
}

/** A word of another tool, such as `critical`, counts as a warning. */
function readSeverity({ severity }: RawRule, path: Path, problems: Problems): Severity {
  if (severity === undefined || severity === 'error') return 'error';
  if (severity === 'warning' || severity === 'info') return 'warning';
  const message = `severity is ${quote(severity)}, and the build takes it for a warning: it must be one of 'error', 'warning', 'info'`;
  problems.doubt([...path, 'severity'], 'contract-value', message);
  return 'warning';
}

/** Takes the name, or the first of `name_2`, `name_3`, … that no rule has. */
function freeName(name: string, taken: Map<string, number>): string {
  let free = name;
  for (let n = 2; taken.has(free); n++) free = `${name}_${n}`;
  taken.set(free, 0);
  return free;
}
