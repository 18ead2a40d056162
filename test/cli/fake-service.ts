/** A fake service for commands of the user client. The test sets its answers. */
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import type { Test } from 'tap';
import { command, folder, type Ran } from './support.js';

export type Answer = (request: IncomingMessage, response: ServerResponse, turn: number) => void;

export const key = `svc_dev_${'0123456789abcdef'.repeat(2)}`;
export const json =
  (body: unknown, headers: Record<string, string> = {}, status = 200): Answer =>
  (_request, response) => {
    response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(body));
  };

export const startFake = async (t: Test) => {
  let answer: Answer = json([]);
  const seen: IncomingMessage[] = [];
  const bodies: string[] = [];
  const server = createServer(async (request, response) => {
    seen.push(request);
    bodies.push(await text(request));
    answer(request, response, seen.length);
  }).listen(0);
  await once(server, 'listening');
  t.teardown(() => {
    server.closeAllConnections();
    server.close();
  });
  const { port } = server.address() as AddressInfo;
  const config = join(await folder(t), 'config.toml');
  return {
    port,
    seen,
    /** Sets the answer to all requests. */
    answer: (given: Answer): void => {
      answer = given;
    },
    /** Bodies of the received requests. */
    bodies,
    /** Runs a command against a service that gives this answer. */
    async ask(words: readonly string[], given: Answer, base = `http://127.0.0.1:${port}`): Promise<Ran> {
      answer = given;
      seen.length = 0;
      bodies.length = 0;
      const env = { COCHLEA_CONFIG: config, COCHLEA_API_BASE: base, COCHLEA_API_KEY: key };
      return command(words, { env, terminal: true });
    },
  };
};
