import protobuf from 'protobufjs';

/**
 * Messages between the local transcription service and its clients, as protobuf. Field numbers are never reused. Each
 * side first sends its protocol version, in a message whose format never changes. So incompatible releases disconnect
 * at once.
 */

/** Protocol version. A change that an earlier release would misread increments this version. */
export const transcriptionProtocol = 2;

/** The first message that a client and the service send each other. */
export interface TranscriptionGreeting {
  readonly protocol: number;
  /** Package version, for error messages. */
  readonly release: string;
  /** Names of the speech models, separated by commas; empty from a client that accepts any model. */
  readonly model: string;
}

export interface TranscribeMessage {
  readonly kind: 'transcribe';
  /** Id of the request, unique among the unanswered requests of this connection. */
  readonly id: number;
  readonly user: string;
  readonly stream: string;
  readonly language: string;
  /** Index of the request's priority in the list of priorities, from 0. */
  readonly priority: number;
  /** Audio as samples of 16 bits, little-endian, mono, 16 kHz. */
  readonly pcm: Uint8Array;
  /**
   * Id of an earlier request of this connection for the same speech; 0 if there is none. If the earlier request is
   * being decoded, both requests get its result. If it is still queued, it is cancelled.
   */
  readonly instead: number;
  /**
   * Languages that the speaker may use, as base codes, the most probable language first. With several languages, the
   * audio is decoded by a model that can distinguish them. Empty: only `language`.
   */
  readonly languages: readonly string[];
  /** Whether the words of an interim request become final when no speech follows. */
  readonly settles: boolean;
  /** Custom words that the speaker may use; see `UtteranceRequest`. */
  readonly keywords: readonly string[];
  /** Mean speech probability of the audio, as computed by the detector; 0 if unknown. */
  readonly detected: number;
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
  /** Time in the queue in ms. */
  readonly waited: number;
  readonly decoded: number;
  /** Whether the request exceeded a bound and was refused. */
  readonly full: boolean;
  /** Reason for a missing text, in one word; empty if the audio was decoded. */
  readonly reason: string;
  /**
   * Times of the words in ms, as one flat list: start and end of the first word, of the second word, and so on. Empty
   * if unknown.
   */
  readonly times: readonly number[];
  /** Whether the model repeated the same words in a loop, and the repetitions were removed. */
  readonly looped: boolean;
  /** Code of the language in which the audio was decoded; empty if unknown. */
  readonly language: string;
  /**
   * Codes of possible languages. `probabilities` contains the probability of each, in the same order. Both are empty if
   * unknown.
   */
  readonly languages: readonly string[];
  readonly probabilities: readonly number[];
  /** Name of the model that decoded the audio; empty if none did. */
  readonly model: string;
}

export interface StatusMessage {
  readonly kind: 'status';
  readonly state: string;
  /** Expected wait in ms of a live utterance that arrives now, if its user has no waiting utterances. */
  readonly wait: number;
  /** Age in ms of the oldest waiting request of each priority. */
  readonly lags: readonly number[];
  /** Length of the waiting speech in ms. `users` is the number of users with waiting speech. */
  readonly queued: number;
  readonly users: number;
  /** Number of restarts of decoding processes since the start of the service. */
  readonly restarts: number;
  readonly repeats: number;
  /** Process id of one of the decoding processes; 0 if there is none. */
  readonly decoder: number;
  /** Number of decoding processes that accept utterances. */
  readonly decoders: number;
  /** Whether engines should end utterances only after the long silence of the setting `VAD_LONG_SILENCE`. */
  readonly longSilence: boolean;
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
        languages: field('string', 8, 'repeated'),
        settles: field('bool', 9),
        keywords: field('string', 10, 'repeated'),
        detected: field('float', 20),
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
        language: field('string', 10),
        languages: field('string', 11, 'repeated'),
        probabilities: field('float', 12, 'repeated'),
        model: field('string', 13),
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
        longSilence: field('bool', 10),
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
  /** Decodes a message. @throws Error if the bytes are not a message of this direction. */
  decode: (bytes: Uint8Array): Message => {
    // Omitted fields get their defaults. Audio bytes share the memory of the message.
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
