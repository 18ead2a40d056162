import { z } from 'zod';
import { readKey, type Settings } from '../../config/index.js';
import { atLeast, type Provider, type ProviderWords, providerRate, streamAddress } from '../shared/index.js';
import { openAudioSocket, type SocketActions, type SocketProtocol } from './audio-socket.js';
import { baseLanguage } from './select-provider.js';

const moment = z.number().min(0);
const word = z.object({
  word: z.string(),
  punctuated_word: z.string().nullish(),
  start: moment,
  end: moment,
  speaker: z.number().int().min(0).max(10_000).nullish(),
});
type Word = z.output<typeof word>;
/**
 * Maximum number of words in one message, which covers some seconds of audio. The number is limited because each
 * word may become a segment.
 */
const mostWords = 1000;
const results = z.object({
  is_final: z.boolean(),
  start: moment,
  duration: moment,
  channel: z.object({
    alternatives: z.array(
      z.object({ transcript: z.string(), words: z.array(word).max(mostWords).nullish() }),
    ),
  }),
});
const message = z.looseObject({ type: z.string() });

/** Joins consecutive words of one speaker. */
const runsOf = (words: readonly Word[]): ProviderWords[] => {
  const runs: { text: string; start: number; end: number; speaker?: number }[] = [];
  for (const { word: plain, punctuated_word, start, end, speaker } of words) {
    const text = punctuated_word ?? plain;
    const run = runs.at(-1);
    if (run !== undefined && run.speaker === (speaker ?? undefined)) {
      run.text += ` ${text}`;
      run.end = atLeast(run.end, end);
    } else {
      runs.push({ text, start, end: atLeast(start, end), ...(speaker == null ? {} : { speaker }) });
    }
  }
  return runs;
};

/**
 * Protocol of Deepgram. After the end of the audio the service sends the remaining words and `Metadata`. A normal
 * close also means that all words were sent.
 */
const protocolOf = ({ die, done, emit }: SocketActions): SocketProtocol => {
  const told = (given: unknown): void => {
    const { channel, duration, is_final, start } = results.parse(given);
    const best = channel.alternatives[0];
    const all = { text: best?.transcript.trim() ?? '', start, end: start + duration };
    if (!is_final) {
      if (all.text !== '') emit({ kind: 'interim', ...all });
      return;
    }
    // A final result without words is emitted, too. It shows that the audio up to its end was processed.
    const runs = all.text === '' ? [] : runsOf(best?.words ?? []);
    for (const words of runs.length === 0 ? [all] : runs) emit({ kind: 'final', ...words });
  };
  return {
    servesWhenOpen: true,
    ending: '{"type":"CloseStream"}',
    endsByClosing: true,
    // Message that keeps the connection open. The server closes a connection after 10 s without audio or this
    // message.
    keepAlive: '{"type":"KeepAlive"}',
    read: (given) => {
      const { type } = message.parse(given);
      if (type === 'Results') told(given);
      else if (type === 'Metadata') done();
      else if (type === 'Error') die('provider_error');
    },
  };
};

/** Creates the provider for a self-hosted instance of Deepgram. The settings refuse the address of Deepgram's cloud. */
export const createDeepgram = (settings: Settings): Provider | null => {
  if (!settings.deepgramEnabled) return null;
  const key = readKey(settings.deepgramKey, settings.deepgramKeyFile);
  const addressOf = (language: string): URL => {
    const url = streamAddress(settings.deepgramUrl, 'v1/listen');
    const query = {
      model: settings.deepgramModel,
      language,
      encoding: 'linear16',
      sample_rate: String(providerRate),
      channels: '1',
      multichannel: 'false',
      punctuate: 'true',
      smart_format: 'true',
      profanity_filter: 'false',
      filler_words: String(language !== 'en'),
      diarize: 'true',
      interim_results: 'true',
      no_delay: 'true',
      endpointing: '300',
    };
    for (const [name, value] of Object.entries(query)) url.searchParams.set(name, value);
    return url;
  };
  const languages = new Set(settings.deepgramLanguages);
  return {
    name: 'deepgram',
    capabilities: {
      audio: 'gated',
      supports: (language) => languages.has(language),
      diarizes: true,
      interim: true,
      wordTimes: true,
    },
    connect: (request) => {
      const url = addressOf(baseLanguage(request.language));
      return openAudioSocket({
        url,
        headers: key === '' ? {} : { authorization: `Token ${key}` },
        settings,
        request,
        protocol: protocolOf,
      });
    },
  };
};
