import { createHash } from 'node:crypto';
import { expect, test } from 'vitest';
import { computeDigest, sha256 } from '../../site/edge/files/sha256.ts';

const bytes = Uint8Array.from({ length: 300 }, (_, i) => (i * 31) % 256);

test.each([0, 1, 55, 56, 63, 64, 65, 119, 120, 128, 300])('%i bytes', async length => {
  const data = bytes.subarray(300 - length);
  const wanted = createHash('sha256').update(data).digest('hex');
  expect(Buffer.from(computeDigest(data)).toString('hex')).toBe(wanted);
  expect(await sha256(data)).toBe(wanted);
});
