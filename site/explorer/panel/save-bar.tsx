/** The ways to save or share what is shown, in one line, and saving a file. */
import type { ComponentChildren } from 'preact';
import { t } from '../messages/messages.ts';

/** In the order of their buttons. */
const SAVES = ['csv', 'xlsx', 'parquet', 'png', 'svg', 'link', 'embed', 'api'] as const;

export type Save = (typeof SAVES)[number];

/** What a view offers; a picture, if it is one. */
export function savesOf(isDrawn: boolean): Save[] {
  return SAVES.filter(save => isDrawn || (save !== 'png' && save !== 'svg'));
}

interface SaveBarProps<Offered extends Save> {
  readonly offered: readonly Offered[];
  /** What is or was being saved. Absent in the page as the build renders it. */
  readonly task?: { readonly stage: string | null; readonly said: string; cancel(): void };
  /** What is open below the line. */
  readonly open?: Save | null;
  readonly children?: ComponentChildren;
  onSave?(save: Offered): void;
}

export function SaveBar<Offered extends Save>(props: SaveBarProps<Offered>) {
  const { offered, task, open = null, children, onSave } = props;
  return (
    <section class="explore-save needs-script" aria-labelledby="explore-save-title">
      <div class="toolbar">
        <h3 id="explore-save-title">{t.panel.save}</h3>
        {offered.map(save => (
          <button
            key={save}
            type="button"
            class="button quiet small"
            disabled={task === undefined || Boolean(task.stage)}
            aria-expanded={save === 'embed' || save === 'api' ? save === open : undefined}
            onClick={() => onSave?.(save)}
          >
            {t.panel.saves[save]}
          </button>
        ))}
      </div>
      {task?.stage && (
        <button type="button" class="button quiet small" onClick={task.cancel}>
          {t.progress.cancel}
        </button>
      )}
      <p role="status" class="hint">
        {task?.stage || task?.said}
      </p>
      {children}
    </section>
  );
}

/** Milliseconds until the browser has surely started to save. */
const KEPT = 60_000;

export function saveFile(file: Blob, name: string): void {
  const address = URL.createObjectURL(file);
  const link = document.createElement('a');
  link.href = address;
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(address), KEPT);
}
