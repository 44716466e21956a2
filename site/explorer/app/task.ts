/** Work that a reader starts and can cancel. */
import { useRef, useState } from 'preact/hooks';
import { explain } from './explanation.tsx';

/**
 * One piece of work at a time: a new one cancels the last. `stage` is null while nothing runs, `said` what the last work
 * has returned, or why it failed.
 */
export function useTask<Stage = string>(cancelled: string, failed: (error: unknown) => string = explain) {
  const [stage, setStage] = useState<Stage | null>(null);
  const [said, setSaid] = useState('');
  const running = useRef<AbortController | null>(null);
  const run = async (
    start: Stage,
    work: (signal: AbortSignal, onStage: (stage: Stage) => void) => Promise<string>,
  ) => {
    running.current?.abort();
    const own = new AbortController();
    running.current = own;
    const onStage = (next: Stage) => {
      if (running.current === own) setStage(next);
    };
    onStage(start);
    setSaid('');
    const words = await work(own.signal, onStage).catch((error: unknown) =>
      own.signal.aborted ? cancelled : failed(error),
    );
    if (running.current !== own) return;
    setStage(null);
    setSaid(words);
  };
  return { stage, said, run, cancel: () => running.current?.abort() };
}
