import { z } from 'zod';
import { integer, type Setting, setting, text } from './setting.js';

/** Translation of what is said on streams that recognise any language. */
export const translationSettings = {
  translator: setting(
    'TRANSLATOR',
    z.enum(['off', 'llm', 'libretranslate']).default('off'),
    'Who translates what users say in other languages than their own, on streams with language=multi: llm (the language model of LLM_BASE_URL), libretranslate (LIBRETRANSLATE_URL), off (nothing is translated). See docs/models.md.',
  ),
  libretranslateUrl: setting(
    'LIBRETRANSLATE_URL',
    z
      .string()
      .regex(/^$|^https?:\/\/[^\s@?#]+$/, 'must look like https://host, without user, password and query')
      .refine((value) => value === '' || URL.canParse(value), 'is no address')
      .default(''),
    'Address of a server that speaks the protocol of LibreTranslate, without /translate (http://127.0.0.1:5000).',
  ),
  libretranslateKey: setting(
    'LIBRETRANSLATE_API_KEY',
    text(''),
    'Key for that server; empty where it needs none.',
    { secret: true },
  ),
  translationTimeout: setting(
    'TRANSLATION_TIMEOUT',
    integer(10_000, 100, 120_000),
    'Time that a translation may take, with its repetitions; then the segments stay without one.',
    { unit: 'ms' },
  ),
  translationConcurrency: setting(
    'TRANSLATION_CONCURRENCY',
    integer(4, 1, 64),
    'Translations that an engine process asks for at once; one for each user.',
  ),
  translationQueue: setting(
    'TRANSLATION_QUEUE',
    integer(2048, 16, 100_000),
    'Segments that may wait for their translation in an engine process.',
    {
      unit: 'segments',
      protects: 'the memory of the engine',
      client: 'the oldest segment of the user with most of them stays without a translation',
    },
  ),
  translationUserQueue: setting(
    'TRANSLATION_USER_QUEUE',
    integer(64, 1, 10_000),
    'Segments of one user that may wait for their translation.',
    {
      unit: 'segments',
      protects: "other users' turns, and the cost of translations",
      client: "the user's oldest segment stays without a translation",
    },
  ),
  translationCache: setting(
    'TRANSLATION_CACHE',
    integer(4_000_000, 0, 1_000_000_000),
    'Translated sentences that an engine process remembers, each for its user, so that a segment that grows costs its new sentences only.',
    { unit: 'characters' },
  ),
  translationEvent: setting(
    'TRANSLATION_EVENT',
    z.enum(['translation', 'translating']).default('translation'),
    'Type of the message with translations. translating, with whole segments in it, is what some older applications know.',
  ),
} as const satisfies Record<string, Setting>;
