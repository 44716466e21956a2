/** Shows the progress of longer work, and a button to cancel it. */
import { useEffect, useState } from 'preact/hooks';
import type { Progress } from '../../engine/engine.ts';
import { t } from '../../messages/messages.ts';
import { formatBytes } from '../../view/format.ts';

/** Milliseconds before the progress appears. */
const PATIENCE = 600;

interface ProgressBarProps {
  /** Null while nothing is running. */
  readonly progress: Progress | null;
  onCancel(): void;
}

export function ProgressBar({ progress, onCancel }: ProgressBarProps) {
  const busy = progress !== null;
  const [shown, setShown] = useState(false);
  useEffect(() => {
    setShown(false);
    if (!busy) return;
    const timer = setTimeout(() => setShown(true), PATIENCE);
    return () => clearTimeout(timer);
  }, [busy]);
  if (!shown || progress === null) return null;
  const { stage, done, total } = progress;
  const name = t.progress[stage];
  const isCounted = (stage === 'fetch' || stage === 'start') && done > 0;
  const amount = total
    ? t.progress.amountOf(name, formatBytes(done), formatBytes(total))
    : t.progress.amount(name, formatBytes(done));
  return (
    <div class="toolbar explore-progress" role="status">
      <progress aria-label={name} {...(total ? { value: Math.min(done, total), max: total } : {})} />
      <span>{isCounted ? amount : name}</span>
      <button type="button" class="button quiet small" onClick={onCancel}>
        {t.progress.cancel}
      </button>
    </div>
  );
}
