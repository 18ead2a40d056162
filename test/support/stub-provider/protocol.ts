/**
 * The protocol between the stub of a provider and its client, over a Unix socket. A message has a header of four bytes
 * and a body. The header has the body's length in three bytes, least significant first, and then the kind in one byte.
 * The client sends `hello` and waits for `ready`. Then the client sends audio, mono 16 kHz, and finally `finish`. The
 * stub answers `finish` with `done`.
 */
export const MessageKind = { json: 0, audio: 1 } as const;

export type FromClient =
  | { readonly type: 'hello'; readonly id: string; readonly user: string; readonly language: string }
  | { readonly type: 'finish' }
  /** Requests the journal instead of starting a stream. */
  | { readonly type: 'journal' };

export interface StubWords {
  readonly text: string;
  /** Start of the words in the received audio, in seconds. */
  readonly start: number;
  /** End of the words in the received audio, in seconds. */
  readonly end: number;
  /** Number of the speaker, 0 or 1, derived from the number of the voice. */
  readonly speaker?: number;
}

export type FromServer =
  | { readonly type: 'ready' | 'done' }
  | ({ readonly type: 'interim' | 'final' } & StubWords)
  | { readonly type: 'error'; readonly reason: 'quota' | 'capacity' | 'server' };

/** Data that a stream sent to the stub, and the words that the stub returned. */
export interface StubRecord {
  readonly id: string;
  readonly user: string;
  readonly language: string;
  /** Number of samples received. */
  samples: number;
  /** Number of received samples that are not silence. */
  spoken: number;
  readonly finals: StubWords[];
  finished: boolean;
}

/** Faults of the stub. A stream of a user named `fault-NAME` gets the fault NAME; other users are served normally. */
export const faults = [
  'refuse',
  'stall-connect',
  'quota-at-once',
  'quota',
  'stall',
  'garbage',
  'half-close',
  'slow-reader',
  'no-done',
  'duplicate-finals',
  'late-finals',
] as const;
export type Fault = (typeof faults)[number];

const headerLength = 4;

export const encode = (kind: number, body: Uint8Array): Buffer => {
  const message = Buffer.allocUnsafe(headerLength + body.length);
  message.writeUInt32LE(body.length | (kind << 24));
  message.set(body, headerLength);
  return message;
};

export const encodeJson = (value: FromClient | FromServer | readonly StubRecord[]): Buffer =>
  encode(MessageKind.json, Buffer.from(JSON.stringify(value)));

/** Splits a socket's bytes into messages. */
export class MessageReader {
  readonly #take: (kind: number, body: Buffer) => void;
  #rest: Buffer = Buffer.alloc(0);

  constructor(take: (kind: number, body: Buffer) => void) {
    this.#take = take;
  }

  read(bytes: Buffer): void {
    let data: Buffer = this.#rest.length === 0 ? bytes : Buffer.concat([this.#rest, bytes]);
    while (data.length >= headerLength) {
      const header = data.readUInt32LE();
      const end = headerLength + (header & 0xffffff);
      if (data.length < end) break;
      const body = data.subarray(headerLength, end);
      data = data.subarray(end);
      this.#take(header >>> 24, body);
    }
    this.#rest = data;
  }
}
