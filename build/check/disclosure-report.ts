/** Reports derivable cells to people. Pure. */
import type { Dataset } from '../contract/dataset.ts';
import { type Diagnostic, diagnosticAt } from '../contract/diagnostic.ts';
import { spellYears } from '../format/year-runs.ts';
import type { DatasetDisclosure } from './disclosure.ts';
import type { DisclosureFinding } from './disclosure-evidence.ts';

/** How many slices a line names; --json lists all. */
const SHOWN_SLICES = 8;

/** A diagnostic for each metric and family that discloses cells, at the metric's place in the contract. */
export function disclosureDiagnostics(
  found: readonly DatasetDisclosure[],
  datasets: readonly Dataset[],
  severity: Diagnostic['severity'],
): Diagnostic[] {
  const byKey = new Map(datasets.map(dataset => [dataset.key, dataset]));
  return found.flatMap(({ dataset: key, disclosed }) =>
    disclosed.flatMap(({ metric, along, cells, slices }): Diagnostic[] => {
      const dataset = byKey.get(key);
      const place = dataset?.columns.find(column => column.name === metric)?.place ?? dataset?.source;
      if (place === undefined) return [];
      const where = slices.map(slice => `${slice.year} ${slice.detail} (${slice.cells})`);
      const more = where.length > SHOWN_SLICES ? `, and ${where.length - SHOWN_SLICES} more` : '';
      const message = `${key}: ${cells} withheld ${cells === 1 ? 'cell' : 'cells'} of ${metric} can be derived along ${along} by subtracting the other parts from the total: ${where.slice(0, SHOWN_SLICES).join(', ')}${more}. Withhold a second part of each family, or its total.`;
      return [diagnosticAt(place, severity, 'disclosure-derivable-cell', message)];
    }),
  );
}

/** For each dataset some of the cells and the families that were passed over, then the total. */
export function disclosureLines(found: readonly DatasetDisclosure[]): string[] {
  const cells = found.reduce((sum, one) => sum + one.cells, 0);
  const holders = found.filter(one => one.cells > 0);
  return [
    ...found.flatMap(one => [
      ...(one.examples.length === 0 ? [] : [`${one.dataset}: derivable cells, such as`]),
      ...one.examples.map(({ metric, keys }) => `  ${metric} of ${JSON.stringify(keys)}`),
      ...one.passedOver.map(
        finding =>
          `${one.dataset}: ${finding.metric} along ${finding.along} in ${spellYears(finding.years, '-')} was skipped: ${whyPassedOver(finding)}.`,
      ),
    ]),
    `Disclosure: ${cells} withheld ${cells === 1 ? 'cell' : 'cells'} can be derived from published ones (datasets that withhold counts: ${found.length}; with such cells: ${holders.length}).`,
  ];
}

function whyPassedOver({ whole, adding }: DisclosureFinding): string {
  if (whole === 0)
    return 'no total is published together with all its parts, so nothing shows that they add up';
  return `of ${whole} totals published together with all their parts, ${adding} equal the sum`;
}
