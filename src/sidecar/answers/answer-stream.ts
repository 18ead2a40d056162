import { PassThrough } from 'node:stream';
import type { FastifyReply } from 'fastify';

/** Headers of every event stream. */
export const eventStreamHeaders = {
  'content-type': 'text/event-stream',
  'cache-control': 'no-cache',
  'x-accel-buffering': 'no',
} as const;

/**
 * Answers with a stream. The head is sent immediately, so that the front notices a client that leaves. Text that the
 * client has not read stays in memory, so the caller must limit it.
 * @param produce writes the text. When `produce` returns, the stream is closed. When `produce` throws, the connection
 * is cut off.
 */
export const answerStream = async (
  reply: FastifyReply,
  headers: Readonly<Record<string, string>>,
  produce: (write: (text: string) => void) => Promise<void>,
): Promise<void> => {
  const stream = new PassThrough();
  // The client may leave at any time. The caller's abort signal then ends `produce`.
  stream.on('error', () => undefined);
  reply.headers(headers).send(stream);
  setImmediate(() => {
    const { raw } = reply;
    if (raw.hasHeader('content-type') && !raw.headersSent && !raw.destroyed) raw.flushHeaders();
  });
  try {
    await produce((text) => {
      if (!stream.destroyed) stream.write(text);
    });
    stream.end();
  } catch (error) {
    stream.destroy(error as Error);
  }
};
