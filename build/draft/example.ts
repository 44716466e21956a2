/** The example that `civic init` writes without files: a contract of twenty lines, and a few invented rows. */
import { publisherText } from './contract-draft.ts';

const CONTRACT = `# An example: the file data/_sample.json says that its rows are invented. Put your own in the place of both, or
# remove all three and run: npx civic-data-service init FILE.csv
apiVersion: v3.1.0
kind: DataContract
id: example.rain # the domain and the topic: the API serves /api/v1/example/rain
version: 1.0.0 # raise it when a promise to readers changes
status: active
domain: example
schema:
  - name: rain # its rows are in data/example/rain.csv
    customProperties:
      - { property: grain, value: [date, station] } # the columns that identify a row
    properties:
      - name: date
        logicalType: date # or timestamp, integer, number, string, boolean
        required: true
        customProperties: [{ property: column_role, value: time }] # says when
      - { name: station, logicalType: string, required: true } # a text is a category
      - name: rain_mm # a number is a measure
        logicalType: number
        customProperties: [{ property: unit, value: mm }]
`;

const STATIONS = ['001', '002', '003'];
const DAYS = 30;

function rows(): string {
  const lines = Array.from({ length: DAYS }, (_, day) =>
    STATIONS.map((station, i) => {
      const date = new Date(Date.UTC(2024, 0, 1 + day)).toISOString().slice(0, 10);
      return `${date},${station},${((day * 7 + i * 5) % 23) / 2}`;
    }),
  );
  return `date,station,rain_mm\n${lines.flat().join('\n')}\n`;
}

/** Texts by path. */
export const EXAMPLE: ReadonlyMap<string, string> = new Map([
  ['contracts/publisher.yaml', publisherText()],
  ['contracts/example/rain.odcs.yaml', CONTRACT],
  ['data/example/rain.csv', rows()],
  ['data/_sample.json', '{ "sample": true, "notice": "Invented rows of an example." }\n'],
]);
