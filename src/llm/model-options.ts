import { readKey, type Settings } from '../config/index.js';
import { type ModelStep, modelSteps, parseStepModels } from '../config/lists/index.js';

/** Address, key, models and limits of a language model. */
export interface ModelOptions {
  readonly baseUrl: string;
  /** Empty if the server needs none. */
  readonly key: string;
  readonly models: Readonly<Record<ModelStep, string>>;
  readonly json: Settings['llmJson'];
  /** Timeout of a question in ms, including its retries. */
  readonly timeout: number;
  readonly retries: number;
  readonly concurrency: number;
}

/**
 * The options of the configured language model; null when there is none.
 * @throws CochleaError `file_unreadable` for the file of the key.
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
