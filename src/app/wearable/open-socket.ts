import { WebSocket } from 'ws';
import { CochleaError } from '../../errors/index.js';
import { socketAddress } from '../addresses/index.js';
import type { WearableOptions } from './options.js';

/** Returns the address of a stream: the base address with the query parameters of `/v4/listen`. */
export const listenUrl = (options: WearableOptions): URL => {
  const url = socketAddress(options.url);
  if (url.pathname === '/') url.pathname = '/v4/listen';
  const query: Record<string, string | undefined> = {
    uid: options.uid,
    language: options.language ?? 'en',
    sample_rate: String(options.rate),
    codec: options.codec,
    channels: String(options.channels ?? 1),
    include_speech_profile: 'true',
    conversation_timeout: options.conversationTimeout?.toString(),
    source: options.source,
    client_conversation_id: options.conversation,
    ...(options.clock === undefined
      ? {}
      : { stream_clock: options.clock, confirm: '1', clock_at: String(options.clockAt ?? 0) }),
    ...options.query,
  };
  for (const [name, value] of Object.entries(query))
    if (value !== undefined) url.searchParams.set(name, value);
  return url;
};

/**
 * Opens the socket of a stream.
 * @param listen called before the handshake ends. The engine's first message may arrive in the same packet as the end
 * of the handshake.
 * @throws CochleaError `token_refused` for HTTP 401, else `connection_failed`. Both errors name the address without its
 * query, and the HTTP status of a refusal.
 */
export const openSocket = (
  options: WearableOptions,
  token: string | undefined,
  listen: (socket: WebSocket) => void,
): Promise<WebSocket> => {
  const url = listenUrl(options);
  const socket = new WebSocket(url, {
    headers: token ? { authorization: `Bearer ${token}` } : {},
    perMessageDeflate: false,
    handshakeTimeout: options.connectTimeout ?? 10_000,
  });
  listen(socket);
  return new Promise((resolve, reject) => {
    const fail = (why: string, code: 'connection_failed' | 'token_refused' = 'connection_failed'): void => {
      reject(new CochleaError(code, { url: `${url.origin}${url.pathname}`, why }));
    };
    socket.once('open', () => resolve(socket));
    socket.once('error', (error) =>
      fail(error.message || ((error as NodeJS.ErrnoException).code ?? 'refused')),
    );
    socket.once('unexpected-response', (_request, response) => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk: Buffer) => {
        if (chunks.length < 16) chunks.push(chunk);
      });
      response.on('close', () => {
        const body = Buffer.concat(chunks).toString().slice(0, 300);
        const why = `HTTP ${response.statusCode}${body ? ` ${body}` : ''}`;
        fail(why, response.statusCode === 401 ? 'token_refused' : 'connection_failed');
        socket.terminate();
      });
    });
  });
};
