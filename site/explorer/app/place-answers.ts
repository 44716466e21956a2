/** Asks every dataset about one place: cards in view first, then the rest, until the reader stops it. */
import { useCallback, useEffect, useRef, useState } from 'preact/hooks';
import type { Engine } from '../engine/engine.ts';
import type { Figures } from '../view/figure.ts';
import { planNext } from '../view/reading-order.ts';
import type { PlaceContext } from './place-context.ts';
import { type PlaceSubject, readFigures, type WithoutFigures } from './place-figures.ts';

export type PlaceAnswer = Figures | WithoutFigures | Error;

/** Reads what a place's figures compare with. */
type ContextReader = (subject: PlaceSubject, figures: Figures, signal: AbortSignal) => Promise<PlaceContext>;

interface PlaceReading {
  /** One per subject; undefined until it arrives. */
  readonly answers: readonly (PlaceAnswer | undefined)[];
  /** One per subject with figures; undefined until it arrives. */
  readonly contexts: readonly (PlaceContext | undefined)[];
  readonly stopped: boolean;
  stop(): void;
  resume(): void;
  /** Asks again for every answer that is an error. */
  retry(): void;
  /** Registers the element of an answer. */
  place(at: number, element: Element | null): void;
}

/** An element this close to the window counts as in view. */
const MARGIN = '25%';

export function usePlaceAnswers(
  engine: Engine,
  subjects: readonly PlaceSubject[],
  key: readonly string[],
  readContext: ContextReader,
): PlaceReading {
  const [contexts, setContexts] = useState<readonly (PlaceContext | undefined)[]>([]);
  const [answers, setAnswers] = useState<readonly (PlaceAnswer | undefined)[]>([]);
  const [stopped, setStopped] = useState(false);
  const [round, setRound] = useState(0);
  const elements = useRef(new Map<number, Element>());
  const done = useRef(new Set<number>());
  const failed = useRef(new Set<number>());
  const settled = useRef(new Set<number>());

  useEffect(() => {
    if (stopped) return;
    const controller = new AbortController();
    const { signal } = controller;
    const begun = new Set(done.current);
    const near = new Set<number>();
    const goOn = () => {
      for (const at of planNext({ count: subjects.length, begun, done: done.current, near })) {
        begun.add(at);
        void readOne(at);
      }
    };
    const readOne = async (at: number) => {
      const answer: PlaceAnswer = await readFigures(engine, subjects[at]!, key, signal).catch(error =>
        error instanceof Error ? error : new Error(String(error)),
      );
      if (signal.aborted) return;
      done.current.add(at);
      if (answer instanceof Error) failed.current.add(at);
      setAnswers(before => Object.assign([...before], { [at]: answer }));
      goOn();
      if (typeof answer === 'object' && 'points' in answer) {
        // A figure stands without what it compares with.
        const context = await readContext(subjects[at]!, answer, signal).catch(() => undefined);
        if (signal.aborted) return;
        setContexts(before => Object.assign([...before], { [at]: context }));
      }
      if (!(answer instanceof Error)) settled.current.add(at);
      // Every subject has its answer: frees the engine.
      if (settled.current.size === subjects.length) engine.close();
    };
    const observer = new IntersectionObserver(
      entries => {
        for (const { target, isIntersecting } of entries) {
          for (const [at, element] of elements.current)
            if (element === target) isIntersecting ? near.add(at) : near.delete(at);
        }
        goOn();
      },
      { rootMargin: MARGIN },
    );
    for (const element of elements.current.values()) observer.observe(element);
    return () => {
      observer.disconnect();
      controller.abort();
    };
  }, [stopped, round]);

  const place = useCallback((at: number, element: Element | null) => {
    if (element) elements.current.set(at, element);
    else elements.current.delete(at);
  }, []);
  const retry = () => {
    const again = [...failed.current];
    failed.current.clear();
    for (const at of again) done.current.delete(at);
    setAnswers(before => before.map((answer, at) => (again.includes(at) ? undefined : answer)));
    setRound(round + 1);
  };
  return {
    ...{ answers, contexts, stopped, retry, place },
    stop: () => setStopped(true),
    resume: () => setStopped(false),
  };
}
