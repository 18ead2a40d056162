import { PassThrough } from 'node:stream';
import type { FastifyReply, FastifyRequest } from 'fastify';

/** Sends the events of a chat. Each event ends with a blank line. A prefix such as `message: ` marks its kind. */
export interface ChatEventSink {
  /** Sends a record as base64 of its JSON. */
  record(name: 'message' | 'done', record: unknown): void;
  /** Sends a part of an answer. Line feeds are replaced by a token, because a line feed ends an event. */
  part(text: string): void;
  /** Sends the last event of a failed answer. */
  failure(body: unknown): void;
}

const headers = {
  'content-type': 'text/event-stream',
  'cache-control': 'no-cache',
  'x-accel-buffering': 'no',
} as const;

/** Text that replaces a line feed in a part of an answer. */
export const lineFeed = '__CRLF__';

/** Whether a client accepts JSON but not events. */
export const acceptsJsonOnly = (request: FastifyRequest): boolean => {
  const accepted = request.headers.accept?.toLowerCase() ?? '';
  return accepted.includes('application/json') && !accepted.includes('text/event-stream');
};

/**
 * Answers with events. The head is sent immediately, so that the front notices a client that leaves. Events that the client has not read
 * stay in memory. An answer has a maximum size.
 * @param produce sends the events. When it returns, the stream is closed. When it throws, the connection is closed within the answer.
 */
export const answerEvents = async (
  reply: FastifyReply,
  produce: (events: ChatEventSink) => Promise<void>,
): Promise<void> => {
  const stream = new PassThrough();
  // The client may leave at any time. The signal that the work received then stops the work.
  stream.on('error', () => undefined);
  const send = (event: string): void => {
    if (!stream.destroyed) stream.write(`${event}\n\n`);
  };
  reply.headers(headers).send(stream);
  setImmediate(() => {
    const { raw } = reply;
    if (raw.hasHeader('content-type') && !raw.headersSent && !raw.destroyed) raw.flushHeaders();
  });
  try {
    await produce({
      record: (name, record) => send(`${name}: ${Buffer.from(JSON.stringify(record)).toString('base64')}`),
      part: (text) => send(`data: ${text.replace(/\r\n|[\r\n]/g, lineFeed)}`),
      failure: (body) => send(`error: ${JSON.stringify(body)}`),
    });
    stream.end();
  } catch (error) {
    stream.destroy(error as Error);
  }
};
