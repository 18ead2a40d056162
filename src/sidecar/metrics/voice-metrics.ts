import { Counter, Histogram, type Registry } from 'prom-client';

/** Counts the outcomes of voice messages. */
export interface VoiceMetrics {
  /**
   * Counts an attempt.
   * @param route the kind of the voice message.
   * @param outcome the `outcome` that the client gets, as listed in `docs/rest.md`.
   * @param provider name of the provider, or `unknown` if no provider was asked.
   * @param seconds from the request to the end of the attempt.
   */
  ended(route: VoiceRoute, outcome: string, provider: string, seconds: number): void;
}

export type VoiceRoute = 'voice_rest_pcm' | 'voice_rest_multipart' | 'voice_chat_sse' | 'voice_stream';

/** Histogram buckets in seconds. A short message takes one or two seconds, a long one minutes. */
const buckets = [0.1, 0.3, 1, 3, 10, 30, 100, 300];

export const createVoiceMetrics = (registry: Registry): VoiceMetrics => {
  const registers = [registry];
  const outcomes = new Counter({
    name: 'cochlea_voice_messages_total',
    help: 'Voice messages by outcome of their transcription. Messages refused for number or size are not counted.',
    labelNames: ['route', 'outcome', 'provider'],
    registers,
  });
  const seconds = new Histogram({
    name: 'cochlea_voice_message_seconds',
    help: 'Duration of voice messages from request to outcome.',
    labelNames: ['route'],
    buckets,
    registers,
  });
  return {
    ended(route, outcome, provider, time) {
      outcomes.inc({ route, outcome, provider });
      seconds.observe({ route }, time);
    },
  };
};
