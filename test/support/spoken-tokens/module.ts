/**
 * Makes a provider for `COCHLEA_TEST_PROVIDERS` that reads tokens in speech and answers them as words. With
 * `COCHLEA_TOKENS=everything` it takes all audio, otherwise utterances. Answers come after a random time.
 */
import { readTokens } from '../../../bench/oracle/token-code.js';
import { wordOf } from '../../../bench/oracle/token-words.js';
import type {
  AudioStream,
  Provider,
  StreamRequest,
  UtteranceRequest,
  UtteranceResult,
  UtteranceStream,
} from '../../../src/stt/shared/provider.js';

const name = 'provider_a';
const rate = 16_000;
/** Longest time in ms until an answer. */
const slowest = 600;
/** Number of samples behind a token after which its word is final. */
const pause = 4800;
/** Number of samples in which a token is searched. It is longer than any burst with the pause behind it. */
const kept = 4 * rate;

const later = (): Promise<void> =>
  new Promise((resolve) => {
    setTimeout(resolve, Math.random() * slowest);
  });

const utterances = (): UtteranceStream => {
  const pending = new Set<Promise<unknown>>();
  const answer = async ({ id, pcm }: UtteranceRequest): Promise<UtteranceResult> => {
    const spoken = readTokens(pcm).filter(({ isAnchored }) => isAnchored);
    await later();
    const text = spoken.map(({ token }) => wordOf(token)).join(' ');
    const outcome = text === '' ? 'expected_silence' : 'success';
    return { id, outcome, text, provider: name, waited: 0, decoded: 0 };
  };
  return {
    transcribe: (request) => {
      const result = answer(request);
      pending.add(result);
      void result.finally(() => pending.delete(result));
      return result;
    },
    finish: async () => void (await Promise.all(pending)),
  };
};

const everything = ({ emit }: StreamRequest): AudioStream => {
  const told = new Set<number>();
  let recent = new Int16Array();
  /** Number of samples before `recent`. */
  let before = 0;
  let isClosed = false;
  /** Ends when all words are emitted. They keep their order. */
  let emitted = Promise.resolve();
  /** Tells the tokens of all bursts that end before a position. */
  const tell = (settled: number): void => {
    for (const { token, from, to, isAnchored } of readTokens(recent)) {
      if (!isAnchored || told.has(token) || before + to > settled) continue;
      told.add(token);
      const [start, end] = [(before + from) / rate, (before + to) / rate];
      emitted = emitted.then(later).then(() => {
        if (!isClosed) emit({ kind: 'final', text: wordOf(token), start, end });
      });
    }
  };
  return {
    send: (pcm) => {
      const joined = new Int16Array(recent.length + pcm.length);
      joined.set(recent);
      joined.set(pcm, recent.length);
      tell(before + joined.length - pause);
      const surplus = Math.max(0, joined.length - kept);
      recent = joined.subarray(surplus);
      before += surplus;
      return true;
    },
    finish: async () => {
      tell(before + recent.length);
      await emitted;
      return true;
    },
    close: () => {
      isClosed = true;
    },
  };
};

export const providers = (): Provider[] => {
  const audio = process.env.COCHLEA_TOKENS === 'everything' ? 'everything' : 'utterances';
  return [
    {
      name,
      capabilities: { audio, supports: () => true, diarizes: false, interim: true, wordTimes: false },
      connect: async (request) => (audio === 'everything' ? everything(request) : utterances()),
    },
  ];
};
