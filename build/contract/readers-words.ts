/** Reads what a contract says in readers' words: labels of values, questions, and where the key figure stands. */
import type { Scalar } from '../format/documents.ts';
import type { DatasetQuestion } from '../format/schema.ts';
import type { ColumnProperties, RootProperties } from './custom-profile.ts';
import type { CustomProperties } from './custom-properties.ts';
import { suggestion } from './nearest-name.ts';
import type { Problems } from './problems.ts';
import { quote } from './quoting.ts';

/** Returns the words for values, those of the allowed values first and in their order. */
export function readValueLabels(
  custom: CustomProperties<ColumnProperties>,
  allowed: readonly Scalar[] | null,
  problems: Problems,
): Readonly<Record<string, string>> {
  const stated = custom.values.value_labels ?? {};
  const known = (allowed ?? []).map(String);
  for (const value of Object.keys(stated)) {
    if (allowed === null || known.includes(value)) continue;
    const message = `value_labels has a label for ${quote(value)}, which is not an allowed value${suggestion(value, known)}: correct or remove it`;
    problems.warning(custom.pathOf('value_labels', value), 'value-label', message);
  }
  const order = new Map(known.map((value, i) => [value, i]));
  const rank = ([value]: readonly [string, string]) => order.get(value) ?? known.length;
  return Object.fromEntries(
    Object.entries(stated)
      .map(([value, label]) => [value, label.trim()] as const)
      .sort((a, b) => rank(a) - rank(b)),
  );
}

/** Returns null if the axis has a total, which then is where the key figure stands. */
export function readHeadlineValue(
  custom: CustomProperties<ColumnProperties>,
  allowed: readonly Scalar[] | null,
  total: string | null,
  problems: Problems,
): string | null {
  const value = custom.values.headline_value;
  if (value === undefined) return null;
  const at = custom.pathOf('headline_value');
  if (total !== null) {
    const message = `the column has the total ${quote(total)}, at which the key figure stands, so headline_value has no effect: remove it`;
    problems.warning(at, 'headline-value', message);
    return null;
  }
  const known = allowed?.map(String) ?? null;
  if (known !== null && !known.includes(value)) {
    const message = `headline_value ${quote(value)} is not an allowed value${suggestion(value, known)}: correct it`;
    problems.error(at, 'headline-value', message);
  }
  return value;
}

/** A leading `?` is left out. An address that could lead to another page is a problem. */
export function readQuestions(
  root: CustomProperties<RootProperties>,
  problems: Problems,
): readonly DatasetQuestion[] {
  return (root.values.questions ?? []).map(({ question, view }, i) => {
    const query = view.trim().replace(/^\?/, '');
    if (/[#\s]|:\/\//.test(query) || query === '') {
      const message = `the view ${quote(view)} is not the query of a page's address: write it as in detail=regions&view=map`;
      problems.error(root.pathOf('questions', i, 'view'), 'question-view', message);
    }
    return { question: question.trim(), view: query };
  });
}
