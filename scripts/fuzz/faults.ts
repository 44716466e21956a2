/** Wrong parameters, and the problem that each must be called. */
import fc from 'fast-check';
import type { Fault, Subject } from './question.ts';
import { rangeFault } from './ranges.ts';

/** The faults that a question may have. A parameter that the question has too is then repeated. */
export function faults(subject: Subject): fc.Arbitrary<Fault> {
  const { parameters, levels, place } = subject;

  const wrong: Omit<Fault, 'first'>[] = [
    { name: 'yaer', value: '2020', type: 'extra_forbidden' },
    { name: 'no such', value: '', type: 'extra_forbidden' },
    { name: 'limit', value: '0', type: 'greater_than_equal' },
    { name: 'limit', value: 'ten', type: 'int_parsing' },
    { name: 'offset', value: '-1', type: 'greater_than_equal' },
    { name: 'offset', value: '99999999999999999999', type: 'int_parsing_size' },
    { name: 'format', value: 'jsn', type: 'enum' },
    { name: 'as_of', value: '2026-13-01', type: 'date_parsing' },
  ];
  if (levels.length > 0) {
    wrong.push({ name: 'detail', value: 'everywhere', type: 'enum' });
    const type = subject.table.year === null ? 'extra_forbidden' : 'int_parsing';
    wrong.push({ name: 'year', value: '20x4', type });
    wrong.push({ name: 'year_min', value: '', type });
  }
  for (const { param, type } of subject.ranges)
    wrong.push({ name: param, value: 'much', type: rangeFault(type) });
  for (const { name: param, values, enforced } of parameters) {
    wrong.push({ name: param, value: `${values[0]},,`, type: 'empty_list_item' });
    if (enforced) wrong.push({ name: param, value: `${values[0]},nonsense`, type: 'enum' });
  }
  const most = Math.max(0, ...[...(place?.columns.values() ?? [])].map(columns => columns.length));
  if (place) {
    wrong.push({ name: place.param, value: ',', type: 'empty_list_item' });
    wrong.push({
      name: place.param,
      value: '1'
        .repeat(most + 1)
        .split('')
        .join(':'),
      type: 'place_parts',
    });
    wrong.push({ name: place.param, value: '%', type: 'string_unicode' });
  }
  return fc.tuple(fc.constantFrom(...wrong), fc.boolean()).map(([fault, first]) => ({ ...fault, first }));
}
