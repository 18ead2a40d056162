import type { Socket } from 'node:net';
import { fixedLimits } from '../../config/limits/index.js';
import type { Logger } from '../../log/index.js';
import {
  type ClientMessage,
  clientMessages,
  FrameReader,
  framed,
  type ResultMessage,
  type ServiceMessage,
  serviceMessages,
  type TranscribeMessage,
  type TranscriptionGreeting,
} from '../../wire/service/index.js';
import { baseLanguage } from '../providers/index.js';
import { transcriptionPriorities } from '../shared/index.js';
import type { DecodeQueue } from './decode-queue.js';
import { noWords } from './result-fields.js';

export interface ServiceConnectionOptions {
  readonly socket: Socket;
  readonly queue: Pick<DecodeQueue, 'submit' | 'withdraw'>;
  /** Protocol version, release and model of the service, as sent to clients. */
  readonly greeting: TranscriptionGreeting;
  readonly log: Logger;
  /** Called when the client is accepted, before any message is sent to it. */
  readonly joined: (connection: ServiceConnection) => void;
}

/** Time in ms within which a client must send its greeting with the protocol version. */
const helloTimeout = 5000;
/** Maximum number of characters in each name of a request: user, stream and languages. */
const longestName = 256;
/** Maximum number of languages in a request. */
const mostLanguages = 128;
/** Maximum number of keywords in a request. Keywords are words that the speaker may use. */
const mostKeywords = 128;

/**
 * Memory in bytes that an unread message takes in addition to its content: the message's buffer, and Node's data for a
 * write.
 */
const messageCost = 512;

/** Result for an answer without words. */
const none = { ...noWords, waited: 0, decoded: 0 };

/**
 * Copies samples into their own memory. In a message the samples share memory with other fields and may begin at an odd
 * address.
 */
const samplesOf = (bytes: Uint8Array): Int16Array => {
  const samples = new Int16Array(bytes.length / Int16Array.BYTES_PER_ELEMENT);
  new Uint8Array(samples.buffer).set(bytes);
  return samples;
};

const isRequest = ({
  user,
  stream,
  language,
  languages,
  keywords,
  priority,
  pcm,
}: TranscribeMessage): boolean =>
  languages.length <= mostLanguages &&
  keywords.length <= mostKeywords &&
  [user, stream, language, ...languages, ...keywords].every(({ length }) => length <= longestName) &&
  priority < transcriptionPriorities.length &&
  pcm.length % Int16Array.BYTES_PER_ELEMENT === 0;

/**
 * A client of the transcription service. Its data is untrusted, so the first invalid message ends the connection. A
 * client that does not read its messages is also disconnected. When the connection ends, the client's requests
 * leave the queue.
 */
export class ServiceConnection {
  readonly #frames = new FrameReader(fixedLimits.transcriptionFrame.value);
  readonly #outstanding = new Set<number>();
  readonly #hello: NodeJS.Timeout;
  #welcomed = false;
  /** Number of messages that the client has not read yet. */
  #unread = 0;

  constructor(private readonly options: ServiceConnectionOptions) {
    const { socket, queue, log } = options;
    this.#hello = setTimeout(() => socket.destroy(), helloTimeout);
    socket.on('error', () => undefined);
    socket.on('close', () => {
      clearTimeout(this.#hello);
      queue.withdraw(this);
    });
    socket.on('data', (chunk: Buffer) => {
      try {
        for (const message of this.#frames.push(chunk)) this.#take(clientMessages.decode(message));
      } catch {
        // Logs no details of the error, because it may quote received data.
        log.warn('a client of the transcription service sent an invalid message');
        socket.destroy();
      }
    });
  }

  send(message: ServiceMessage): void {
    const { socket } = this.options;
    if (socket.destroyed) return;
    this.#unread++;
    socket.write(framed(serviceMessages.encode(message)), () => {
      this.#unread--;
    });
    const unread = socket.writableLength + this.#unread * messageCost;
    if (unread > fixedLimits.transcriptionUnread.value) socket.destroy();
  }

  /** Sends the client the reason for a refusal and ends the connection. */
  refuse(why: string): void {
    this.send({ kind: 'refused', why, ...this.options.greeting });
    this.options.socket.destroySoon();
  }

  #take(message: ClientMessage): void {
    const { socket, queue } = this.options;
    // Ignores messages that arrived together with the message that ended the connection.
    if (socket.destroyed || socket.writableEnded) return;
    if (!this.#welcomed) this.#welcome(message);
    else if (message.kind === 'transcribe') this.#submit(message);
    else if (message.kind === 'cancel') {
      if (this.#outstanding.delete(message.id)) queue.withdraw(this, message.id);
    } else throw new Error('a second greeting');
  }

  #welcome(message: ClientMessage): void {
    const { greeting, joined } = this.options;
    if (message.kind !== 'hello') throw new Error('no greeting');
    if (message.protocol !== greeting.protocol) this.refuse('another protocol');
    else if (message.model !== '' && message.model !== greeting.model) this.refuse('another model');
    else {
      this.#welcomed = true;
      clearTimeout(this.#hello);
      this.send({ kind: 'welcome', ...greeting });
      joined(this);
    }
  }

  #submit(message: TranscribeMessage): void {
    const { id, user, stream, language, languages, keywords, detected, priority, instead, settles } = message;
    if (!isRequest(message) || this.#outstanding.has(id)) throw new Error('an invalid request');
    if (this.#outstanding.size >= fixedLimits.transcriptionRequests.value) {
      this.#answer(id, { ...none, outcome: 'upstream_error', full: true, reason: 'queue_full' });
      return;
    }
    this.#outstanding.add(id);
    this.options.queue.submit({
      owner: this,
      id,
      user,
      stream,
      language: baseLanguage(language),
      priority: transcriptionPriorities[priority]!,
      pcm: samplesOf(message.pcm),
      languages: languages.map(baseLanguage),
      settles,
      keywords,
      detected,
      instead,
      answer: (result) => {
        this.#outstanding.delete(id);
        this.#answer(id, result);
      },
    });
  }

  #answer(id: number, result: Omit<ResultMessage, 'kind' | 'id'>): void {
    this.send({ kind: 'result', id, ...result });
  }
}
