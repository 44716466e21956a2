/**
 * A mark in a PNG that tells what the picture was drawn from, so that a build knows one that would come out the same
 * without drawing it: a `tEXt` chunk behind the header, with the keyword `civic`. Pure.
 */

const KEYWORD = 'civic\0';
/** Eight bytes of signature, and the header's chunk of 25. */
const AT = 33;
const HEX = 64;

/** `source`: a SHA-256, lower-case hexadecimal. */
export function markPicture(png: Uint8Array, source: string): Uint8Array {
  const body = new TextEncoder().encode(`tEXt${KEYWORD}${source}`);
  const marked = new Uint8Array(png.length + body.length + 8);
  const view = new DataView(marked.buffer);
  marked.set(png.subarray(0, AT));
  view.setUint32(AT, body.length - 4);
  marked.set(body, AT + 4);
  view.setUint32(AT + 4 + body.length, crc32(body));
  marked.set(png.subarray(AT), AT + 8 + body.length);
  return marked;
}

/** Null if the picture has no mark. */
export function readPictureMark(png: Uint8Array): string | null {
  const text = String.fromCharCode(...png.subarray(AT + 4, AT + 8 + KEYWORD.length + HEX));
  return text.startsWith(`tEXt${KEYWORD}`) ? text.slice(-HEX) : null;
}

function crc32(bytes: Uint8Array): number {
  let crc = 0xffffffff;
  for (const byte of bytes) {
    crc ^= byte;
    for (let bit = 0; bit < 8; bit++) crc = (crc >>> 1) ^ (crc & 1 ? 0xedb88320 : 0);
  }
  return ~crc >>> 0;
}
