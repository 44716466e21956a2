/** Says what went wrong, and offers to try again. */
import { t } from '../../messages/messages.ts';

interface ErrorNoticeProps {
  readonly message: string;
  onRetry(): void;
}

export function ErrorNotice({ message, onRetry }: ErrorNoticeProps) {
  return (
    <p class="notice warn" role="alert">
      {message}{' '}
      <button type="button" class="button quiet small" onClick={onRetry}>
        {t.errors.retry}
      </button>
    </p>
  );
}
