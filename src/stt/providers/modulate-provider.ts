import { z } from 'zod';
import { readKey, type Settings } from '../../config/index.js';
import { type DeathReason, type Provider, type ProviderWords, providerRate } from '../shared/index.js';
import { openAudioSocket, type SocketActions, type SocketProtocol } from './audio-socket.js';
import type { BatchService } from './batch-recogniser.js';
import { baseLanguage } from './select-provider.js';

/** Languages that the service accepts. With `multi` the service detects the language. */
const languages: ReadonlySet<string> = new Set(
  `multi en af sq ar az eu be bn bs bg ca zh hr cs da nl et fi fr gl de el gu he hi hu id it ja kn kk ko lv
  lt mk ms ml mr no fa pl pt pa ro ru sr sk sl es sw sv tl ta te th tr uk ur vi cy`.split(/\s+/),
);

/** Maximum number of interim results that are stored until their final words arrive. */
const mostPending = 64;

const moment = z.number().min(0);
const partial = z.object({
  text: z.string(),
  start_ms: moment.nullish(),
  utterance_uuid: z.string().max(200).nullish(),
});
const utterance = z.object({
  text: z.string(),
  start_ms: moment,
  duration_ms: moment,
  /** Number of the speaker, counted from 1. */
  speaker: z.number().int().min(1).max(10_000).nullish(),
  utterance_uuid: z.string().max(200).nullish(),
});
const done = z.looseObject({ duration_ms: moment.nullish() });
const failure = z.looseObject({ error: z.unknown().optional(), message: z.unknown().optional() });
const message = z.looseObject({ type: z.string() });

/** Maps the text of an error to a reason. The text itself is not passed on. */
const failureReasons: readonly (readonly [words: RegExp, reason: DeathReason])[] = [
  [/monthly usage limit|quota exceeded|usage limit reached/i, 'quota_exceeded'],
  [/concurrent request limit/i, 'capacity_full'],
  [/invalid api key/i, 'unusable'],
];

const reasonOfFailure = (given: unknown): DeathReason => {
  const { error, message: words } = failure.parse(given);
  const said = `${String(error)} ${String(words)}`;
  return failureReasons.find(([pattern]) => pattern.test(said))?.[1] ?? 'provider_error';
};

/**
 * Returns the content of a message. The content is either in the fields beside `type`, or in an object whose name is
 * the value of `type`.
 */
const contentOf = (given: z.output<typeof message>): unknown => given[given.type] ?? given;

/** Protocol of Modulate. An empty message ends the audio. The service answers it with `done`. */
const protocolOf = ({ die, done: finished, emit }: SocketActions): SocketProtocol => {
  /** Interim words whose final words have not arrived, by utterance. */
  const pending = new Map<string, ProviderWords>();
  const preview = (given: unknown): void => {
    const { text, start_ms, utterance_uuid } = partial.parse(given);
    const key = utterance_uuid ?? '';
    const start = (start_ms ?? 0) / 1000;
    pending.delete(key);
    if (text.trim() === '') return;
    const words = { text: text.trim(), start, end: start };
    if (pending.size >= mostPending) pending.delete(pending.keys().next().value!);
    pending.set(key, words);
    emit({ kind: 'interim', ...words });
  };
  const final = (given: unknown): void => {
    const { duration_ms, speaker, start_ms, text, utterance_uuid } = utterance.parse(given);
    pending.delete(utterance_uuid ?? '');
    emit({
      kind: 'final',
      text: text.trim(),
      start: start_ms / 1000,
      end: (start_ms + duration_ms) / 1000,
      speaker: (speaker ?? 1) - 1,
    });
  };
  /** Emits the remaining interim words as final words, because the service will send no more. */
  const end = (given: unknown): void => {
    const { duration_ms } = done.parse(given);
    for (const words of pending.values())
      emit({ kind: 'final', ...words, end: Math.max(words.end, (duration_ms ?? 0) / 1000) });
    pending.clear();
    finished();
  };
  return {
    servesWhenOpen: true,
    ending: '',
    endsByClosing: false,
    read: (given) => {
      const known = message.parse(given);
      if (known.type === 'partial_utterance') preview(contentOf(known));
      else if (known.type === 'utterance') final(contentOf(known));
      else if (known.type === 'done') end(contentOf(known));
      else if (known.type === 'error') die(reasonOfFailure(known));
    },
  };
};

/**
 * Creates the provider for Modulate's streaming service (Velma-2). The service itself detects the ends of sentences
 * and the speakers, so it gets all audio.
 */
export const createProviderB = (settings: Settings): Provider | null => {
  const key = readKey(settings.providerBKey, settings.providerBKeyFile);
  if (key === '') return null;
  const addressOf = (language: string): URL => {
    const url = new URL(settings.providerBUrl.replace(/^http/, 'ws'));
    const query = {
      api_key: key,
      speaker_diarization: 'true',
      partial_results: 'true',
      sample_rate: String(providerRate),
      audio_format: 's16le',
      num_channels: '1',
      ...(language === 'multi' ? {} : { language }),
    };
    for (const [name, value] of Object.entries(query)) url.searchParams.set(name, value);
    return url;
  };
  return {
    name: 'provider_b',
    capabilities: {
      audio: 'everything',
      supports: (language) => languages.has(language),
      diarizes: true,
      interim: true,
      wordTimes: false,
    },
    connect: (request) => {
      const url = addressOf(baseLanguage(request.language));
      return openAudioSocket({ url, settings, request, protocol: protocolOf });
    },
  };
};

/** Modulate's batch route. It detects the language itself. Speakers are not requested. */
export const batchProviderB = (settings: Settings): BatchService | null => {
  const key = readKey(settings.providerBKey, settings.providerBKeyFile);
  if (key === '') return null;
  return {
    name: 'provider_b',
    model: 'velma-2',
    supports: (language) => languages.has(language),
    url: new URL(settings.providerBBatchUrl.replace(/^ws/, 'http')),
    headers: { 'x-api-key': key },
    field: 'upload_file',
    fields: { speaker_diarization: 'false' },
  };
};
