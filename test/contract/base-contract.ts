import { expect } from 'vitest';
import type { Dataset, Dimension } from '../../build/contract/dataset.ts';
import {
  type ContractFile,
  type ParsedContracts,
  parseContracts,
} from '../../build/contract/parse-contracts.ts';
import { readContracts } from '../publishers/contract-text.ts';

/** The smallest contracts that use every part of the dialect once. Tests change a line and compare the diagnostics. */
export const { 'visits.yaml': DATASET = '', 'areas.yaml': DIMENSION = '' } = readContracts('contract/parks');

export const PUBLISHER: ContractFile = { file: 'publisher.yaml', text: 'service: Parks\nlicense: CC0-1.0\n' };

/** A change of a text: `found → instead`; the first part occurs once. A pair if a part is computed. */
export type Edit = string | readonly [found: string, instead: string];

const ARROW = ' → ';

/** Marks the place of the expected diagnostic in the new text; removed before parsing. */
const MARK = '¦';

export interface Edited {
  readonly text: string;
  /** `line:col` of the mark; null without one. */
  readonly mark: string | null;
}

export function edit(text: string, ...edits: readonly Edit[]): Edited {
  let result = text;
  for (const one of edits) {
    const [found = '', instead = ''] = typeof one === 'string' ? one.split(ARROW) : one;
    expect(result.split(found).length, `${found} stands once`).toBe(2);
    result = result.replace(found, () => instead);
  }
  const at = result.indexOf(MARK);
  const before = result.slice(0, Math.max(at, 0)).split('\n');
  return {
    text: result.replace(MARK, ''),
    mark: at < 0 ? null : `${before.length}:${before.at(-1)!.length + 1}`,
  };
}

export const file = (name: string, text: string): ContractFile => ({ file: name, text });

/** The two contracts, with edits to the dataset's. */
export function withDataset(...edits: readonly Edit[]): readonly ContractFile[] {
  return [file('visits.yaml', edit(DATASET, ...edits).text), file('areas.yaml', DIMENSION), PUBLISHER];
}

/** `file:line:col severity code` of each diagnostic. */
export function codes({ diagnostics }: ParsedContracts): readonly string[] {
  return diagnostics.map(d => `${d.file}:${d.line}:${d.column} ${d.severity} ${d.code}`);
}

/** The dataset that an edited base contract compiles to. */
export function compiledDataset(...edits: readonly Edit[]): Dataset {
  const { contracts, diagnostics } = parseContracts(withDataset(...edits));
  expect(diagnostics.filter(d => d.severity === 'error')).toEqual([]);
  return contracts.datasets[0]!;
}

export function compiledDimension(...edits: readonly Edit[]): Dimension {
  const { contracts, diagnostics } = parseContracts([file('areas.yaml', edit(DIMENSION, ...edits).text)]);
  expect(diagnostics.filter(d => d.severity === 'error')).toEqual([]);
  return [...contracts.dimensions.values()][0]!;
}
