/** A server with the OpenAI chat completions protocol over HTTP. The test decides its answers and its faults. */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

export const modelFaults = [
  'slow stream',
  'garbage',
  'refusal',
  'content filter',
  'limited',
  'server error',
  'error in the stream',
  'half JSON',
  'wrong schema',
  'broken off',
  'reset',
  'hang',
  'wrong key',
  'redirection',
] as const;
export type ModelFault = (typeof modelFaults)[number];

/** A request that the server received. */
export interface ModelRequest {
  /** Name of the requested JSON schema, which equals the step; empty for plain text. */
  readonly step: string;
  readonly model: string;
  readonly stream: boolean;
  readonly messages: readonly { readonly role: string; readonly content: string }[];
  readonly key: string | undefined;
  // biome-ignore lint/suspicious/noExplicitAny: tests look into any part of it
  readonly body: any;
}

export interface ModelServer {
  readonly url: string;
  readonly requests: ModelRequest[];
  /** Returns the answer to a request. A string is sent unchanged, other values as JSON. */
  answer: (request: ModelRequest) => unknown;
  /** Returns the fault of a request; undefined if the request is answered normally. */
  fault: (request: ModelRequest) => ModelFault | undefined;
  /** Awaited before each answer, so that a test can delay it. */
  gate: (request: ModelRequest) => Promise<unknown>;
  /** Value in seconds of `Retry-After` in the answers of the fault `limited`. */
  retryAfter: string;
  close(): Promise<void>;
}

/** Number of tokens that the server reports for each answered request. */
export const tokensOfAnswer = 30;

const read = async (request: IncomingMessage): Promise<string> => {
  let text = '';
  for await (const part of request) text += part;
  return text;
};

const chunk = (request: ModelRequest, choice: object | null, more: object = {}): string =>
  `data: ${JSON.stringify({
    id: 'chatcmpl-1',
    object: 'chat.completion.chunk',
    created: 1,
    model: request.model,
    choices: choice === null ? [] : [{ index: 0, finish_reason: null, delta: {}, ...choice }],
    ...more,
  })}\n\n`;

const usage = { prompt_tokens: 20, completion_tokens: tokensOfAnswer - 20, total_tokens: tokensOfAnswer };

const sendError = (response: ServerResponse, status: number, headers: Record<string, string> = {}): void => {
  response.writeHead(status, { 'content-type': 'application/json', ...headers });
  response.end(JSON.stringify({ error: { message: 'no', type: 'error', code: null } }));
};

/** Sends an answer in small parts, or as a single document if no stream was requested. */
const sendAnswer = (response: ServerResponse, request: ModelRequest, text: string, finish = 'stop'): void => {
  if (!request.stream) {
    response.setHeader('content-type', 'application/json');
    const message = { role: 'assistant', content: text };
    response.end(JSON.stringify({ choices: [{ index: 0, message, finish_reason: finish }], usage }));
    return;
  }
  response.writeHead(200, { 'content-type': 'text/event-stream' });
  response.write(chunk(request, { delta: { role: 'assistant', content: '' } }));
  for (let at = 0; at < text.length; at += 200) {
    response.write(chunk(request, { delta: { content: text.slice(at, at + 200) } }));
  }
  response.write(chunk(request, { finish_reason: finish }));
  response.write(chunk(request, null, { usage }));
  response.end('data: [DONE]\n\n');
};

const fail = (
  response: ServerResponse,
  request: ModelRequest,
  fault: ModelFault,
  { text, retryAfter }: { readonly text: string; readonly retryAfter: string },
): void => {
  const begin = (): void => {
    response.writeHead(200, { 'content-type': 'text/event-stream' });
  };
  switch (fault) {
    case 'slow stream': {
      begin();
      // Sends one character at a time, so that the answer takes longer than any client waits.
      const timer = setInterval(() => response.write(chunk(request, { delta: { content: ' ' } })), 50);
      response.on('close', () => clearInterval(timer));
      return;
    }
    case 'garbage':
      begin();
      response.end('data: {"choices": [{"de\u0000lta"\n\ndata: \u{1F9E0}not json\n\n');
      return;
    case 'refusal':
      begin();
      response.write(chunk(request, { delta: { refusal: 'I cannot help with that.' } }));
      response.end(chunk(request, { finish_reason: 'stop' }));
      return;
    case 'content filter':
      sendAnswer(response, request, '', 'content_filter');
      return;
    case 'limited':
      sendError(response, 429, { 'retry-after': retryAfter });
      return;
    case 'server error':
      sendError(response, 500);
      return;
    case 'error in the stream': {
      begin();
      response.write(chunk(request, { delta: { content: text.slice(0, 5) } }));
      const error = { code: 500, message: `cannot parse ${text}`, type: 'server_error' };
      response.end(`data: ${JSON.stringify({ error })}\n\n`);
      return;
    }
    case 'wrong key':
      sendError(response, 401);
      return;
    case 'redirection':
      // Redirects to this server. If a client follows the redirect, its second request is recorded.
      response.writeHead(307, { location: '/v1/elsewhere' }).end();
      return;
    case 'half JSON':
      sendAnswer(response, request, text.slice(0, Math.ceil(text.length / 2)));
      return;
    case 'wrong schema':
      sendAnswer(response, request, JSON.stringify({ titles: ['x'], user_id: 'bob', delete: true }));
      return;
    case 'broken off':
      begin();
      response.end(chunk(request, { delta: { content: text.slice(0, 5) } }));
      return;
    case 'reset':
      begin();
      response.write(chunk(request, { delta: { content: text.slice(0, 5) } }), () => response.destroy());
      return;
    case 'hang':
      return;
  }
};

export const startModelServer = async (t: {
  teardown(action: () => unknown): unknown;
}): Promise<ModelServer> => {
  const requests: ModelRequest[] = [];
  const server = createServer(async (incoming, response) => {
    const body = JSON.parse(await read(incoming));
    const request: ModelRequest = {
      step: body.response_format?.json_schema?.name ?? '',
      model: body.model,
      stream: body.stream === true,
      messages: body.messages,
      key: incoming.headers.authorization?.replace('Bearer ', ''),
      body,
    };
    requests.push(request);
    response.on('error', () => undefined);
    await model.gate(request);
    const answer = model.answer(request);
    const text = typeof answer === 'string' ? answer : JSON.stringify(answer);
    const fault = model.fault(request);
    if (fault === undefined) sendAnswer(response, request, text);
    else fail(response, request, fault, { text, retryAfter: model.retryAfter });
  });
  server.listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  const model: ModelServer = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`,
    requests,
    answer: () => ({}),
    fault: () => undefined,
    gate: async () => undefined,
    retryAfter: '0',
    close: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
  t.teardown(() => model.close());
  return model;
};
