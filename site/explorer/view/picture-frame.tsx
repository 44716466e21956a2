/** The SVG element around a drawing: its size, and the letters of its texts. */
import type { ComponentChildren } from 'preact';

interface PictureFrameProps {
  readonly width: number;
  readonly height: number;
  /** The colour of texts and marks without one of their own. */
  readonly fill: string;
  /** Whether parts of it are read or focused; else what stands around it has the words. */
  readonly isRead?: boolean;
  readonly children: ComponentChildren;
}

export function PictureFrame({ width, height, fill, isRead = false, children }: PictureFrameProps) {
  return (
    // biome-ignore lint/a11y/noSvgWithoutTitle: what stands around it, or the saved file, has the words.
    <svg
      xmlns="http://www.w3.org/2000/svg"
      aria-hidden={isRead ? undefined : 'true'}
      viewBox={`0 0 ${width} ${height}`}
      width={width}
      height={height}
      fill={fill}
      font-family="system-ui, sans-serif"
      font-size="12"
    >
      {children}
    </svg>
  );
}
