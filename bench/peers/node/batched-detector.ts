import { type InferenceSession, Tensor } from 'onnxruntime-node';
import type { Decisions, Detector, Track } from './detector.js';
import { Gate } from './gate.js';
import { hiddenSize, rateTensor } from './session.js';
import { inputSamples, type Window } from './windows.js';

/** A run starts as soon as this many streams have a complete window. */
const enough = 32;
/** A run starts at the latest when the oldest window has waited for this many ms. */
const longestWait = 8;

class BatchedTrack implements Track {
  readonly gate = new Gate();
  readonly hidden = new Float32Array(hiddenSize);
  readonly cell = new Float32Array(hiddenSize);
  readonly waiting: Window[] = [];
  readonly #ready: (track: BatchedTrack) => void;

  constructor(ready: (track: BatchedTrack) => void) {
    this.#ready = ready;
  }

  add(window: Window): void {
    this.waiting.push(window);
    if (this.waiting.length === 1) this.#ready(this);
  }
}

/** Returns the tensors for a run with this number of streams. */
const tensorsFor = (count: number) => {
  const tensor = (length: number, dims: readonly number[]) =>
    new Tensor('float32', new Float32Array(length), dims);
  return {
    feeds: {
      input: tensor(count * inputSamples, [count, inputSamples]),
      state: tensor(2 * count * hiddenSize, [2, count, hiddenSize]),
      sr: rateTensor,
    },
    fetches: {
      output: tensor(count, [count, 1]),
      stateN: tensor(2 * count * hiddenSize, [2, count, hiddenSize]),
    },
  };
};

/** Runs the model once for the windows of up to 32 streams. */
class BatchedDetector implements Detector {
  readonly #session: InferenceSession;
  readonly #decisions: Decisions;
  readonly #tensors = Array.from({ length: enough }, (_, i) => tensorsFor(i + 1));
  /** Streams with a waiting window, the oldest first. */
  #ready: BatchedTrack[] = [];
  #timer: NodeJS.Timeout | undefined;
  #running = false;

  constructor(session: InferenceSession, decisions: Decisions) {
    this.#session = session;
    this.#decisions = decisions;
  }

  open(): Track {
    return new BatchedTrack((track) => {
      this.#ready.push(track);
      if (this.#running) return;
      if (this.#ready.length >= enough) void this.#run();
      else this.#timer ??= setTimeout(() => void this.#run(), longestWait);
    });
  }

  async #run(): Promise<void> {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#running = true;
    do await this.#batch(this.#ready.splice(0, enough));
    while (this.#ready.length >= enough);
    this.#running = false;
    if (this.#ready.length > 0) this.#timer = setTimeout(() => void this.#run(), longestWait);
  }

  async #batch(tracks: readonly BatchedTrack[]): Promise<void> {
    const count = tracks.length;
    const { feeds, fetches } = this.#tensors[count - 1]!;
    const input = feeds.input.data as Float32Array;
    const state = feeds.state.data as Float32Array;
    for (const [b, { waiting, hidden, cell }] of tracks.entries()) {
      input.set(waiting[0]!.samples, b * inputSamples);
      state.set(hidden, b * hiddenSize);
      state.set(cell, (count + b) * hiddenSize);
    }
    await this.#session.run(feeds, fetches);
    const output = fetches.output.data as Float32Array;
    const next = fetches.stateN.data as Float32Array;
    for (const [b, track] of tracks.entries()) {
      track.hidden.set(next.subarray(b * hiddenSize, (b + 1) * hiddenSize));
      track.cell.set(next.subarray((count + b) * hiddenSize, (count + b + 1) * hiddenSize));
      this.#decisions.take(track.gate, track.waiting.shift()!, output[b]!);
      if (track.waiting.length > 0) this.#ready.push(track);
    }
  }
}

export const batchedDetector = (session: InferenceSession, decisions: Decisions): Detector =>
  new BatchedDetector(session, decisions);
