/** Markers of missing figures: what `civic init` finds, and that a build takes its advice. */
import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { expect, test } from 'vitest';
import { buildPublisher, warningsOf } from '../publishers/built-tree.ts';
import { drafted, publisher } from './drafted.ts';

async function draftedText(csv: string) {
  const { root, tables } = await drafted({ 'odd.csv': csv });
  const contract = path.join(root, 'contracts/data/odd.odcs.yaml');
  return { root, contract, column: tables[0]?.columns.find(({ name }) => name === 'x') };
}

const THIRTY = Array.from({ length: 30 }, (_, i) => String(i * 3 + 1)).join('|');

test.each<[values: string, type: string, missing: string | null]>([
  ['12|*|15|**', 'integer metric', '*|**'],
  ['1.5|TFS|n/a|Suppressed|2', 'number metric', 'Suppressed|TFS|n/a'],
  ['12|..|-|–| … ', 'integer metric', '-|..|–|…'],
  ['12|<10|> 95%|n<10|≤5', 'integer metric', '<10|> 95%|n<10|≤5'],
  ['12|(D)|15', 'integer metric', '(D)'],
  // A letter beside many figures, and beside few; words that may be anything; figures among words; codes with zeros.
  [`${THIRTY}|S`, 'integer metric', 'S'],
  ['1|2|3|K', 'string categorical', null],
  ['1|2|3|north', 'string categorical', null],
  ['north|south|3|*', 'string categorical', null],
  ['001|*|003', 'string categorical', null],
  ['*|*|TFS', 'string categorical', null],
])('%s', async (values, type, missing) => {
  const lines = values.split('|').map((value, i) => `a${i},"${value}"`);
  const { contract, column } = await draftedText(`code,x\n${lines.join('\n')}\n`);
  expect(`${column?.type} ${column?.role}`).toBe(type);
  const [line] = /^ +- \{ property: missing_values.*$/m.exec(await readFile(contract, 'utf8')) ?? [];
  const list = /value: (\[.*?\]) /.exec(line ?? '')?.[1];
  expect(list === undefined ? null : JSON.parse(list).join('|')).toBe(missing);
});

test('a build takes the draft, and NULL is where a person says so', async () => {
  const rows = ['K,*', '1,120', '2,-666666666', '3,130', '4,-666666666', '5,125', '6,140'];
  const { root, contract } = await draftedText(
    `year,code,x,y\n${rows.map((row, i) => `2024,a${i},${row}`).join('\n')}\n`,
  );
  const text = await readFile(contract, 'utf8');
  const built = async (take: RegExp, edit: (text: string) => string = one => one) => {
    await writeFile(contract, edit(text.replace(take, '$1')));
    const out = path.join(root, `dist ${take.source.length}`);
    const events = await buildPublisher({ ...publisher(root), out });
    return {
      warnings: warningsOf(events).filter(one => one.startsWith('lake-')).length,
      csv: (await readFile(path.join(out, 'api/v1/data/odd/year=2024/all.csv'), 'utf8')).replaceAll(
        /\r\n(2024,)?/g,
        ' ',
      ),
    };
  };
  expect(await built(/(never)/)).toEqual({
    warnings: 1,
    csv: 'year,code,x,y a0,K, a1,1,120 a2,2,-666666666 a3,3,130 a4,4,-666666666 a5,5,125 a6,6,140 ',
  });
  expect((await built(/# (- \{ property: value_min.*)/)).warnings).toBe(0);
  const isLine = /- \{ property: missing_values, value: \["\*"\] \}.*\n/;
  expect(
    await built(/# (- \{ property: missing_values, value: \["\*", -666666666\] \})/, one =>
      one.replace(isLine, ''),
    ),
  ).toEqual({
    warnings: 0,
    csv: 'year,code,x,y a0,K, a1,1,120 a2,2, a3,3,130 a4,4, a5,5,125 a6,6,140 ',
  });
  const asNumber = (one: string) =>
    one
      .replace(/(name: x\n +logicalType: )string(.*\n) +required.*\n/, '$1number$2')
      .replace('categorical } # guess: 7', 'metric } # guess: 7');
  expect((await built(/# (- \{ property: missing_values, value: \["K"\] \})/, asNumber)).csv).toContain(
    'a0,, a1,1,',
  );
});
