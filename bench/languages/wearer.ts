import { realClock } from '../../src/app/wearable/pace.js';
import { Wearable } from '../../src/app/wearable/wearable.js';
import type { Loop } from './loop.js';

/** Maximum ms until a new stream is ready. */
const readiness = 60_000;
/** Seconds of silence that end a conversation. */
const conversationTimeout = 60;

/** The result of one stream. */
export interface Worn {
  /** Id of the stream in the engine's log. */
  readonly stream: string;
  /** Wall-clock time of the first sample, in ms. */
  readonly began: number;
  /** Ms of audio that the stream has sent. */
  readonly sent: number;
  /** Close code and reason, if the server closed the stream. */
  readonly closed: string | undefined;
}

export interface WearerOptions {
  readonly url: string;
  readonly uid: string;
  readonly language: string;
  readonly loop: Loop;
  /** How many times the stream sends the loop. */
  readonly rounds: number;
  readonly signal: AbortSignal;
}

/** Sends a loop several times in real time, as one stream. */
export const wear = async ({ url, uid, language, loop, rounds, signal }: WearerOptions): Promise<Worn> => {
  const wearable = await Wearable.connect({
    url,
    uid,
    codec: 'opus_fs320',
    rate: 16_000,
    language,
    conversationTimeout,
    connectTimeout: 60_000,
  });
  const stop = (): void => void wearable.close();
  signal.addEventListener('abort', stop, { once: true });
  await wearable.waitFor(({ type, status }) => type === 'service_status' && status === 'ready', readiness);
  const frames = Array.from({ length: rounds }, () => loop.frames).flat();
  let sent = 0;
  const start = await wearable.send(frames, 1, ({ duration }) => {
    sent += duration;
  });
  const closed = wearable.isClosed ? await wearable.closed : undefined;
  await wearable.close();
  signal.removeEventListener('abort', stop);
  const session = wearable.events.find(({ type }) => type === 'conversation_session');
  return {
    stream: String(session?.recording_session_id),
    began: start + Date.now() - realClock.now(),
    sent,
    closed: closed && `${closed.code} ${closed.reason}`,
  };
};
