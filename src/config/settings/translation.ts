import { z } from 'zod';
import { integer, type Setting, setting, text } from './setting.js';

/** Settings of the translation of speech. */
export const translationSettings = {
  translator: setting(
    'TRANSLATOR',
    z.enum(['off', 'llm', 'libretranslate']).default('off'),
    "Translator of speech in other languages than the user's own, on streams with language=multi: llm (the language model of LLM_BASE_URL), libretranslate (LIBRETRANSLATE_URL), off (no translation). See docs/models.md.",
  ),
  libretranslateUrl: setting(
    'LIBRETRANSLATE_URL',
    z
      .string()
      .regex(/^$|^https?:\/\/[^\s@?#]+$/, 'must look like https://host, without user, password and query')
      .refine((value) => value === '' || URL.canParse(value), 'is not an address')
      .default(''),
    'Address of a server with the LibreTranslate protocol, without /translate (http://127.0.0.1:5000).',
  ),
  libretranslateKey: setting(
    'LIBRETRANSLATE_API_KEY',
    text(''),
    'Key for the server of LIBRETRANSLATE_URL; empty if it needs none.',
    { secret: true },
  ),
  translationTimeout: setting(
    'TRANSLATION_TIMEOUT',
    integer(10_000, 100, 120_000),
    'Timeout of a translation, including retries. After the timeout, the segments stay without a translation.',
    { unit: 'ms' },
  ),
  translationConcurrency: setting(
    'TRANSLATION_CONCURRENCY',
    integer(4, 1, 64),
    'Maximum number of translations that an engine process requests at once; at most one per user.',
  ),
  translationQueue: setting(
    'TRANSLATION_QUEUE',
    integer(2048, 16, 100_000),
    'Maximum number of segments that wait for translation in an engine process.',
    {
      unit: 'segments',
      protects: 'the memory of the engine',
      client: 'the oldest segment of the user with the most waiting segments stays without a translation',
    },
  ),
  translationUserQueue: setting(
    'TRANSLATION_USER_QUEUE',
    integer(64, 1, 10_000),
    'Maximum number of segments of one user that wait for translation.',
    {
      unit: 'segments',
      protects: "other users' turns, and the cost of translations",
      client: "the user's oldest segment stays without a translation",
    },
  ),
  translationCache: setting(
    'TRANSLATION_CACHE',
    integer(4_000_000, 0, 1_000_000_000),
    'Maximum number of characters of translated sentences that an engine process caches, separately for each user. For a growing segment, only new sentences are translated.',
    { unit: 'characters' },
  ),
  translationEvent: setting(
    'TRANSLATION_EVENT',
    z.enum(['translation', 'translating']).default('translation'),
    'Type of the message with translations. Some older applications need translating, which carries whole segments.',
  ),
} as const satisfies Record<string, Setting>;
