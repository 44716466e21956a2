/** Rows of a row group that is kept. Their values are picked only where somebody needs them, since their lines are kept. */
import type { ColumnValues, LineKind } from '../../query/encode.ts';
import type { Batch } from './executor.ts';
import type { KeptText, TextSource } from './kept-text.ts';

export class PackedBatch implements Batch {
  readonly rows: number;
  private readonly source: TextSource;
  private readonly text: KeptText;
  /** Rows of the group, ascending; null: all. */
  private readonly picked: readonly number[] | null;
  /** How many of them stand before the batch. */
  private readonly from: number;
  private made: readonly ColumnValues[] | null = null;

  constructor(
    source: TextSource,
    text: KeptText,
    picked: readonly number[] | null,
    from = 0,
    to = picked?.length ?? source.group.rows,
  ) {
    this.source = source;
    this.text = text;
    this.picked = picked;
    this.from = from;
    this.rows = to - from;
  }

  /** Made once: whoever merges rows asks for them row by row. */
  get columns(): readonly ColumnValues[] {
    this.made ??= this.source.columns.map((_, position) => this.column(position));
    return this.made;
  }

  column(position: number): ColumnValues {
    if (this.made) return this.made[position]!;
    const rows = Array.from({ length: this.rows }, (_, index) => this.rowAt(index));
    return this.source.group.pick(position, rows);
  }

  cut(from: number, to: number): Batch {
    return new PackedBatch(this.source, this.text, this.picked, this.from + from, this.from + to);
  }

  lines(kind: LineKind): readonly Uint8Array[] {
    return this.text.gather(this.source, kind, this.rows, index => this.rowAt(index));
  }

  private rowAt(index: number): number {
    return this.picked === null ? this.from + index : this.picked[this.from + index]!;
  }
}
