/** Explains errors and progress to the reader. */
import { HostError } from '../../edge/files/watched-fetch.ts';
import { EngineError, type Progress, type Trouble } from '../engine/engine.ts';
import { ScriptMissing } from '../engine/patience.ts';
import { t } from '../messages/messages.ts';
import { formatBytes, formatCount } from '../view/format.ts';

/** One or more sentences, without addresses of scripts or files. */
export function explain(error: unknown): string {
  if (error instanceof HostError) return t.errors.unread(explainHost(error));
  if (error instanceof EngineError) return explainTrouble(error.trouble);
  if (error instanceof ScriptMissing) return t.errors.partMissing;
  return error instanceof Error ? error.message : String(error);
}

function explainHost({ status, silence }: Pick<HostError, 'status' | 'silence'>): string {
  if (silence !== null) return t.errors.silent(formatCount(Math.ceil(silence / 1000)));
  return status === null ? t.errors.unreachable : t.errors.status(String(status));
}

function explainTrouble(trouble: Trouble): string {
  switch (trouble.kind) {
    case 'refusal':
      return trouble.words;
    case 'dataset':
      return t.errors.noDataset(trouble.key);
    case 'select':
      return t.errors.oneSelect;
    case 'size':
      return t.errors.tooLarge(trouble.table, t.counts.rows(trouble.rows));
    case 'rows':
      return t.errors.unread(explainHost(trouble));
    case 'database':
      return t.errors.noDatabase(explainHost(trouble));
    case 'module':
      return t.errors.noDatabase(t.errors.damagedDatabase);
    case 'mismatch':
      return t.errors.mismatch(trouble.path, trouble.words);
    default:
      return trouble satisfies never;
  }
}

interface ErrorNoticeProps {
  readonly message: string;
  onRetry(): void;
}

export function ErrorNotice({ message, onRetry }: ErrorNoticeProps) {
  return (
    <div class="notice warn" role="alert">
      {message}{' '}
      <button type="button" class="button quiet small" onClick={onRetry}>
        {t.errors.retry}
      </button>
    </div>
  );
}

interface ProgressLineProps {
  readonly progress: Progress;
  onCancel(): void;
}

/** Announces the stage, but not every byte. */
export function ProgressLine({ progress: { stage, done, total }, onCancel }: ProgressLineProps) {
  const name = t.progress[stage];
  const amount = total ? t.progress.of(formatBytes(done), formatBytes(total)) : formatBytes(done);
  return (
    <>
      <span role="status">{name}…</span>{' '}
      <progress aria-label={name} {...(total ? { value: Math.min(done, total), max: total } : {})} />{' '}
      {done > 0 && (
        <span class="hint" aria-hidden="true">
          {amount}
        </span>
      )}{' '}
      <button type="button" class="button quiet small" onClick={onCancel}>
        {t.progress.cancel}
      </button>
    </>
  );
}
