import type { FastifyReply, FastifyRequest } from 'fastify';
import { answerStream, eventStreamHeaders } from '../answers/index.js';

/** Sends the events of a chat. Each event ends with a blank line. A prefix such as `message: ` marks its kind. */
export interface ChatEventSink {
  /** Sends a record as base64 of its JSON. */
  record(name: 'message' | 'done', record: unknown): void;
  /** Sends a part of an answer. Line feeds are replaced by a token, because a line feed ends an event. */
  part(text: string): void;
  /** Sends the last event of a failed answer. */
  failure(body: unknown): void;
}

/** Token that replaces a line feed within a part of an answer. */
export const lineFeed = '__CRLF__';

/** Whether a client accepts JSON but not events. */
export const acceptsJsonOnly = (request: FastifyRequest): boolean => {
  const accepted = request.headers.accept?.toLowerCase() ?? '';
  return accepted.includes('application/json') && !accepted.includes('text/event-stream');
};

/**
 * Answers with a stream of events, which `answerStream` sends.
 * @param produce sends the events. When `produce` returns, the stream is closed. When `produce` throws, the
 * connection is cut off.
 */
export const answerEvents = (
  reply: FastifyReply,
  produce: (events: ChatEventSink) => Promise<void>,
): Promise<void> =>
  answerStream(reply, eventStreamHeaders, (write) =>
    produce({
      record: (name, record) =>
        write(`${name}: ${Buffer.from(JSON.stringify(record)).toString('base64')}\n\n`),
      part: (text) => write(`data: ${text.replace(/\r\n|[\r\n]/g, lineFeed)}\n\n`),
      failure: (body) => write(`error: ${JSON.stringify(body)}\n\n`),
    }),
  );
