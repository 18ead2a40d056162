/**
 * Stubs of services that the product calls: a language model, and a transcriber of complete files. They run in this
 * process.
 */
import { once } from 'node:events';
import { createServer, type IncomingMessage, type RequestListener, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { json } from 'node:stream/consumers';
import { unansweredMarker } from './texts.js';

export interface StubService {
  /** `http://127.0.0.1:PORT` */
  readonly url: string;
  close(): Promise<void>;
}

const start = async (listener: RequestListener): Promise<StubService> => {
  const server = createServer(listener).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close: async () => {
      const closed = once(server, 'close');
      server.close();
      server.closeAllConnections();
      await closed;
    },
  };
};

const send = (response: ServerResponse, value: unknown): void => {
  response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(value));
};

/** Starts a transcriber that immediately returns the same words for every file. */
export const startTranscription = (): Promise<StubService> =>
  start((incoming, response) => {
    response.on('error', () => undefined);
    incoming.resume();
    incoming.once('end', () => send(response, { text: 'Good morning.' }));
  });

interface Schema {
  readonly type?: string | readonly string[];
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly items?: Schema;
  readonly minItems?: number;
  readonly enum?: readonly unknown[];
  readonly const?: unknown;
  readonly anyOf?: readonly Schema[];
  readonly minimum?: number;
}

/** Returns the shortest value that satisfies a JSON schema of the product. */
export const leastValue = (schema: Schema): unknown => {
  if (schema.const !== undefined) return schema.const;
  if (schema.enum) return schema.enum[0];
  if (schema.anyOf) return leastValue(schema.anyOf.find(({ type }) => type === 'null') ?? schema.anyOf[0]!);
  const type = typeof schema.type === 'string' ? schema.type : schema.type?.[0];
  switch (type) {
    case 'object':
      return Object.fromEntries(
        (schema.required ?? []).map((name) => [name, leastValue(schema.properties?.[name] ?? {})]),
      );
    case 'array':
      return Array.from({ length: schema.minItems ?? 0 }, () => leastValue(schema.items ?? {}));
    case 'integer':
    case 'number':
      return schema.minimum ?? 0;
    case 'boolean':
      return false;
    case 'null':
      return null;
    default:
      return 'Garden plan';
  }
};

/** Minimum ms that the model takes to answer. Each `charactersPerMs` characters of the prompt add one ms. */
const answerTime = { least: 20, charactersPerMs: 200 } as const;

interface ChatRequest {
  readonly model: string;
  readonly stream?: boolean;
  readonly messages: readonly { readonly content: unknown }[];
  readonly response_format?: { readonly json_schema?: { readonly schema?: Schema } };
}

const answer = (response: ServerResponse, asked: ChatRequest): void => {
  const schema = asked.response_format?.json_schema?.schema;
  const content = schema ? JSON.stringify(leastValue(schema)) : 'The garden plan is ready.';
  const usage = { prompt_tokens: 20, completion_tokens: 10, total_tokens: 30 };
  if (!asked.stream) {
    const message = { role: 'assistant', content };
    send(response, { choices: [{ index: 0, message, finish_reason: 'stop' }], usage });
    return;
  }
  const head = { id: '1', object: 'chat.completion.chunk', created: 1, model: asked.model };
  const part = (choices: readonly object[], more: object = {}): unknown =>
    response.write(`data: ${JSON.stringify({ ...head, choices, ...more })}\n\n`);
  response.writeHead(200, { 'content-type': 'text/event-stream' });
  part([{ index: 0, delta: { role: 'assistant', content }, finish_reason: null }]);
  part([{ index: 0, delta: {}, finish_reason: 'stop' }]);
  part([], { usage });
  response.end('data: [DONE]\n\n');
};

/**
 * Starts a language model with the OpenAI protocol. It takes longer for longer prompts. It never answers a prompt that
 * contains `unansweredMarker`.
 */
export const startModel = (): Promise<StubService> =>
  start(async (incoming: IncomingMessage, response) => {
    response.on('error', () => undefined);
    try {
      const asked = (await json(incoming)) as ChatRequest;
      const prompt = JSON.stringify(asked.messages);
      if (prompt.includes(unansweredMarker)) return;
      const milliseconds = answerTime.least + prompt.length / answerTime.charactersPerMs;
      setTimeout(() => answer(response, asked), milliseconds);
    } catch {
      response.destroy();
    }
  });
