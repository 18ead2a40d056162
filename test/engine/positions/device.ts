import type { Harness, ServerEvent } from '../support/harness.js';

/** Duration of a frame of the fake codec, in ms. */
const frameMs = 20;

/** A device that records, deletes the confirmed audio, and sends the rest again after a reconnect. */
export class Device {
  /** The recording; undefined frames are deleted. */
  readonly frames: (number | undefined)[] = [];
  /** The position up to which the engine has confirmed the audio. A real device stores this position on its disk. */
  confirmed = 0;
  /** The voices that were spoken, in order. */
  readonly spoken: number[] = [];
  slot = -1;
  #harness: Harness | undefined;
  #next = 0;
  #seen = 0;

  constructor(readonly clock = 'clock') {}

  /** Records an utterance. Each utterance has a voice of its own. */
  speak(frames = 10, pause = 35): void {
    const voice = this.spoken.length + 1;
    this.spoken.push(voice);
    this.frames.push(...new Array<number>(frames).fill(voice), ...new Array<number>(pause).fill(0));
  }

  pause(frames: number): void {
    this.frames.push(...new Array<number>(frames).fill(0));
  }

  /** Opens a stream. @returns `resume_at_ms`. */
  async connect(harness: Harness, slot: number, more: object = {}): Promise<number> {
    await this.open(harness, slot, more);
    return this.begin();
  }

  /** Opens a stream. The engine may have to wait before it answers. */
  async open(harness: Harness, slot: number, more: object = {}): Promise<void> {
    this.#harness = harness;
    this.slot = slot;
    this.#seen = harness.sent.length;
    await harness.open(slot, { streamClock: this.clock, confirms: true, clockAt: this.confirmed, ...more });
  }

  /** Reads from which position the engine wants audio on the opened stream. @returns `resume_at_ms`. */
  begin(): number {
    const resumeAt = this.#events('conversation_session')[0]?.resume_at_ms as number;
    this.#next = resumeAt / frameMs;
    return resumeAt;
  }

  /** Sends the next frames of the recording. @throws if one of them is deleted. */
  async send(count = Number.POSITIVE_INFINITY): Promise<void> {
    const end = Math.min(this.frames.length, this.#next + count);
    const frames = this.frames.slice(this.#next, end);
    if (frames.includes(undefined)) throw new Error(`frame ${this.#next} is deleted`);
    this.#next = end;
    this.#harness!.stream(this.slot, frames as number[]);
    await this.#harness!.settle();
    this.read();
  }

  /** Reads the messages of the engine, and deletes the confirmed audio. */
  read(): void {
    for (const { confirmed_ms: position } of this.#events('audio_confirmed'))
      this.confirmed = Math.max(this.confirmed, position as number);
    this.frames.fill(undefined, 0, this.confirmed / frameMs);
  }

  /** Number of recorded frames that are not sent. */
  get ahead(): number {
    return this.frames.length - this.#next;
  }

  get isClosed(): boolean {
    return this.#messages().some(({ kind }) => kind === 'close');
  }

  #messages() {
    const { sent } = this.#harness!;
    return sent
      .slice(this.#seen)
      .filter((message) => message.kind !== 'drained' && message.slot === this.slot);
  }

  #events(type: string): ServerEvent[] {
    return this.#messages().flatMap((message) => {
      if (message.kind !== 'send') return [];
      const value = JSON.parse(message.text) as ServerEvent;
      return value.type === type ? [value] : [];
    });
  }
}

/** Returns the voices whose words a journal stores, in order, with repetitions. */
export const storedVoices = (harness: Harness): number[] =>
  [...harness.journal.conversations.values()]
    .flatMap(({ id }) => harness.journal.texts(id))
    .flatMap((text) => [...text.matchAll(/Voice (\d+) says/g)].map(([, voice]) => Number(voice)));
