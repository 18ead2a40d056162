import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** States of the translating model. */
export const modelStates = ['well', 'slow', 'wrong', 'away'] as const;
export type ModelState = (typeof modelStates)[number];

export interface BenchModel {
  readonly url: string;
  state: ModelState;
  close(): void;
}

/** Returns the sentences in a request. They are a list between two markers. */
const sentencesOf = (body: string): readonly string[] => {
  const { messages } = JSON.parse(body) as { messages: readonly { readonly content: string }[] };
  const [, list = '[]'] = />\n(.*)\n</s.exec(messages[1]?.content ?? '') ?? [];
  return JSON.parse(list) as readonly string[];
};

const answer = (response: ServerResponse, texts: readonly string[]): void => {
  const part = (choice: object): string =>
    `data: ${JSON.stringify({ id: '1', object: 'chat.completion.chunk', choices: [{ index: 0, ...choice }] })}\n\n`;
  response.writeHead(200, { 'content-type': 'text/event-stream' });
  const content = JSON.stringify({ translations: texts });
  response.end(
    `${part({ delta: { content }, finish_reason: null })}${part({ delta: {}, finish_reason: 'stop' })}data: [DONE]\n\n`,
  );
};

/**
 * Starts a server with the OpenAI chat protocol. Depending on its state, it translates at once, never answers, sends a
 * wrong answer, or closes the connection.
 */
export const startModel = async (): Promise<BenchModel> => {
  const server = createServer(async (request, response) => {
    response.on('error', () => undefined);
    let body = '';
    try {
      for await (const chunk of request) body += chunk;
    } catch {
      // The engine has cancelled the request.
      return;
    }
    if (model.state === 'slow') return;
    if (model.state === 'away') response.destroy();
    else
      answer(response, model.state === 'wrong' ? [] : sentencesOf(body).map((text) => `In English: ${text}`));
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const model: BenchModel = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`,
    state: 'well',
    close: () => {
      server.closeAllConnections();
      server.close();
    },
  };
  return model;
};
