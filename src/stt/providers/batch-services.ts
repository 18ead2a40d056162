import { z } from 'zod';
import type { Settings } from '../../config/index.js';
import { readKey } from '../../config/process/index.js';
import type { ProviderName } from '../../wire/index.js';
import type { BatchService } from './batch-recogniser.js';
import { providerBLanguages } from './modulate-provider.js';

/** Characters of the text of one utterance, which is some seconds long. */
const longestText = 32_768;
const text = z.string().max(longestText);

const parakeetAnswer = z.object({ text });
/** Parakeet's batch route: a WAV file in, the text and its segments out. */
const parakeet = (settings: Settings): BatchService | null => {
  if (settings.providerAUrl === '') return null;
  const languages = new Set(settings.providerABatchLanguages);
  const base = settings.providerAUrl.replace(/^ws/, 'http').replace(/\/+$/, '');
  return {
    name: 'provider_a',
    model: 'parakeet',
    supports: (language) => languages.has(language),
    url: new URL(`${base}/v1/transcribe`),
    headers: {},
    field: 'file',
    fields: {},
    textOf: (answer) => parakeetAnswer.parse(answer).text,
  };
};

const velmaAnswer = z.object({ text });
/** Modulate's batch route. It finds the language itself; no speaker is asked for. */
const velma = (settings: Settings): BatchService | null => {
  const key = readKey(settings.providerBKey, settings.providerBKeyFile);
  if (key === '') return null;
  return {
    name: 'provider_b',
    model: 'velma-2',
    supports: (language) => providerBLanguages.has(language),
    url: new URL(settings.providerBBatchUrl.replace(/^ws/, 'http')),
    headers: { 'x-api-key': key },
    field: 'upload_file',
    fields: { speaker_diarization: 'false' },
    textOf: (answer) => velmaAnswer.parse(answer).text,
  };
};

/** What makes the batch route of each provider that has one. A Deepgram instance is used for streams only. */
const services: Readonly<Partial<Record<ProviderName, (settings: Settings) => BatchService | null>>> = {
  provider_a: parakeet,
  provider_b: velma,
};

/**
 * The batch route of a provider; null where it has none, or is not set up.
 * @throws CochleaError file_unreadable for the file of a key.
 */
export const batchServiceOf = (name: ProviderName, settings: Settings): BatchService | null =>
  services[name]?.(settings) ?? null;
