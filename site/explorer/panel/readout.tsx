/** The box that says what a chart shows at one place: at the pointer, or where the arrow keys are. */
import type { ComponentChildren } from 'preact';
import { useLayoutEffect, useRef } from 'preact/hooks';

interface ReadoutProps {
  /** Pixels from the corner of the drawing. */
  readonly x: number;
  readonly y: number;
  readonly children: ComponentChildren;
}

const GAP = 14;

/** Stands beside the point, within its drawing. Screen readers hear the words from the drawing itself. */
export function Readout({ x, y, children }: ReadoutProps) {
  const box = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => {
    const element = box.current;
    const frame = element?.parentElement;
    if (!element || !frame) return;
    const { offsetWidth: width, offsetHeight: height } = element;
    const left = x + GAP + width <= frame.clientWidth ? x + GAP : Math.max(0, x - GAP - width);
    element.style.left = `${left}px`;
    element.style.top = `${Math.max(0, Math.min(y - height / 2, frame.clientHeight - height))}px`;
  });
  return (
    <div class="explore-readout" aria-hidden="true" ref={box}>
      {children}
    </div>
  );
}
