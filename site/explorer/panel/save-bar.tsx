/** The ways to save or share what is shown, in one line. */
import type { ComponentChildren } from 'preact';

export const SAVES = {
  csv: 'CSV',
  xlsx: 'Excel',
  json: 'JSON',
  parquet: 'Parquet',
  png: 'Picture',
  svg: 'Picture as SVG',
  link: 'Copy link',
  embed: 'Embed',
  api: 'API request',
} as const;

export type Save = keyof typeof SAVES;

interface SaveBarProps {
  /** Whether the view is a picture. */
  readonly isDrawn: boolean;
  readonly isDisabled: boolean;
  /** What is open below the line. */
  readonly open: Save | null;
  readonly children?: ComponentChildren;
  onSave(save: Save): void;
}

export function SaveBar({ isDrawn, isDisabled, open, children, onSave }: SaveBarProps) {
  const offered = (Object.keys(SAVES) as Save[]).filter(
    save => isDrawn || (save !== 'png' && save !== 'svg'),
  );
  return (
    <section class="explore-save needs-script" aria-labelledby="explore-save-title">
      <div class="toolbar">
        <h3 id="explore-save-title">Save this</h3>
        {offered.map(save => (
          <button
            key={save}
            type="button"
            class="button quiet small"
            disabled={isDisabled}
            aria-expanded={save === 'embed' || save === 'api' ? save === open : undefined}
            onClick={() => onSave(save)}
          >
            {SAVES[save]}
          </button>
        ))}
      </div>
      {children}
    </section>
  );
}
