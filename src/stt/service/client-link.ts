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
  /** Called when the service accepts requests. */
  welcomed(service: TranscriptionGreeting): void;
  result(message: ResultMessage): void;
  status(message: StatusMessage): void;
  /** Called when the socket can take more data. */
  drained(): void;
  /** Called once, when the connection has ended or could not be opened. */
  ended(how: LinkEnding): void;
}

export interface LinkEnding {
  /** Whether the service had accepted requests on this connection. */
  readonly welcomed: boolean;
  /** Reason why the service refused this process; absent if it did not refuse. */
  readonly refused?: string;
  /** The service that refused this process. */
  readonly by?: TranscriptionGreeting;
  /** The operating system's error code, if any. */
  readonly code?: string | undefined;
}

/**
 * Time in ms without data after which the connection ends. Within this time the service must answer the greeting. Later
 * the service sends a status four times a second.
 */
const longestSilence = 10_000;

/**
 * A client's connection to the transcription service. It closes itself when the service sends nothing for
 * `longestSilence` ms.
 */
export class ServiceLink {
  readonly #frames = new FrameReader(fixedLimits.transcriptionFrame.value);
  #socket: Socket | undefined;
  #welcomed = false;
  #over = false;

  /**
   * @param path path of the service's socket.
   * @param model model that the service must use; empty for any model.
   */
  constructor(
    path: string,
    model: string,
    private readonly events: ServiceLinkEvents,
  ) {
    void this.#open(path, model);
  }

  get welcomed(): boolean {
    return this.#welcomed && !this.#over;
  }

  /** Whether the sender must wait for `drained` before it sends more. */
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
      // The folder or the socket does not exist, or no process listens on the socket.
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
      socket.on('drain', () => this.events.drained());
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
        this.events.welcomed(message);
        break;
      case 'refused':
        this.#end({ welcomed: this.#welcomed, refused: message.why, by: message });
        this.#socket?.destroy();
        break;
      case 'result':
        this.events.result(message);
        break;
      case 'status':
        this.events.status(message);
    }
  }

  #end(how: LinkEnding): void {
    if (this.#over) return;
    this.#over = true;
    this.events.ended(how);
  }
}
