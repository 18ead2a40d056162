/** Length in ms of a frame. */
export const frameMs = 20;
/** Length in s of a frame. */
export const frameSeconds = frameMs / 1000;
/** Bytes of a frame of one channel: 20 ms of signed 16-bit samples at 16 kHz. */
export const frameBytes = 640;

/** Limit on the audio that is kept because the engine has not confirmed it. The first limit that is reached applies. */
export interface KeptLimit {
  readonly seconds: number;
  readonly bytes: number;
}

/** Ten minutes of one channel, or five minutes of two channels. */
export const usualLimit: KeptLimit = { seconds: 600, bytes: 20_000_000 };
/**
 * Seconds of audio that are dropped at once when the limit is reached. Each drop opens a new connection, so drops
 * should be rare.
 */
export const droppedAtOnce = 30;

/**
 * The audio that the engine has not confirmed. Frames are numbered from the start of the recording. So the position of
 * a frame on the clock of the recording is its number times 20 ms.
 */
export class RecordedAudio {
  readonly #frames = new Map<number, Uint8Array<ArrayBuffer>>();
  readonly #most: number;
  #first = 0;
  #next = 0;
  #end = 0;
  #confirmed = 0;
  /**
   * Frames before this number may have been sent and then dropped without a confirmation. The engine may have stored
   * them.
   */
  #doubtful = 0;
  #lost = 0;

  /** @param channels 1 or 2; two channels are interleaved. */
  constructor(channels: number, limit: KeptLimit = usualLimit) {
    const bytes = Math.floor(limit.bytes / (frameBytes * channels));
    this.#most = Math.max(1, Math.min(Math.floor(limit.seconds / frameSeconds), bytes));
  }

  /** Seconds of audio that wait to be sent. */
  get waiting(): number {
    return (this.#end - this.#next) * frameSeconds;
  }

  /** Seconds of audio that are kept because they are not confirmed. */
  get kept(): number {
    return (this.#end - this.#first) * frameSeconds;
  }

  /** Seconds of audio that were dropped and are not stored. */
  get lost(): number {
    return this.#lost * frameSeconds;
  }

  /** Position in ms of the first kept frame. All audio before it is confirmed or dropped. */
  get position(): number {
    return this.#first * frameMs;
  }

  /** Position in ms of the end of the recording. */
  get end(): number {
    return this.#end * frameMs;
  }

  /**
   * Adds a frame, which this object then owns. If the limit is reached, drops the oldest audio.
   * @returns whether unsent audio was dropped. The positions of the open connection are then wrong.
   */
  add(frame: Uint8Array<ArrayBuffer>): boolean {
    this.#frames.set(this.#end++, frame);
    if (this.#end - this.#first <= this.#most) return false;
    const drop = Math.min(droppedAtOnce / frameSeconds, Math.ceil(this.#most / 10));
    const first = this.#first + drop;
    const unsent = Math.max(0, first - Math.max(this.#next, this.#first));
    this.#doubtful = Math.max(this.#doubtful, Math.min(first, this.#next));
    this.#lost += unsent;
    this.#forget(first);
    return unsent > 0;
  }

  /** Returns the next frame and counts it as sent; undefined if no frame waits. */
  take(): Uint8Array<ArrayBuffer> | undefined {
    return this.#next === this.#end ? undefined : this.#frames.get(this.#next++);
  }

  /** Forgets the audio before a position in ms, because the engine has stored it. */
  confirm(position: number): void {
    this.#confirmed = Math.max(this.#confirmed, Math.min(this.#end, Math.floor(position / frameMs)));
    this.#forget(this.#confirmed);
  }

  /**
   * Continues on a new connection: the next frame to send is the one at a position in ms.
   * @param position undefined if the engine uses no positions. Audio that was sent then counts as stored.
   */
  resume(position: number | undefined): void {
    if (position === undefined) this.confirm(this.#next * frameMs);
    else {
      // If the engine had stored the dropped audio, it would ask for a position after that audio.
      if (position <= this.position) this.#lost += Math.max(0, this.#doubtful - this.#confirmed);
      this.confirm(position);
      this.#confirmed = this.#first;
      this.#next = this.#first;
    }
  }

  /** Returns the kept audio: signed 16-bit samples at 16 kHz. */
  samples(): Int16Array<ArrayBuffer> {
    const frames = [...this.#frames.values()];
    const bytes = new Uint8Array(frames.reduce((sum, { length }) => sum + length, 0));
    let at = 0;
    for (const frame of frames) {
      bytes.set(frame, at);
      at += frame.length;
    }
    return new Int16Array(bytes.buffer);
  }

  #forget(first: number): void {
    while (this.#first < first) this.#frames.delete(this.#first++);
    this.#next = Math.max(this.#next, this.#first);
  }
}
