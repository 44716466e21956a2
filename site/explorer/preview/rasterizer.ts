/** SVG to PNG: the same bytes on every machine, since WebAssembly computes them with the project's own fonts. */
import { initWasm, Resvg } from '@resvg/resvg-wasm';

interface RasterizerFiles {
  readonly module: Uint8Array<ArrayBuffer>;
  /** TrueType. */
  readonly fonts: readonly Uint8Array[];
}

export type Rasterizer = (svg: string) => Uint8Array;

let started: Promise<void> | undefined;

export async function openRasterizer({ module, fonts }: RasterizerFiles): Promise<Rasterizer> {
  // The library starts once in a process.
  started ??= initWasm(module);
  await started;
  const font = { fontBuffers: [...fonts], loadSystemFonts: false, defaultFontFamily: 'DejaVu Sans' };
  return svg => {
    const drawing = new Resvg(svg, { font });
    try {
      const image = drawing.render();
      try {
        return image.asPng();
      } finally {
        image.free();
      }
    } finally {
      drawing.free();
    }
  };
}
