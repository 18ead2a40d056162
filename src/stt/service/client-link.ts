import { connect, type Socket } from 'node:net';
import { basename, dirname } from 'node:path';
import { withShortPath } from '../../common/index.js';
import { fixedLimits } from '../../config/limits/index.js';
import { release } from '../../config/process/index.js';
import {
  type ClientMessage,
  clientMessages,
  FrameReader,
  framed,
  type ResultMessage,
  type ServiceMessage,
  type StatusMessage,
  serviceMessages,
  type TranscriptionGreeting,
  transcriptionProtocol,
} from '../../wire/service/index.js';

export interface ServiceLinkEvents {
  /** The service takes requests. */
  welcomed(service: TranscriptionGreeting): void;
  result(message: ResultMessage): void;
  status(message: StatusMessage): void;
  /** The socket takes more. */
  drained(): void;
  /** Called once, when the connection has ended or could not be made. */
  ended(how: LinkEnding): void;
}

export interface LinkEnding {
  /** Whether the service took requests before. */
  readonly welcomed: boolean;
  /** Why the service refused this process; absent when it did not. */
  readonly refused?: string;
  /** The service that refused. */
  readonly by?: TranscriptionGreeting;
  /** The error of the system, where there was one. */
  readonly code?: string | undefined;
}

/** Ms within which the service has to answer a greeting, and the longest that it may be silent later: it reports four times a second. */
const longestSilence = 10_000;

/** One connection of a client to the transcription service. Ends by itself when the service is silent. */
export class ServiceLink {
  readonly #events: ServiceLinkEvents;
  readonly #frames = new FrameReader(fixedLimits.transcriptionFrame.value);
  #socket: Socket | undefined;
  #welcomed = false;
  #over = false;

  /**
   * @param path of the service's socket.
   * @param model that the service has to have; empty for any.
   */
  constructor(path: string, model: string, events: ServiceLinkEvents) {
    this.#events = events;
    void this.#open(path, model);
  }

  get welcomed(): boolean {
    return this.#welcomed && !this.#over;
  }

  /** Whether more should wait until `drained`. */
  get full(): boolean {
    return this.#socket?.writableNeedDrain ?? true;
  }

  send(message: ClientMessage): void {
    this.#socket?.write(framed(clientMessages.encode(message)));
  }

  close(): void {
    this.#socket?.destroy();
    this.#end({ welcomed: this.#welcomed });
  }

  async #open(path: string, model: string): Promise<void> {
    try {
      await withShortPath(dirname(path), basename(path), (short) => this.#connect(short));
    } catch (thrown) {
      // There is no such folder, or no such socket, or nothing listens on it.
      this.#end({ welcomed: false, code: (thrown as NodeJS.ErrnoException).code });
      return;
    }
    if (this.#over) this.#socket?.destroy();
    else this.send({ kind: 'hello', protocol: transcriptionProtocol, release, model });
  }

  #connect(path: string): Promise<void> {
    return new Promise((resolve, reject) => {
      const socket = connect(path);
      this.#socket = socket;
      socket.once('connect', resolve);
      socket.on('error', (error: NodeJS.ErrnoException) => {
        reject(error);
        this.#end({ welcomed: this.#welcomed, code: error.code });
      });
      socket.on('close', () => this.#end({ welcomed: this.#welcomed }));
      socket.on('drain', () => this.#events.drained());
      socket.setTimeout(longestSilence, () => socket.destroy());
      socket.on('data', (chunk: Buffer) => this.#receive(chunk));
    });
  }

  #receive(chunk: Buffer): void {
    let messages: ServiceMessage[];
    try {
      messages = this.#frames.push(chunk).map((message) => serviceMessages.decode(message));
    } catch {
      this.close();
      return;
    }
    for (const message of messages) this.#take(message);
  }

  #take(message: ServiceMessage): void {
    if (this.#over) return;
    switch (message.kind) {
      case 'welcome':
        this.#welcomed = true;
        this.#events.welcomed(message);
        break;
      case 'refused':
        this.#end({ welcomed: this.#welcomed, refused: message.why, by: message });
        this.#socket?.destroy();
        break;
      case 'result':
        this.#events.result(message);
        break;
      case 'status':
        this.#events.status(message);
    }
  }

  #end(how: LinkEnding): void {
    if (this.#over) return;
    this.#over = true;
    this.#events.ended(how);
  }
}
