import type { Settings } from '../config/index.js';
import { createLanguageModel, modelOptions } from '../llm/index.js';
import type { MetricsRow } from '../metrics/index.js';
import { tokenBudget } from '../service/rules/index.js';
import type { Sql } from '../store/client/index.js';
import { createLibreTranslator } from './libre-translator.js';
import { createModelTranslator } from './model-translator.js';
import type { Translator, TranslatorName } from './translator.js';

/**
 * Maximum number of retries of a question to the language model. There are few retries, because newer speech is more
 * important.
 */
const mostRetries = 1;

/** Creates a translator. The translator adds the tokens of the language model to `metrics`. */
type OpenTranslator = (settings: Settings, sql: Sql, metrics: MetricsRow) => Translator;

const openModel: OpenTranslator = (settings, sql, metrics) => {
  const { translationTimeout: timeout, translationConcurrency: concurrency } = settings;
  const options = modelOptions(settings)!;
  const retries = Math.min(mostRetries, options.retries);
  const { reserve, settle } = tokenBudget(sql, settings.llmDailyTokens);
  const budget = {
    reserve,
    settle: (uid: string, reserved: number, used: number): Promise<void> => {
      metrics.add('translation_tokens_total', used);
      return settle(uid, reserved, used);
    },
  };
  return createModelTranslator(
    createLanguageModel({ ...options, timeout, retries, concurrency }, { budget }),
  );
};

const openLibre: OpenTranslator = ({ libretranslateUrl: url, libretranslateKey: key, translationTimeout }) =>
  createLibreTranslator({ url, key, timeout: translationTimeout });

/**
 * Functions that create a translator, by the name of the translator in the setting `TRANSLATOR`.
 * @throws CochleaError `file_unreadable` when the file of the language model's key cannot be read.
 */
export const translators: Readonly<Record<TranslatorName, OpenTranslator>> = {
  llm: openModel,
  libretranslate: openLibre,
};
