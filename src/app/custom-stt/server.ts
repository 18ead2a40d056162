import { once } from 'node:events';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type WebSocket, WebSocketServer } from 'ws';
import type { Utterance } from '../../audio/interface/index.js';
import { endsWithin, within } from '../../common/index.js';
import { CochleaError } from '../../errors/index.js';
import type { Logger } from '../../log/index.js';
import type { TranscriptionClient } from '../../stt/shared/index.js';
import { type Codec, codecs } from '../../wire/index.js';
import type { AudioLines } from './audio-lines.js';

/** Maximum number of bytes in a client's message. */
const longestMessage = 65_536;
/** Maximum number of sent bytes that a client may leave unread. */
const mostUnread = 262_144;
/** Maximum ms that the server waits for pending words at the end of a stream. */
const lastWords = 60_000;

export interface CustomServiceOptions {
  readonly host: string;
  /** Port of the service; 0: any free port. */
  readonly port: number;
  /** Receives the frames of clients. The caller must close it. */
  readonly lines: AudioLines;
  readonly transcription: Pick<TranscriptionClient, 'transcribe'>;
  /** Defaults for clients that omit `codec`, `sample_rate` or `language` in their query. */
  readonly defaults: { readonly codec: Codec; readonly rate: number; readonly language: string };
  /** Number of ms without a client message after which a connection is closed. */
  readonly idle: number;
  readonly log: Logger;
}

/** A custom transcription service like the services of integrators. It transcribes with the local model. */
export interface CustomService {
  readonly port: number;
  close(): Promise<void>;
}

const isCodec = (name: string): name is Codec => (codecs as readonly string[]).includes(name);

const isCloseStream = (text: string): boolean => {
  try {
    return (JSON.parse(text) as { type?: unknown } | null)?.type === 'CloseStream';
  } catch {
    return false;
  }
};

/** One client's stream. */
class ServiceStream {
  readonly #language: string;
  readonly #handle: number;
  readonly #idle: NodeJS.Timeout;
  readonly #gone = new AbortController();
  /** Resolves after the last answer is sent. Answers are sent in the order of their utterances. */
  #answers: Promise<void> = Promise.resolve();
  #isEnding = false;

  /** @throws CochleaError if the stream cannot be served. */
  constructor(
    private readonly socket: WebSocket,
    query: URLSearchParams,
    private readonly name: string,
    private readonly options: CustomServiceOptions,
  ) {
    const { defaults, idle, lines } = options;
    this.#language = query.get('language') ?? defaults.language;
    const codec = query.get('codec') ?? defaults.codec;
    if (!isCodec(codec))
      throw new CochleaError('codec_unknown', { codec: codec.slice(0, 48), known: codecs.join(', ') });
    const sampleRate = Number(query.get('sample_rate') ?? defaults.rate);
    const handle = lines.open({ codec, sampleRate, channels: 1 }, (utterance) => this.#utterance(utterance));
    if (handle === undefined) throw new CochleaError('overloaded');
    this.#handle = handle;
    this.#idle = setTimeout(() => socket.close(1001, 'idle'), idle);
    socket.on('message', (data, isBinary) => this.#message(data as Buffer, isBinary));
    socket.on('close', () => this.#end());
  }

  #message(data: Buffer, isBinary: boolean): void {
    this.#idle.refresh();
    if (this.#isEnding) return;
    if (isBinary) {
      if (data.length > 2) this.options.lines.push(this.#handle, data);
    } else if (isCloseStream(data.toString())) void this.#finish();
  }

  #utterance({ pcm, speechStart, speechEnd, probability: detected }: Utterance): void {
    const { transcription } = this.options;
    const result = transcription.transcribe({
      user: this.name,
      stream: this.name,
      language: this.#language,
      pcm,
      detected,
      priority: 'live',
      signal: this.#gone.signal,
    });
    this.#answers = this.#answers.then(async () => {
      const { outcome, text } = await result;
      if (outcome === 'success') this.#tell(text, speechStart / 16_000, speechEnd / 16_000);
      // The client would mistake a missing answer for silence, so the connection is closed.
      else if (outcome !== 'expected_silence' && outcome !== 'empty_unexpected')
        this.socket.close(1011, 'transcription_unavailable');
    });
  }

  #tell(text: string, start: number, end: number): void {
    const segments = [{ text, speaker: 'SPEAKER_00', start, end }];
    this.socket.send(JSON.stringify({ type: 'Results', segments }));
    if (this.socket.bufferedAmount > mostUnread) this.socket.close(1008, 'slow_reader');
  }

  /** Sends the remaining words, then closes. */
  async #finish(): Promise<void> {
    this.#isEnding = true;
    await this.options.lines.flush(this.#handle);
    const told = await endsWithin(this.#answers, lastWords);
    this.socket.close(told ? 1000 : 1011);
  }

  #end(): void {
    clearTimeout(this.#idle);
    this.#gone.abort();
    this.options.lines.close(this.#handle);
  }
}

/**
 * Starts a service on a port.
 * @throws the system's error if the port cannot be opened.
 */
export const startCustomService = async (options: CustomServiceOptions): Promise<CustomService> => {
  const { host, log, port } = options;
  const server = createServer((_request, response) => response.writeHead(426).end());
  const sockets = new WebSocketServer({ server, perMessageDeflate: false, maxPayload: longestMessage });
  let streams = 0;
  sockets.on('connection', (socket: WebSocket, request: IncomingMessage) => {
    // Errors need no handling, because `close` always follows.
    socket.on('error', () => undefined);
    try {
      const { searchParams } = new URL(request.url ?? '/', 'http://service');
      new ServiceStream(socket, searchParams, `custom-${streams++}`, options);
    } catch (thrown) {
      const known = thrown instanceof CochleaError ? thrown : new CochleaError('internal');
      if (known !== thrown) log.error({ err: thrown }, 'a stream was not opened');
      socket.close(known.entry.close ?? 1011, known.code);
    }
  });
  // Errors of the port are reported by the server itself.
  sockets.on('error', () => undefined);
  server.listen(port, host);
  await once(server, 'listening');
  return {
    port: (server.address() as AddressInfo).port,
    close: async () => {
      const closed = once(server, 'close');
      for (const socket of sockets.clients) socket.close(1001);
      server.close();
      sockets.close();
      await within(closed, 1000, () => undefined);
      for (const socket of sockets.clients) socket.terminate();
      server.closeAllConnections();
    },
  };
};
