import { z } from 'zod';
import { flag, integer, list, type Setting, setting, text } from './setting.js';

/** Hosts of Deepgram's own cloud, which is not used: only an instance on the operator's machines is. */
const cloud = /(^|\.)deepgram\.com\.?$/i;

/** An address of a service, empty by default. */
const address = (fallback = '') =>
  z
    .string()
    .regex(
      /^$|^(https?|wss?):\/\/[^\s@?#]+$/,
      'must look like wss://HOST or https://HOST, without user, password and query',
    )
    .refine((value) => value === '' || URL.canParse(value), 'is no address')
    .default(fallback);

const languageList = (fallback: string) =>
  list(fallback).transform((codes) => codes.map((code) => code.toLowerCase()));

/** Providers that are reached over the network. Each is used where it is set up and `STT_SERVICE_MODELS` names it. */
export const hostedProvidersSettings = {
  providerBKey: setting(
    'MODULATE_API_KEY',
    text(''),
    'Key of provider_b (Modulate Velma-2 streaming); empty: it is not used.',
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
    'Address of provider_b. Its key is a part of the address that is asked for, so only TLS is taken, except on loopback.',
  ),
  providerBBatchUrl: setting(
    'MODULATE_BATCH_URL',
    address('https://modulate-developer-apis.com/api/velma-2-stt-batch'),
    'Address of provider_b for voice messages. Its key is sent with the audio, so only TLS is taken, except on loopback.',
  ),
  providerAUrl: setting(
    'HOSTED_PARAKEET_API_URL',
    address(),
    'Base address of provider_a (Parakeet, its path v3/stream is added); empty: it is not used.',
  ),
  providerALanguages: setting(
    'HOSTED_PARAKEET_LANGUAGES',
    languageList('en'),
    "Languages of provider_a's model, separated by commas.",
  ),
  providerABatchLanguages: setting(
    'HOSTED_PARAKEET_BATCH_LANGUAGES',
    languageList('multi,bg,hr,cs,da,nl,en,et,fi,fr,de,el,hu,it,lt,lv,mt,pl,pt,ro,ru,sk,sl,es,sv,uk'),
    "Languages of the model behind provider_a's route for whole files (v1/transcribe), which voice messages use, separated by commas.",
  ),
  deepgramEnabled: setting(
    'DEEPGRAM_SELF_HOSTED_ENABLED',
    flag,
    'true: streams may be served by a Deepgram instance of your own. An address of its cloud refuses the start.',
  ),
  deepgramUrl: setting(
    'DEEPGRAM_SELF_HOSTED_URL',
    address().refine(
      (value) => value === '' || !cloud.test(new URL(value).hostname),
      "is Deepgram's own cloud, which is not supported; name an instance of your own",
    ),
    'Base address of that instance (its path v1/listen is added).',
  ),
  deepgramKey: setting(
    'DEEPGRAM_SELF_HOSTED_KEY',
    text(''),
    'Key for that instance; empty where it needs none.',
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
    'Model that the instance is asked for.',
  ),
  deepgramLanguages: setting(
    'DEEPGRAM_SELF_HOSTED_LANGUAGES',
    languageList('multi,en,es,fr,de,hi,ru,pt,ja,it,nl'),
    'Languages of that model, separated by commas; multi: it finds out itself.',
  ),
  providerQueue: setting(
    'STT_PROVIDER_QUEUE',
    integer(10_000, 500, 120_000),
    'Audio of one stream that may wait to be sent to a provider over the network; speech of what has no place is retained.',
    {
      unit: 'ms',
      protects: 'memory of the engine, when a provider reads slowly',
      client: 'nothing at once; the words of retained audio do not arrive live',
    },
  ),
} as const satisfies Record<string, Setting>;
