import WebSocket from 'ws';

/** What came to a speaker since it was asked last. */
export interface Received {
  /** Ms from each text to the segment that has it. */
  readonly delays: readonly number[];
  /** Texts of which no segment has come yet. */
  readonly missing: number;
  /** Events with translations. */
  readonly translations: number;
}

/** Ms from one text of a speaker to its next. */
const pace = 1000;
/** Seconds of the conversation between two texts, so that each is a segment of its own. */
const gap = 60;

/** A stream that transcribes by itself: it says a Spanish sentence a second, and notes when each comes back as a segment. */
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

  /** Resolves when the stream is ready. @throws Error when it is refused. */
  ready(): Promise<void> {
    return new Promise((resolve, reject) => {
      this.#socket.on('error', reject);
      this.#socket.once('close', (code) => reject(new Error(`a stream was closed with ${code}`)));
      this.#socket.on('message', (data) => {
        if (String(data).includes('"ready"')) resolve();
      });
    });
  }

  /** Begins to speak. @param offset ms until the first text. */
  start(offset: number): void {
    this.#timer = setTimeout(() => {
      this.#say();
      this.#timer = setInterval(() => this.#say(), pace);
    }, offset);
  }

  /** What came since the last call; texts that are on their way count for the next. */
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
