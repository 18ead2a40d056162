import type { OpenAI } from 'openai';
import { endingFetch } from '../common/index.js';
import { CochleaError } from '../errors/index.js';
import type { ModelOptions } from './model-options.js';

/** A part of a message that may contain images: a text or an image. */
export type ContentPart =
  | { readonly type: 'text'; readonly text: string }
  | { readonly type: 'image_url'; readonly image_url: { readonly url: string } };

export interface ChatMessage {
  readonly role: 'system' | 'user' | 'assistant';
  /** A text, or a list of parts. Only a user's message may have parts. */
  readonly content: string | readonly ContentPart[];
}

export interface ChatRequest {
  readonly model: string;
  readonly messages: readonly ChatMessage[];
  /** Name and JSON schema of the answer. Absent: the answer is free text. */
  readonly schema?: { readonly name: string; readonly schema: Record<string, unknown> } | undefined;
  /** Maximum tokens of the answer, without the model's reasoning. */
  readonly answerTokens: number;
  /** Called with each part of the answer when it arrives. */
  readonly onText?: ((part: string) => void) | undefined;
}

export interface ChatAnswer {
  readonly text: string;
  /** Number of tokens that the server counted; null if the server does not report it. */
  readonly tokens: number | null;
}

/** Sends one request, without retries. Rejects with a CochleaError, or with the signal's reason. */
export type Chat = (request: ChatRequest, signal: AbortSignal) => Promise<ChatAnswer>;

/** Maximum tokens for a model's reasoning before its answer. */
const thinkingTokens = 4096;
/**
 * Maximum characters of a token on average. If an answer has more characters than its maximum number of tokens permits,
 * it is assumed to be endless.
 */
const charactersPerToken = 12;

/**
 * Loads the package openai with the first request. Many sidecars have no language model, and this package contains a
 * fifth of the modules that they would load.
 */
const library = () => import('openai');

/** Returns the seconds of a `Retry-After` header, which is a number or a date. Returns 1 if it is neither. */
const retryAfter = (headers: Headers | undefined): number => {
  const given = headers?.get('retry-after') ?? '';
  const seconds = /^\d+(\.\d+)?$/.test(given) ? Number(given) : (Date.parse(given) - Date.now()) / 1000;
  return Number.isFinite(seconds) ? Math.max(0, Math.ceil(seconds)) : 1;
};

/**
 * Returns the HTTP status of a failed request, or the code of an error inside the server's answer. Returns undefined if there is neither.
 */
const statusOf = async (error: unknown): Promise<number | undefined> => {
  const { APIConnectionError, APIError } = await library();
  if (!(error instanceof APIError) || error instanceof APIConnectionError) return undefined;
  if (error.status !== undefined) return error.status;
  const { code } = (error.error ?? {}) as { readonly code?: unknown };
  return typeof code === 'number' && code >= 400 && code < 600 ? code : 500;
};

/**
 * Returns the registry error for a failed request. Keeps only the kind of the error, because the error of the
 * package openai may quote the request with its transcript.
 */
const failureOf = async (error: unknown): Promise<CochleaError> => {
  const { APIConnectionError, APIError } = await library();
  if (error instanceof CochleaError) return error;
  const status = await statusOf(error);
  if (status === undefined) {
    const why = error instanceof SyntaxError ? 'its answer cannot be read' : 'the connection failed';
    // A server that was not reached did not use any tokens.
    return new CochleaError('llm_unavailable', { why, unanswered: error instanceof APIConnectionError });
  }
  if (status === 429) {
    return new CochleaError('llm_limited', {
      seconds: retryAfter((error as InstanceType<typeof APIError>).headers),
    });
  }
  if (status === 408 || status === 409 || status >= 500) {
    return new CochleaError('llm_unavailable', { why: `HTTP ${status}`, status });
  }
  return new CochleaError('llm_rejected', { status });
};

const responseFormat = (json: ModelOptions['json'], schema: ChatRequest['schema']) => {
  if (schema === undefined || json === 'text') return {};
  if (json === 'object') return { response_format: { type: 'json_object' as const } };
  return { response_format: { type: 'json_schema' as const, json_schema: { ...schema, strict: true } } };
};

/**
 * Creates the function that sends requests. It reads answers as a stream, so that an endless answer can be
 * stopped.
 *
 * The package openai reads settings from the environment and can log requests. All of these settings are set
 * or turned off here.
 */
export const createChat = (options: ModelOptions): Chat => {
  const connect = async () => {
    const { OpenAI } = await library();
    return new OpenAI({
      baseURL: options.baseUrl,
      // The package openai requires a non-empty key.
      apiKey: options.key || 'none',
      organization: null,
      project: null,
      webhookSecret: null,
      maxRetries: 0,
      timeout: options.timeout,
      logLevel: 'off',
      // Transcripts and images go only to the address that the operator set. Redirects to other addresses fail.
      fetchOptions: { redirect: 'error' },
      fetch: endingFetch,
    });
  };
  let client: ReturnType<typeof connect> | undefined;
  return async ({ model, messages, schema, answerTokens, onText }, signal) => {
    let text = '';
    let tokens: number | null = null;
    let ended = false;
    try {
      client ??= connect();
      const stream = await (await client).chat.completions.create(
        {
          model,
          messages: [...messages] as OpenAI.ChatCompletionMessageParam[],
          stream: true,
          stream_options: { include_usage: true },
          max_completion_tokens: answerTokens + thinkingTokens,
          ...responseFormat(options.json, schema),
        },
        { signal },
      );
      for await (const { choices, usage } of stream) {
        tokens = usage?.total_tokens ?? tokens;
        const choice = choices?.[0];
        if (!choice) continue;
        if (choice.delta?.refusal) throw new CochleaError('llm_refused');
        const part = choice.delta?.content;
        if (typeof part === 'string' && part !== '') {
          text += part;
          onText?.(part);
        }
        if (text.length > charactersPerToken * (answerTokens + thinkingTokens)) {
          throw new CochleaError('llm_answer_invalid', { why: 'it does not end' });
        }
        if (choice.finish_reason === 'content_filter') throw new CochleaError('llm_refused');
        if (choice.finish_reason === 'length') {
          throw new CochleaError('llm_answer_invalid', { why: 'it is too long' });
        }
        if (choice.finish_reason) ended = true;
      }
    } catch (error) {
      signal.throwIfAborted();
      throw await failureOf(error);
    }
    // The package openai ends the loop without an error when the request is aborted or the server ends the
    // stream early.
    signal.throwIfAborted();
    if (!ended) throw new CochleaError('llm_unavailable', { why: 'its answer breaks off' });
    return { text, tokens };
  };
};
