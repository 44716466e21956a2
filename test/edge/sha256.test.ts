import { createHash } from 'node:crypto';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { sha256 } from '../../site/edge/files/sha256.ts';

afterEach(() => vi.unstubAllGlobals());

const bytes = Uint8Array.from({ length: 5000 }, (_, i) => (i * 31) % 256);

describe.each([
  ['where the host has one', crypto],
  ['where it has none', {}],
])('%s', (_, host) => {
  test.each([0, 1, 55, 56, 63, 64, 65, 119, 120, 128, 300, 4095, 4096, 5000])('%i bytes', async length => {
    vi.stubGlobal('crypto', host);
    const data = bytes.subarray(5000 - length);
    expect(await sha256(data)).toBe(createHash('sha256').update(data).digest('hex'));
  });
});
