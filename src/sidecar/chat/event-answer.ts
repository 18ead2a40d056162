import { PassThrough } from 'node:stream';
import type { FastifyReply, FastifyRequest } from 'fastify';

/** Sends events of a chat. Each ends with a blank line; what names it is a prefix of its own and not a field of the event stream format. */
export interface ChatEventSink {
  /** A record, as base64 of its JSON. */
  record(name: 'message' | 'done', record: unknown): void;
  /** A part of an answer. Its line feeds are written as a token, because a line feed ends an event. */
  part(text: string): void;
  /** The last event of an answer that failed. */
  failure(body: unknown): void;
}

const headers = {
  'content-type': 'text/event-stream',
  'cache-control': 'no-cache',
  'x-accel-buffering': 'no',
} as const;

/** What stands for a line feed within a part of an answer. */
export const lineFeed = '__CRLF__';

/** Whether a client asks for JSON rather than events. */
export const acceptsJsonOnly = (request: FastifyRequest): boolean => {
  const accepted = request.headers.accept?.toLowerCase() ?? '';
  return accepted.includes('application/json') && !accepted.includes('text/event-stream');
};

/**
 * Answers with events. The head is sent at once, so that the front notices a client that leaves. What a client does not read waits here;
 * it is an answer at most, which is bounded.
 * @param produce sends the events; the stream ends with it. What it throws breaks the answer off.
 */
export const answerEvents = async (
  reply: FastifyReply,
  produce: (events: ChatEventSink) => Promise<void>,
): Promise<void> => {
  const stream = new PassThrough();
  // The reader may leave at any time; the work then ends by its own signal.
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
