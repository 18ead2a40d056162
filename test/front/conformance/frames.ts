/** Makes client frames of RFC 6455, including invalid ones, and reads server frames. */
import { randomBytes } from 'node:crypto';

export const Opcode = { continuation: 0, text: 1, binary: 2, close: 8, ping: 9, pong: 10 } as const;

export interface FrameOptions {
  readonly opcode: number;
  readonly payload?: string | Uint8Array;
  readonly fin?: boolean;
  /** The three reserved bits as a number. */
  readonly reserved?: number;
  readonly masked?: boolean;
  /** Bytes of the extended length field: 0, 2, or 8. Default: the shortest that fits. */
  readonly lengthBytes?: 0 | 2 | 8;
  /** The length that the frame announces, if it differs from the payload's length. */
  readonly announced?: bigint;
}

const shortestLength = (length: number): 0 | 2 | 8 => {
  if (length < 126) return 0;
  return length < 65_536 ? 2 : 8;
};

export const frame = (options: FrameOptions): Buffer => {
  const { opcode, fin = true, reserved = 0, masked = true } = options;
  const payload = Buffer.from(options.payload ?? '');
  const length = options.announced ?? BigInt(payload.length);
  const lengthBytes = options.lengthBytes ?? shortestLength(Number(length));
  const maskBit = masked ? 0x80 : 0;
  const head = Buffer.alloc(2 + lengthBytes);
  head[0] = (fin ? 0x80 : 0) | (reserved << 4) | opcode;
  if (lengthBytes === 0) head[1] = maskBit | Number(length);
  else if (lengthBytes === 2) {
    head[1] = maskBit | 126;
    head.writeUInt16BE(Number(length), 2);
  } else {
    head[1] = maskBit | 127;
    head.writeBigUInt64BE(length, 2);
  }
  if (!masked) return Buffer.concat([head, payload]);
  const mask = randomBytes(4);
  const body = payload.map((byte, index) => byte ^ mask[index % 4]!);
  return Buffer.concat([head, mask, body]);
};

export const text = (payload: string | Uint8Array, rest: Partial<FrameOptions> = {}): Buffer =>
  frame({ opcode: Opcode.text, payload, ...rest });
export const binary = (bytes: number, rest: Partial<FrameOptions> = {}): Buffer =>
  frame({ opcode: Opcode.binary, payload: Buffer.alloc(bytes, 7), ...rest });
export const more = (payload: string | Uint8Array, fin = false): Buffer =>
  frame({ opcode: Opcode.continuation, payload, fin });
export const ping = (payload: string, rest: Partial<FrameOptions> = {}): Buffer =>
  frame({ opcode: Opcode.ping, payload, ...rest });

/** Returns a close frame with a code, followed by a reason. */
export const close = (code: number, reason: string | Uint8Array = ''): Buffer => {
  const head = Buffer.alloc(2);
  head.writeUInt16BE(code);
  return frame({ opcode: Opcode.close, payload: Buffer.concat([head, Buffer.from(reason)]) });
};

export interface ServerFrame {
  readonly opcode: number;
  readonly payload: Buffer;
}

/** Returns the complete frames that a server sent after its handshake. @throws Error for a frame that servers must not send. */
export const framesIn = (bytes: Buffer): ServerFrame[] => {
  const frames: ServerFrame[] = [];
  let at = 0;
  while (at + 2 <= bytes.length) {
    const first = bytes[at]!;
    const second = bytes[at + 1]!;
    if (second & 0x80) throw new Error('the server masks');
    if ((first & 0x70) !== 0) throw new Error('the server sets reserved bits');
    let length = second & 0x7f;
    let start = at + 2;
    if (length === 126 && start + 2 <= bytes.length) {
      length = bytes.readUInt16BE(start);
      start += 2;
    } else if (length === 127 && start + 8 <= bytes.length) {
      length = Number(bytes.readBigUInt64BE(start));
      start += 8;
    } else if (length > 125) break;
    if (start + length > bytes.length) break;
    frames.push({ opcode: first & 0x0f, payload: bytes.subarray(start, start + length) });
    at = start + length;
  }
  return frames;
};
