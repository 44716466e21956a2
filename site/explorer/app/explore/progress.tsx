/** Shows the progress of longer work, and a button to cancel it. */
import { useEffect, useState } from 'preact/hooks';
import type { Progress } from '../../engine/engine.ts';
import { formatBytes } from '../../view/format.ts';

const STAGES: Readonly<Record<Progress['stage'], string>> = {
  plan: 'Finding the files',
  fetch: 'Fetching',
  decode: 'Reading rows',
  start: 'Loading the database, once',
  compute: 'Computing',
};

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
  const amount =
    (stage === 'fetch' || stage === 'start') && done > 0
      ? ` ${formatBytes(done)}${total ? ` of ${formatBytes(total)}` : ''}`
      : '';
  const label = STAGES[stage] + amount;
  return (
    <div class="toolbar explore-progress" role="status">
      <progress aria-label={STAGES[stage]} {...(total ? { value: Math.min(done, total), max: total } : {})} />
      <span>{label}</span>
      <button type="button" class="button quiet small" onClick={onCancel}>
        Cancel
      </button>
    </div>
  );
}
