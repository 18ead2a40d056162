import WebSocket from 'ws';

/** Messages that a speaker has received since the last call of `take`. */
export interface Received {
  /** Ms from each text until its segment arrived. */
  readonly delays: readonly number[];
  /** Number of texts whose segment has not arrived. */
  readonly missing: number;
  /** Number of events with translations. */
  readonly translations: number;
}

/** Ms between two texts that a speaker sends. */
const pace = 1000;
/** Seconds of conversation time between two texts. They are so long that each text becomes a separate segment. */
const gap = 60;

/**
 * A stream that supplies its own transcript. It sends one Spanish sentence per second, and records when the segment of
 * each sentence arrives.
 */
export class Speaker {
  readonly #socket: WebSocket;
  #sent = new Map<string, number>();
  #delays: number[] = [];
  #translations = 0;
  #count = 0;
  #timer: NodeJS.Timeout | undefined;

  /** @param url `ws://host:port` */
  constructor(url: string, uid: string) {
    const query = `uid=${uid}&codec=pcm16&sample_rate=16000&language=multi&custom_stt=enabled`;
    this.#socket = new WebSocket(`${url}/v4/listen?${query}`);
    this.#socket.on('message', (data) => this.#take(String(data)));
  }

  /** Resolves when the stream is ready. @throws Error when the stream is refused. */
  ready(): Promise<void> {
    return new Promise((resolve, reject) => {
      this.#socket.on('error', reject);
      this.#socket.once('close', (code) => reject(new Error(`a stream was closed with ${code}`)));
      this.#socket.on('message', (data) => {
        if (String(data).includes('"ready"')) resolve();
      });
    });
  }

  /** Starts to send texts. @param offset ms until the first text. */
  start(offset: number): void {
    this.#timer = setTimeout(() => {
      this.#say();
      this.#timer = setInterval(() => this.#say(), pace);
    }, offset);
  }

  /**
   * Returns the messages that arrived since the last call. `missing` counts all texts without a segment. If a segment
   * is still missing at the next call, it counts again.
   */
  take(): Received {
    const received = { delays: this.#delays, missing: this.#sent.size, translations: this.#translations };
    this.#delays = [];
    this.#translations = 0;
    return received;
  }

  close(): void {
    clearInterval(this.#timer);
    this.#socket.terminate();
  }

  #say(): void {
    const start = ++this.#count * gap;
    const text = `Deberíamos vernos el lunes para hablar del informe número ${this.#count}.`;
    this.#sent.set(text, performance.now());
    const segments = [{ text, start, end: start + 1 }];
    this.#socket.send(JSON.stringify({ type: 'suggested_transcript', segments }));
  }

  #take(message: string): void {
    if (message.includes('"translation"')) this.#translations++;
    if (!message.startsWith('[')) return;
    for (const { text } of JSON.parse(message) as { text: string }[]) {
      const began = this.#sent.get(text);
      if (began === undefined) continue;
      this.#sent.delete(text);
      this.#delays.push(performance.now() - began);
    }
  }
}
