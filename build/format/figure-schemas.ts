/** The schema and the type of the answer to a request with `figure`. */
import * as Type from 'typebox';
import * as document from './document-schemas.ts';

const { DATE, TEXT, TEXT_OR_NULL, SCALAR, NUMBER_OR_NULL, note, optional, orNull } = document;

const FIGURE = {
  value: document.SCALAR_OR_NULL,
  margin: note(NUMBER_OR_NULL, 'Margin of error; null if the column has none.'),
};
const ROW = note(orNull(Type.Object(FIGURE)), 'Null while no row had the key.');
const WHY = note(Type.Array(TEXT), "The release's errata, and reasons of withdrawals.");
const Period = Type.Object({
  ...{ from: DATE, until: orNull(DATE), changed_by: TEXT_OR_NULL, why: WHY, row: ROW },
  forgotten: optional(document.TRUE),
});

const Entry = Type.Object({ release: TEXT, date: DATE, content: TEXT });
/** The log's last entry is about the root manifest, which lists the dataset's manifest, which lists the Parquet file. */
const Proof = Type.Object({
  file: note(Type.Object({ path: TEXT, sha256: TEXT }), "The path is from the host's root."),
  row_group: Type.Object({ index: Type.Integer({ minimum: 0 }), sha256: TEXT_OR_NULL }),
  log: optional(Type.Object({ checkpoint: TEXT, entry: Entry, leaf: TEXT }), 'Absent without signatures.'),
});

const Part = Type.Object({ column: TEXT, label: TEXT, value: SCALAR, name: optional(TEXT) });

export const FigureDocument = Type.Object({
  ...document.Stamp.properties,
  address: note(TEXT, 'It always gives the figure as this release published it.'),
  ...{ dataset: TEXT, title: TEXT, version: TEXT, detail: TEXT, column: TEXT, label: TEXT },
  ...{ unit: TEXT_OR_NULL, ...FIGURE },
  ...{ null_meaning: TEXT_OR_NULL, null_semantics: document.NullSemantics },
  key: note(Type.Array(Part), 'What identifies the row; NULLs are left out.'),
  rules: note(orNull(Type.Array(document.RuleResult)), 'About the column; null if rows have changed since.'),
  since: note(DATE, 'Nothing is known about earlier releases.'),
  history: note(Type.Array(Period), 'Up to today; empty if the dataset no longer has the column.'),
  changed: optional(
    Type.Object({ date: orNull(DATE), release: TEXT_OR_NULL, why: WHY, row: ROW }),
    "Today's figure, and the release that first changed this one; absent if it is the same.",
  ),
  proof: Proof,
  ...{ license: TEXT_OR_NULL, license_url: TEXT_OR_NULL, attribution: TEXT_OR_NULL },
  citation: Type.Object({ text: TEXT, bibtex: TEXT }),
});
export type FigureDocument = document.Of<typeof FigureDocument>;
