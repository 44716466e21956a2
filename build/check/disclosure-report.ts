/** Reports derivable cells to people. Pure. */
import type { Dataset, Place } from '../contract/dataset.ts';
import { type Diagnostic, diagnosticAt } from '../contract/diagnostic.ts';
import { NO_YEAR } from '../format/paths.ts';
import { spellYears } from '../format/year-runs.ts';
import type { DatasetDisclosure } from './disclosure.ts';
import type { DisclosureFinding } from './disclosure-evidence.ts';
import type { SharedCells } from './disclosure-shares.ts';

/** How many slices a line names; --json lists all. */
const SHOWN_SLICES = 8;

/** A diagnostic for each metric and family that discloses cells, at the metric's place in the contract. */
export function disclosureDiagnostics(
  found: readonly DatasetDisclosure[],
  datasets: readonly Dataset[],
  severity: Diagnostic['severity'],
): Diagnostic[] {
  const byKey = new Map(datasets.map(dataset => [dataset.key, dataset]));
  return found.flatMap(({ dataset: key, disclosed, shares }) => {
    const dataset = byKey.get(key);
    if (dataset === undefined) return [];
    const subtracted = disclosed.map(({ metric, along, cells, slices }) => {
      const message = `${key}: ${cells} withheld ${cells === 1 ? 'cell' : 'cells'} of ${metric} can be derived along ${along} by subtracting the other parts from the total: ${listSlices(slices)}. Withhold a second part of each family, or its total.`;
      return diagnosticAt(placeOf(dataset, metric), severity, 'disclosure-derivable-cell', message);
    });
    return [...subtracted, ...shareDiagnostics(dataset, shares, severity)];
  });
}

/** A diagnostic for each metric that follows from a share, at its place in the contract. */
export function shareDiagnostics(
  dataset: Dataset,
  shares: readonly SharedCells[],
  severity: Diagnostic['severity'],
): Diagnostic[] {
  return shares.map(({ metric, share, total, whole, agreeing, withheld, cells, exact, slices }) => {
    const known = exact === cells ? '' : ` (${count(exact)} of them exactly, the others within 10)`;
    const message = `${dataset.key}: ${count(cells)} of ${count(withheld)} withheld counts of ${metric} follow from ${share} and ${total}${known}: ${listSlices(slices)}. In ${count(agreeing)} of ${count(whole)} rows that publish all three, the count is the share of the total. Withhold ${share} in these rows too, or round it more.`;
    return diagnosticAt(placeOf(dataset, metric), severity, 'disclosure-share', message);
  });
}

/** Warns about figures of a metric that an earlier release has and this one withholds. */
export function forgetDiagnostic(
  dataset: Dataset,
  metric: string,
  slices: readonly { readonly year: number; readonly detail: string; readonly cells: number }[],
  release: string,
): Diagnostic {
  const cells = slices.reduce((sum, one) => sum + one.cells, 0);
  const years = [...new Set(slices.map(one => one.year))].filter(year => year !== NO_YEAR);
  const levels = dataset.levels.length === 1 ? [] : [...new Set(slices.map(one => one.detail))];
  const where = [
    ...(years.length === 0 ? [] : [`, years: [${years.join(', ')}]`]),
    ...(levels.length === 0 ? [] : [`, levels: [${levels.join(', ')}]`]),
  ].join('');
  const [are, them] = cells === 1 ? ['figure is', 'it'] : ['figures are', 'them'];
  const message = `${dataset.key}: ${count(cells)} ${are} withheld in ${metric} that release ${release} published, and as_of and history still answer ${them}: ${listSlices(slices)}. If nobody may see ${them} any more, forget ${them} with an erratum of this release, under customProperties of the contract: { date: YYYY-MM-DD, wrong: "…", corrected: "…"${where}, forget: true } in the list of the property errata.`;
  return diagnosticAt(placeOf(dataset, metric), 'warning', 'disclosure-earlier-release', message);
}

function placeOf(dataset: Dataset, metric: string): Place {
  return dataset.columns.find(column => column.name === metric)?.place ?? dataset.source;
}

/** `2021 coasts (1), 2022 coasts (3), and 2 more` */
export function listSlices(
  slices: readonly { readonly year: number; readonly detail: string; readonly cells: number }[],
): string {
  const where = slices.map(
    ({ year, detail, cells }) => `${year === NO_YEAR ? '' : `${year} `}${detail} (${cells})`,
  );
  const more = where.length > SHOWN_SLICES ? `, and ${where.length - SHOWN_SLICES} more` : '';
  return where.slice(0, SHOWN_SLICES).join(', ') + more;
}

function count(number: number): string {
  return number.toLocaleString('en');
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
