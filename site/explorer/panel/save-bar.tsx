/** The ways to save or share what is shown, in one line. */
import type { ComponentChildren } from 'preact';
import { t } from '../messages/messages.ts';

/** In the order of their buttons. */
const SAVES = ['csv', 'xlsx', 'json', 'parquet', 'png', 'svg', 'link', 'embed', 'api'] as const;

export type Save = (typeof SAVES)[number];

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
  const offered = SAVES.filter(save => isDrawn || (save !== 'png' && save !== 'svg'));
  return (
    <section class="explore-save needs-script" aria-labelledby="explore-save-title">
      <div class="toolbar">
        <h3 id="explore-save-title">{t.panel.save}</h3>
        {offered.map(save => (
          <button
            key={save}
            type="button"
            class="button quiet small"
            disabled={isDisabled}
            aria-expanded={save === 'embed' || save === 'api' ? save === open : undefined}
            onClick={() => onSave(save)}
          >
            {t.panel.saves[save]}
          </button>
        ))}
      </div>
      {children}
    </section>
  );
}
