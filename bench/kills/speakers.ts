import { setMaxListeners } from 'node:events';
import { setTimeout as pause } from 'node:timers/promises';
import { loadSettings } from '../../src/config/load-settings.js';
import { issueIdToken } from '../../src/identity/token-issuer.js';
import { createUser } from '../../src/identity/users.js';
import { onConnection } from '../../src/store/client/index.js';
import type { LaptopFleet } from '../laptop/index.js';
import type { ResendRule } from '../oracle/resend-rules.js';
import { speechBursts } from '../oracle/speech-bursts.js';
import { SpokenTimeline } from '../oracle/spoken-timeline.js';
import { TokenSpeaker } from '../oracle/token-speaker.js';

/**
 * Shortest and longest silence before each word, in ms. While the transcription service requests it, utterances end
 * only after the long silence (`VAD_LONG_SILENCE`, 1200 ms). Even the shortest silence here is longer.
 */
const silence = [1600, 3200] as const;
/** Seconds of silence that end a conversation. No fault lasts as long. */
const conversationTimeout = 600;

export interface SpeakersOptions {
  readonly count: number;
  readonly seed: number;
  /** Longest pause before a reconnect, in ms. Default: that of the protocol, 30 s. */
  readonly longestPause?: number;
  /** Creates the rule that decides which audio a wearable sends again. */
  readonly rule: (uid: string) => ResendRule;
}

/** Creates an account and a wearable for each user. A wearable connects to the balancer when it is started. */
export const makeSpeakers = async (
  fleet: LaptopFleet,
  { count, seed, rule, longestPause }: SpeakersOptions,
): Promise<TokenSpeaker[]> => {
  const bursts = await speechBursts();
  const settings = loadSettings({ ...fleet.settings }).values;
  const speakers: TokenSpeaker[] = [];
  await onConnection(fleet.settings.DATABASE_URL!, { name: 'oracle' }, async (sql) => {
    for (let wearable = 0; wearable < count; wearable++) {
      const uid = `wearable-${wearable}`;
      await createUser(sql, { uid });
      const token = await issueIdToken(sql, settings, uid);
      const timeline = new SpokenTimeline({ wearable, bursts, silence, seed });
      const stream = { url: fleet.url, token, conversationTimeout };
      speakers.push(
        new TokenSpeaker({
          wearable,
          uid,
          stream,
          timeline,
          rule: rule(uid),
          seed,
          ...(longestPause && { longestPause }),
        }),
      );
    }
  });
  return speakers;
};

export interface Crowd {
  /** Ends the speech. Resolves when every word is acknowledged, or after `timeout` ms. */
  finish(timeout: number): Promise<void>;
  /** Ends all streams at once. */
  abort(): void;
}

/** Starts the wearables one after the other, within some ms. */
export const startCrowd = (speakers: readonly TokenSpeaker[], ramp: number): Crowd => {
  const silent = new AbortController();
  const ended = new AbortController();
  // Every wearable waits for these signals.
  for (const { signal } of [silent, ended]) setMaxListeners(0, signal);
  const running = speakers.map(async (speaker, index) => {
    await pause((index * ramp) / speakers.length);
    await speaker.run(silent.signal, ended.signal);
  });
  return {
    finish: async (timeout) => {
      silent.abort();
      const timer = setTimeout(() => ended.abort(), timeout);
      await Promise.all(running);
      clearTimeout(timer);
    },
    abort: () => ended.abort(),
  };
};
