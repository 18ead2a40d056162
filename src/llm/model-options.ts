import { readKey, type Settings } from '../config/index.js';
import { type ModelStep, modelSteps, parseStepModels } from '../config/lists/index.js';

/** Address, key, models and limits of a language model. */
export interface ModelOptions {
  readonly baseUrl: string;
  /** Key of the server. Empty if the server needs no key. */
  readonly key: string;
  readonly models: Readonly<Record<ModelStep, string>>;
  readonly json: Settings['llmJson'];
  /** Timeout of a question in ms, including its retries. */
  readonly timeout: number;
  readonly retries: number;
  readonly concurrency: number;
}

/**
 * Returns the options of the configured language model; null if none is configured.
 * @throws CochleaError `file_unreadable` if the file of the key cannot be read.
 */
export const modelOptions = (settings: Settings): ModelOptions | null => {
  if (settings.llmBaseUrl === '') return null;
  const own = parseStepModels(settings.llmStepModels);
  return {
    baseUrl: settings.llmBaseUrl.replace(/\/+$/, ''),
    key: readKey(settings.llmApiKey, settings.llmApiKeyFile),
    models: Object.fromEntries(
      modelSteps.map((step) => [step, own.get(step) ?? settings.llmModel]),
    ) as Record<ModelStep, string>,
    json: settings.llmJson,
    timeout: settings.llmTimeout,
    retries: settings.llmRetries,
    concurrency: settings.llmConcurrency,
  };
};
