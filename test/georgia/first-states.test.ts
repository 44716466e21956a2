/** The figure at the top of a dataset's page is the explorer's first view, in all of our datasets. */
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { readDocuments } from '../../site/explorer/pages/documents.ts';
import { readHeadline, readPinnedRows } from '../../site/explorer/pages/headline.ts';
import { deriveDrawing } from '../../site/explorer/view/drawing.ts';
import type { Drawing } from '../../site/explorer/view/drawing-parts.ts';
import type { FigureRow } from '../../site/explorer/view/figure.ts';
import type { Rows } from '../../site/explorer/view/rows.ts';
import { parseState } from '../../site/explorer/view/state.ts';
import { sampleTree } from './specification/sample.ts';

interface FirstState {
  readonly key: string;
  /** The headline's figures by period; a median has its latest alone. Null if the page has no headline. */
  readonly headline: readonly Figure[] | null;
  readonly view: string;
  /** Figures that the first view draws with the headline's words: its one line, one of its bars, or its median. */
  readonly drawn: readonly Figure[];
}

type Figure = readonly [period: number, value: number | null];

const states = await readFirstStates(await sampleTree());

describe('the first view', () => {
  test.each(states.filter(({ headline }) => headline !== null))(
    'of $key draws the figures of its headline',
    ({ headline, drawn, view }) => {
      expect(headline).not.toHaveLength(0);
      expect(drawn).toEqual(headline);
      expect(view).not.toBe('table');
    },
  );

  test('of most datasets has a headline to compare with', () => {
    expect(states.filter(({ headline }) => headline !== null).length).toBeGreaterThan(states.length / 2);
  });
});

/** Reads a tree with its rows. */
async function readFirstStates(tree: string): Promise<FirstState[]> {
  const source = {
    baseUrl: null,
    readText: (file: string) => readFile(path.join(tree, file), 'utf8').catch(() => null),
  };
  const { datasets } = await readDocuments(source);
  const states: FirstState[] = [];
  for (const { open } of datasets) {
    const { explored: dataset } = await open();
    const headline = await readHeadline(source, dataset);
    const { state } = parseState(dataset, []);
    const { question, view } = state;
    const metric = dataset.metrics.find(({ column }) => column.name === state.metric);
    const pins = new Map(
      dataset.fields.flatMap(({ param, column }) => {
        const [value, more] = question.filters.get(param) ?? [];
        return value === undefined || more !== undefined ? [] : [[column, value] as const];
      }),
    );
    const { min, max } = question.years;
    const slices = dataset.manifest.slices.filter(
      ({ detail, year }) => detail === question.detail && year >= (min ?? year) && year <= (max ?? year),
    );
    const rows: FigureRow[] = [];
    for (const slice of headline && metric ? slices : [])
      rows.push(...(await readPinnedRows(source, dataset, slice, pins)));
    const drawing =
      headline && metric && deriveDrawing(dataset, state, metric, toRows(dataset.manifest, rows));
    const figures =
      headline?.points
        .map(({ year, value }): Figure => [year, value])
        .filter(([, value]) => value !== null) ?? null;
    states.push({
      key: dataset.key,
      headline: figures && (headline?.of === 'median' || view === 'bars' ? figures.slice(-1) : figures),
      view,
      drawn: drawing ? figuresOf(drawing, figures?.at(-1)) : [],
    });
  }
  return states;
}

function toRows({ columns }: { readonly columns: Rows['columns'] }, rows: readonly FigureRow[]): Rows {
  return {
    columns,
    rows: rows.length,
    cell: (row, column) => rows[row]?.[columns[column]?.name ?? ''] ?? null,
  };
}

function figuresOf(drawing: Drawing, latest: Figure | undefined): Figure[] {
  if (drawing.kind === 'map' || latest === undefined) return [];
  if (drawing.kind === 'lines') {
    const [line, ...others] = drawing.panels.flatMap(({ lines }) => lines);
    if (line === undefined || others.length > 0) return [];
    return line.series.points.flatMap(({ year, value }): Figure[] => (value === null ? [] : [[year, value]]));
  }
  const [period, value] = latest;
  const values = [drawing.median, ...drawing.bars.map(bar => bar.value)];
  return values.includes(value) && [period, String(period)].includes(drawing.period ?? '') ? [latest] : [];
}
