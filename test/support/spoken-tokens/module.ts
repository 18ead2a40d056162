/**
 * Makes a provider for `COCHLEA_TEST_PROVIDERS`. It finds the tokens in speech, which are coded as bursts of sound, and
 * returns a word for each of them. With `COCHLEA_TOKENS=everything` the provider receives all audio, otherwise
 * utterances. Answers come after a random time.
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
/** Number of samples after a token's burst that make the token final. */
const pause = 4800;
/**
 * Number of latest samples that are searched for tokens. The longest burst fits into them together with the pause that
 * follows it.
 */
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
  /** Number of received samples that `recent` no longer contains. */
  let before = 0;
  let isClosed = false;
  /** Resolves when all words are emitted. Words keep their order. */
  let emitted = Promise.resolve();
  /** Emits the words of all bursts that end before a position. */
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
