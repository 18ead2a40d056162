import { z } from 'zod';
import { integer, type Setting, setting } from './setting.js';

/** Settings of the search by meaning. */
export const searchSettings = {
  sentenceModel: setting(
    'SENTENCE_MODEL',
    z.enum(['minilm', 'none']).default('minilm'),
    'Model for search by meaning. It is fetched when the first record is stored. none: search compares words only.',
  ),
  searchCache: setting(
    'SEARCH_CACHE',
    integer(134_217_728, 1_048_576, 68_719_476_736),
    'Maximum memory of the sidecar for the vectors with which it searches records by meaning. A user with 10,000 memories takes 16 MB.',
    {
      unit: 'bytes',
      protects: 'memory of the sidecar',
      client: 'nothing; the next search reads the vectors of the user again',
    },
  ),
} as const satisfies Record<string, Setting>;
