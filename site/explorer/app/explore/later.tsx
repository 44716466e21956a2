/** A part of a page whose script loads when the part is first shown. */
import type { ComponentChild } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { inTime } from '../../engine/patience.ts';
import { ErrorNotice, explain } from '../explanation.tsx';

interface LaterProps<Part> {
  load(): Promise<Part>;
  show(part: Part): ComponentChild;
}

export function Later<Part>({ load, show }: LaterProps<Part>) {
  const [part, setPart] = useState<Part | null>(null);
  const [error, setError] = useState<string | null>(null);
  useEffect(() => {
    inTime(load()).then(setPart, (reason: unknown) => setError(explain(reason)));
  }, []);
  // A browser may keep the failure until the page loads again.
  if (error !== null) return <ErrorNotice message={error} onRetry={() => location.reload()} />;
  return part && <>{show(part)}</>;
}
