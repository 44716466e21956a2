/** Texts over a WebSocket: as much of RFC 6455 as a browser on this machine needs. */
import { randomBytes } from 'node:crypto';
import { request } from 'node:http';
import type { Socket } from 'node:net';

export interface TextSocket {
  send(text: string): void;
  onText(listener: (text: string) => void): void;
  close(): void;
}

const TEXT = 1;
const PING = 9;
const PONG = 10;

export async function openSocket(address: string): Promise<TextSocket> {
  const { hostname, port, pathname } = new URL(address);
  const socket = await new Promise<Socket>((done, fail) => {
    const asked = request({
      ...{ hostname, port, path: pathname },
      headers: {
        Connection: 'Upgrade',
        Upgrade: 'websocket',
        'Sec-WebSocket-Version': '13',
        'Sec-WebSocket-Key': randomBytes(16).toString('base64'),
      },
    });
    asked.on('upgrade', (_, upgraded) => done(upgraded as Socket));
    asked.on('response', ({ statusCode }) => fail(new Error(`${address} answers ${statusCode}.`)));
    asked.on('error', fail);
    asked.end();
  });
  let listener = (_text: string): void => undefined;
  let held = Buffer.alloc(0);
  let parts: Buffer[] = [];
  socket.on('error', () => undefined);
  socket.on('data', chunk => {
    held = Buffer.concat([held, chunk]);
    for (let frame = readFrame(held); frame !== null; frame = readFrame(held)) {
      held = held.subarray(frame.bytes);
      if (frame.code === PING) socket.write(writeFrame(PONG, frame.payload));
      if (frame.code > TEXT) continue;
      parts.push(frame.payload);
      if (!frame.isLast) continue;
      const text = Buffer.concat(parts).toString('utf8');
      parts = [];
      listener(text);
    }
  });
  return {
    send: text => socket.write(writeFrame(TEXT, Buffer.from(text))),
    onText: given => {
      listener = given;
    },
    close: () => socket.destroy(),
  };
}

/** Null until the whole frame has arrived. A server masks nothing. */
function readFrame(held: Buffer) {
  if (held.length < 2) return null;
  const short = held.readUInt8(1);
  const header = short < 126 ? 2 : short === 126 ? 4 : 10;
  if (held.length < header) return null;
  const length = short < 126 ? short : short === 126 ? held.readUInt16BE(2) : Number(held.readBigUInt64BE(2));
  if (held.length < header + length) return null;
  const first = held.readUInt8(0);
  return {
    code: first & 15,
    isLast: first >= 128,
    payload: held.subarray(header, header + length),
    bytes: header + length,
  };
}

function writeFrame(code: number, payload: Buffer): Buffer {
  const { length } = payload;
  const header = Buffer.alloc(length < 126 ? 2 : length < 65_536 ? 4 : 10);
  header.writeUInt8(128 | code, 0);
  header.writeUInt8(128 | (length < 126 ? length : length < 65_536 ? 126 : 127), 1);
  if (header.length === 4) header.writeUInt16BE(length, 2);
  if (header.length === 10) header.writeBigUInt64BE(BigInt(length), 2);
  const mask = randomBytes(4);
  return Buffer.concat([header, mask, payload.map((byte, i) => byte ^ (mask[i % 4] ?? 0))]);
}
