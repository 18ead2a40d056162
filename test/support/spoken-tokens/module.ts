/**
 * Makes a provider for `COCHLEA_TEST_PROVIDERS` that reads tokens in speech and answers them as words. With
 * `COCHLEA_TOKENS=everything` it takes all audio, otherwise utterances. Answers come after a random time.
 */
import type {
  AudioStream,
  Provider,
  StreamRequest,
  UtteranceRequest,
  UtteranceResult,
  UtteranceStream,
} from '../../../src/stt/shared/provider.js';
import { TokenReader, textOf } from './tokens.js';

const name = 'provider_a';
const rate = 16_000;
/** Longest time in ms until an answer. */
const slowest = 600;
/** Number of samples without the token after which its words are final. */
const pause = 4800;

const later = (): Promise<void> =>
  new Promise((resolve) => {
    setTimeout(resolve, Math.random() * slowest);
  });

const utterances = (): UtteranceStream => {
  const pending = new Set<Promise<unknown>>();
  const answer = async ({ id, pcm }: UtteranceRequest): Promise<UtteranceResult> => {
    const tokens = new TokenReader().read(pcm).map(({ token }) => textOf(token));
    await later();
    const text = tokens.map((token) => `${token}.`).join(' ');
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
  const reader = new TokenReader();
  const told = new Set<number>();
  let position = 0;
  let isClosed = false;
  const tell = (settled: number): void => {
    for (const { token, start, end } of reader.read(new Int16Array())) {
      if (told.has(token) || end > settled) continue;
      told.add(token);
      emit({ kind: 'final', text: `${textOf(token)}.`, start: start / rate, end: end / rate });
    }
  };
  return {
    send: (pcm) => {
      reader.read(pcm);
      position += pcm.length;
      const settled = position - pause;
      void later().then(() => {
        if (!isClosed) tell(settled);
      });
      return true;
    },
    finish: async () => {
      tell(position);
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
