import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A request that the service received. */
export interface BatchRecord {
  readonly path: string;
  readonly headers: IncomingMessage['headers'];
  /** Text fields of the form, by name. */
  readonly fields: Readonly<Record<string, string>>;
  /** File fields of the form, by name. */
  readonly files: Readonly<Record<string, Uint8Array>>;
}

export type BatchAnswer = (response: ServerResponse, record: BatchRecord) => void;

/** A stub of a service that transcribes complete files, on a loopback port. */
export interface BatchStub {
  readonly url: string;
  /** The function that answers the next requests. A test may replace it. */
  answer: BatchAnswer;
  readonly records: BatchRecord[];
  stop(): Promise<void>;
}

/** Returns an answer with a JSON body. */
export const says =
  (value: unknown, status = 200): BatchAnswer =>
  (response) =>
    response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(value));

export const startBatchStub = async (answer: BatchAnswer): Promise<BatchStub> => {
  const records: BatchRecord[] = [];
  const take = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const pieces: Buffer[] = [];
    for await (const piece of request) pieces.push(piece as Buffer);
    const type = request.headers['content-type'] ?? '';
    const form = await new Response(Buffer.concat(pieces), { headers: { 'content-type': type } }).formData();
    const fields: Record<string, string> = {};
    const files: Record<string, Uint8Array> = {};
    for (const [name, value] of form.entries()) {
      if (typeof value === 'string') fields[name] = value;
      else files[name] = new Uint8Array(await value.arrayBuffer());
    }
    const record = { path: request.url ?? '', headers: request.headers, fields, files };
    records.push(record);
    stub.answer(response, record);
  };
  const server = createServer((request, response) => {
    response.on('error', () => undefined);
    take(request, response).catch(() => response.destroy());
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const stub: BatchStub = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    answer,
    records,
    stop: async () => {
      const closed = once(server, 'close');
      server.close();
      server.closeAllConnections();
      await closed;
    },
  };
  return stub;
};
