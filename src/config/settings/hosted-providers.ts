import { z } from 'zod';
import { flag, integer, list, type Setting, setting, text } from './setting.js';

/**
 * Pattern of the hosts of Deepgram's cloud. These hosts are refused, because only Deepgram servers on the operator's
 * machines are supported.
 */
const cloud = /(^|\.)deepgram\.com\.?$/i;

/** Returns the schema of a service address, empty by default. */
const address = (fallback = '') =>
  z
    .string()
    .regex(
      /^$|^(https?|wss?):\/\/[^\s@?#]+$/,
      'must look like wss://HOST or https://HOST, without user, password and query',
    )
    .refine((value) => value === '' || URL.canParse(value), 'is not an address')
    .default(fallback);

const languageList = (fallback: string) =>
  list(fallback).transform((codes) => codes.map((code) => code.toLowerCase()));

/**
 * Settings of providers that are reached over the network. A provider is used if it is configured and
 * `STT_SERVICE_MODELS` contains its name.
 */
export const hostedProvidersSettings = {
  providerBKey: setting(
    'MODULATE_API_KEY',
    text(''),
    'Key of provider_b (Modulate Velma-2 streaming); empty: the provider is not used.',
    {
      secret: true,
    },
  ),
  providerBKeyFile: setting(
    'MODULATE_API_KEY_FILE',
    text(''),
    'File that holds the key instead of MODULATE_API_KEY; it is read when a shard starts.',
  ),
  providerBUrl: setting(
    'MODULATE_API_URL',
    address('wss://modulate-developer-apis.com/api/velma-2-stt-streaming'),
    'Address of provider_b. The key is part of the requested address, so only TLS is accepted, except on loopback.',
  ),
  providerBBatchUrl: setting(
    'MODULATE_BATCH_URL',
    address('https://modulate-developer-apis.com/api/velma-2-stt-batch'),
    'Address of provider_b for voice messages. The key is sent with the audio, so only TLS is accepted, except on loopback.',
  ),
  providerAUrl: setting(
    'HOSTED_PARAKEET_API_URL',
    address(),
    'Base address of provider_a (Parakeet), to which v3/stream is added; empty: the provider is not used.',
  ),
  providerALanguages: setting(
    'HOSTED_PARAKEET_LANGUAGES',
    languageList('en'),
    "Languages of provider_a's model, separated by commas.",
  ),
  providerABatchLanguages: setting(
    'HOSTED_PARAKEET_BATCH_LANGUAGES',
    languageList('multi,bg,hr,cs,da,nl,en,et,fi,fr,de,el,hu,it,lt,lv,mt,pl,pt,ro,ru,sk,sl,es,sv,uk'),
    "Languages of provider_a's model for whole files (v1/transcribe), separated by commas. Voice messages use this model.",
  ),
  deepgramEnabled: setting(
    'DEEPGRAM_SELF_HOSTED_ENABLED',
    flag,
    'true: a self-hosted Deepgram instance may serve streams. With an address of the Deepgram cloud, the start is refused.',
  ),
  deepgramUrl: setting(
    'DEEPGRAM_SELF_HOSTED_URL',
    address().refine(
      (value) => value === '' || !cloud.test(new URL(value).hostname),
      "is Deepgram's own cloud, which is not supported; use a self-hosted instance",
    ),
    'Base address of the Deepgram instance, to which v1/listen is added.',
  ),
  deepgramKey: setting(
    'DEEPGRAM_SELF_HOSTED_KEY',
    text(''),
    'Key for the Deepgram instance; empty if it needs none.',
    {
      secret: true,
    },
  ),
  deepgramKeyFile: setting(
    'DEEPGRAM_SELF_HOSTED_KEY_FILE',
    text(''),
    'File that holds the key instead of DEEPGRAM_SELF_HOSTED_KEY; it is read when a shard starts.',
  ),
  deepgramModel: setting(
    'DEEPGRAM_SELF_HOSTED_MODEL',
    text('nova-3'),
    'Model requested from the Deepgram instance.',
  ),
  deepgramLanguages: setting(
    'DEEPGRAM_SELF_HOSTED_LANGUAGES',
    languageList('multi,en,es,fr,de,hi,ru,pt,ja,it,nl'),
    'Languages of the Deepgram model, separated by commas; multi: the model detects the language.',
  ),
  providerQueue: setting(
    'STT_PROVIDER_QUEUE',
    integer(10_000, 500, 120_000),
    'Maximum duration of audio of one stream that waits to be sent to a provider over the network. Speech beyond it is retained.',
    {
      unit: 'ms',
      protects: 'memory of the engine, when a provider reads slowly',
      client: 'nothing at once; the words of retained audio do not arrive live',
    },
  ),
} as const satisfies Record<string, Setting>;
