import type { WebSocket } from 'ws';

/** Names of the hosted services that have a stub. */
export type HostedName = 'provider_a' | 'provider_b' | 'deepgram';

/** Words with their position in the received audio, in seconds. */
export interface StubWords {
  readonly text: string;
  readonly start: number;
  readonly end: number;
}

/** The parts of a service's protocol that its stub needs. */
export interface StubProtocol {
  readonly path: string;
  /** First message of a stream; undefined if the service sends none. */
  readonly hello?: string;
  /** Returns the message with provisional words; undefined if the service sends none. */
  readonly interim?: (words: StubWords) => string;
  readonly final: (words: StubWords, number: number) => string;
  readonly isEnding: (text: string) => boolean;
  readonly finish: (socket: WebSocket, seconds: number) => void;
  /** Reports in mid-stream that the account's quota is used up. */
  readonly quota: (socket: WebSocket) => void;
  /**
   * HTTP status with which the service refuses an upgrade when the quota is used up; undefined if it accepts the
   * upgrade.
   */
  readonly quotaStatus?: number;
}

const json = (value: unknown): string => JSON.stringify(value);

/** Returns a message of Deepgram, which sends times for each word. Here all words of a message are equally long. */
const deepgramResults = ({ text, start, end }: StubWords, isFinal: boolean): string =>
  json({
    type: 'Results',
    channel_index: [0, 1],
    start,
    duration: end - start,
    is_final: isFinal,
    speech_final: isFinal,
    channel: {
      alternatives: [
        {
          transcript: text,
          confidence: 0.9,
          words: text
            .split(' ')
            .map((word) => ({ word: word.toLowerCase(), punctuated_word: word, start, end, speaker: 0 })),
        },
      ],
    },
  });

export const stubProtocols: Readonly<Record<HostedName, StubProtocol>> = {
  provider_a: {
    path: '/v3/stream',
    hello: json({ type: 'ready' }),
    final: ({ text, start, end }, number) =>
      json({
        id: `segment-${number}`,
        text,
        speaker: 'SPEAKER_00',
        start,
        end,
        is_user: false,
        person_id: null,
      }),
    isEnding: (text) => text === 'finalize',
    finish: (socket) => socket.close(1000),
    quota: (socket) => socket.close(1013, 'capacity_full'),
  },
  provider_b: {
    path: '/api/velma-2-stt-streaming',
    interim: ({ text, start }) =>
      json({ type: 'partial_utterance', partial_utterance: { text, start_ms: start * 1000, speaker: 1 } }),
    final: ({ text, start, end }, number) =>
      json({
        type: 'utterance',
        utterance: {
          utterance_uuid: `utterance-${number}`,
          text,
          start_ms: start * 1000,
          duration_ms: (end - start) * 1000,
          speaker: 1,
          language: 'en',
        },
      }),
    isEnding: (text) => text === '',
    finish: (socket, seconds) => socket.send(json({ type: 'done', duration_ms: seconds * 1000 })),
    quota: (socket) => socket.send(json({ type: 'error', error: 'Monthly usage limit reached for key abc' })),
  },
  deepgram: {
    path: '/v1/listen',
    interim: (words) => deepgramResults(words, false),
    final: (words) => deepgramResults(words, true),
    isEnding: (text) => text === '{"type":"CloseStream"}',
    finish: (socket, seconds) => {
      socket.send(json({ type: 'Metadata', duration: seconds, channels: 1 }));
      socket.close(1000);
    },
    quota: (socket) => socket.close(1008, 'DATA-0000'),
    quotaStatus: 402,
  },
};
