import { expect, test } from 'vitest';
import { parseServiceTerms } from '../../site/explorer/view/contract.ts';

const spoken = (contract: unknown) =>
  parseServiceTerms(contract).map(({ label, lines }) =>
    [label, ...lines.map(({ text, link }) => (link ? `${text} <${link}>` : text))].join('; '),
  );

test('team, support, service levels and price of a contract', () => {
  const members = [
    { username: 'a@city.example', role: 'Owner' },
    { username: 'b', dateOut: '2020-01-01' },
  ];
  const help = { channel: 'Help', url: 'https://city.example/help', description: 'On weekdays' };
  const slaProperties = [
    { property: 'latency', value: 4, unit: 'd' },
    { property: 'frequency', value: 1, valueExt: 1, unit: 'd' },
    { property: 'retention', value: { years: 3 } },
  ];
  const price = { priceAmount: 0, priceCurrency: 'EUR', priceUnit: 'megabyte' };
  const support = [help, { channel: '#data' }];
  expect(spoken({ team: { name: 'Open data', members }, support, slaProperties, price })).toEqual([
    'Team; Open data; a@city.example, Owner <a@city.example>',
    'Support; Help, On weekdays <https://city.example/help>; #data',
    'Service levels; latency: 4 d; frequency: 1 d',
    'Price; 0 EUR per megabyte',
  ]);
  // A team of version 3.0 is a list.
  expect(spoken({ team: [{ username: 'a', role: 'dpo' }] })).toEqual(['Team; a, dpo']);
  for (const odd of [null, 5, [], { team: 'x', support: {}, slaProperties: [5, null, {}], price: [] }])
    expect(parseServiceTerms(odd)).toEqual([]);
});
