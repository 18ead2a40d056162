import { z } from 'zod';
import { modelSteps, parseStepModels } from '../lists/index.js';
import { integer, parsedText, type Setting, setting, text, textLike } from './setting.js';

/** Settings of the language model that writes summaries, memories and tasks of conversations. */
export const languageModelSettings = {
  llmBaseUrl: setting(
    'LLM_BASE_URL',
    textLike(/^$|^https?:\/\/[^\s@]+$/, 'must look like https://host/v1, without user and password'),
    'Address of a server with the OpenAI protocol, including the version (http://127.0.0.1:11434/v1). Empty: no language model; the built-in implementation performs every step. See docs/models.md.',
  ),
  llmApiKey: setting('LLM_API_KEY', text(''), 'Key for the server of LLM_BASE_URL; empty if it needs none.', {
    secret: true,
  }),
  llmApiKeyFile: setting(
    'LLM_API_KEY_FILE',
    text(''),
    'File that holds the key instead of LLM_API_KEY; it is read at the start.',
  ),
  llmModel: setting('LLM_MODEL', text(''), 'Name of the model; required with LLM_BASE_URL.'),
  llmStepModels: setting(
    'LLM_STEP_MODELS',
    parsedText(parseStepModels),
    `Other models for single steps, as structure=NAME,folder=NAME. Steps: ${modelSteps.join(', ')}. Images are described only with a model for photo, which must accept images.`,
  ),
  llmJson: setting(
    'LLM_JSON',
    z.enum(['schema', 'object', 'text']).default('schema'),
    'How the server is asked for JSON: schema (the server enforces a schema), object (any JSON object), text (only the prompt asks for JSON). The answer is always checked.',
  ),
  llmTimeout: setting(
    'LLM_TIMEOUT',
    integer(60_000, 100, 900_000),
    'Timeout of a request to the model, including its retries. After the timeout, the job is repeated.',
    { unit: 'ms' },
  ),
  llmRetries: setting(
    'LLM_RETRIES',
    integer(2, 0, 10),
    'Maximum number of retries of a request after a temporary refusal of the server, within LLM_TIMEOUT. Later, the job repeats the request.',
  ),
  llmConcurrency: setting(
    'LLM_CONCURRENCY',
    integer(4, 1, 64),
    'Maximum number of requests to the model that a sidecar sends at once. Twice as many conversation jobs of each kind run at once; further jobs wait.',
  ),
  llmInput: setting(
    'LLM_INPUT',
    integer(48_000, 1000, 2_000_000),
    'Maximum characters of a transcript that are sent. A longer transcript is reduced to its start and end.',
  ),
  llmDailyTokens: setting(
    'LLM_DAILY_TOKENS',
    integer(1_000_000, 0, 1_000_000_000),
    'Maximum number of tokens that a user can use in a day (UTC), in requests to the language model and in answers. Beyond it, the built-in implementation performs the steps. 0: no limit.',
    {
      protects: "the operator's bill, and the model's time for other users",
      client: 'nothing; `generated_by` shows that the built-in implementation wrote the text',
    },
  ),
} as const satisfies Record<string, Setting>;
