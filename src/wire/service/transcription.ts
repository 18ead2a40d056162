import protobuf from 'protobufjs';

/**
 * Messages between the local transcription service and its clients, as protobuf. Field numbers are never reused. Each side names its
 * protocol first, in messages that keep their form for ever, so that two releases that would misread each other part at once.
 */

/** Raised by every change that the other side of an earlier release would misread. */
export const transcriptionProtocol = 1;

/** What each side says of itself first. */
export interface TranscriptionGreeting {
  readonly protocol: number;
  /** Version of the package, for the reader of an error. */
  readonly release: string;
  /** Name of the speech model; a client leaves it empty when it takes any. */
  readonly model: string;
}

export interface TranscribeMessage {
  readonly kind: 'transcribe';
  /** Unique among what this connection has outstanding. */
  readonly id: number;
  readonly user: string;
  readonly stream: string;
  readonly language: string;
  /** Place in the list of priorities, from 0. */
  readonly priority: number;
  /** Samples of 16 bits, little endian, mono, 16 kHz. */
  readonly pcm: Uint8Array;
  /**
   * Another request of this connection whose audio has the same speech: where it is being decoded, its words are the answer to both; where it
   * waits, it is given up. 0: none.
   */
  readonly instead: number;
}

export type ClientMessage =
  | ({ readonly kind: 'hello' } & TranscriptionGreeting)
  | TranscribeMessage
  | { readonly kind: 'cancel'; readonly id: number };

export interface ResultMessage {
  readonly kind: 'result';
  readonly id: number;
  readonly outcome: string;
  readonly text: string;
  /** Ms. */
  readonly waited: number;
  readonly decoded: number;
  /** The request is over a bound and was not taken. */
  readonly full: boolean;
  /** Why there is no text, in one word; empty when the audio was decoded. */
  readonly reason: string;
  /** Start and end (ms) of each word of the text, one after the other; empty when they are not known. */
  readonly times: readonly number[];
  /** The text repeated itself, and had its copies taken out. */
  readonly looped: boolean;
}

export interface StatusMessage {
  readonly kind: 'status';
  readonly state: string;
  /** Ms that a live utterance of another user would wait. */
  readonly wait: number;
  /** Ms since the oldest waiting request of each priority has come. */
  readonly lags: readonly number[];
  /** Ms of speech that waits, and users who have some. */
  readonly queued: number;
  readonly users: number;
  /** Since the service has started. */
  readonly restarts: number;
  readonly repeats: number;
  /** Id of a process that decodes; 0 while there is none. */
  readonly decoder: number;
  /** Processes that take utterances. */
  readonly decoders: number;
}

export type ServiceMessage =
  | ({ readonly kind: 'welcome' } & TranscriptionGreeting)
  | ({ readonly kind: 'refused'; readonly why: string } & TranscriptionGreeting)
  | ResultMessage
  | StatusMessage;

const field = (type: string, id: number, rule?: 'repeated') => ({ type, id, ...(rule ? { rule } : {}) });
const greeting = {
  protocol: field('uint32', 1),
  release: field('string', 2),
  model: field('string', 3),
};

const root = protobuf.Root.fromJSON({
  nested: {
    Hello: { fields: greeting },
    Transcribe: {
      fields: {
        id: field('uint32', 1),
        user: field('string', 2),
        stream: field('string', 3),
        language: field('string', 4),
        priority: field('uint32', 5),
        pcm: field('bytes', 6),
        instead: field('uint32', 7),
      },
    },
    Cancel: { fields: { id: field('uint32', 1) } },
    ClientMessage: {
      oneofs: { message: { oneof: ['hello', 'transcribe', 'cancel'] } },
      fields: {
        hello: field('Hello', 1),
        transcribe: field('Transcribe', 2),
        cancel: field('Cancel', 3),
      },
    },
    Welcome: { fields: greeting },
    Refused: { fields: { ...greeting, why: field('string', 4) } },
    Result: {
      fields: {
        id: field('uint32', 1),
        outcome: field('string', 2),
        text: field('string', 3),
        waited: field('double', 4),
        decoded: field('double', 5),
        full: field('bool', 6),
        reason: field('string', 7),
        times: field('uint32', 8, 'repeated'),
        looped: field('bool', 9),
      },
    },
    Status: {
      fields: {
        state: field('string', 1),
        wait: field('double', 2),
        lags: field('double', 3, 'repeated'),
        queued: field('double', 4),
        users: field('uint32', 5),
        restarts: field('uint32', 6),
        repeats: field('uint32', 7),
        decoder: field('uint32', 8),
        decoders: field('uint32', 9),
      },
    },
    ServiceMessage: {
      oneofs: { message: { oneof: ['welcome', 'refused', 'result', 'status'] } },
      fields: {
        welcome: field('Welcome', 1),
        refused: field('Refused', 2),
        result: field('Result', 3),
        status: field('Status', 4),
      },
    },
  },
});

type Plain = Record<string, unknown>;

const codec = <Message extends { readonly kind: string }>(type: protobuf.Type) => ({
  encode: ({ kind, ...fields }: Message): Uint8Array => type.encode({ [kind]: fields }).finish(),
  /** @throws Error when the bytes are no message of this direction. */
  decode: (bytes: Uint8Array): Message => {
    // Fields that were left out have their defaults; the bytes of audio share the memory of the message.
    const { message: kind, ...one } = type.toObject(type.decode(bytes), {
      defaults: true,
      arrays: true,
      oneofs: true,
    }) as Plain & { message?: string };
    if (kind === undefined) throw new Error('a message of an unknown kind');
    return { kind, ...(one[kind] as Plain) } as unknown as Message;
  },
});

export const clientMessages = codec<ClientMessage>(root.lookupType('ClientMessage'));
export const serviceMessages = codec<ServiceMessage>(root.lookupType('ServiceMessage'));
