import { type InferenceSession, Tensor } from 'onnxruntime-node';
import type { Decisions, Detector, Track } from './detector.js';
import { Gate } from './gate.js';
import { hiddenSize, rateTensor } from './session.js';
import type { Window } from './windows.js';

const stateTensor = (): Tensor => new Tensor('float32', new Float32Array(2 * hiddenSize), [2, 1, hiddenSize]);

/** Runs the model once for each window. */
class SingleTrack implements Track {
  readonly #session: InferenceSession;
  readonly #decisions: Decisions;
  readonly #gate = new Gate();
  readonly #waiting: Window[] = [];
  readonly #output = new Tensor('float32', new Float32Array(1), [1, 1]);
  #state = stateTensor();
  #next = stateTensor();
  #running = false;

  constructor(session: InferenceSession, decisions: Decisions) {
    this.#session = session;
    this.#decisions = decisions;
  }

  add(window: Window): void {
    this.#waiting.push(window);
    if (!this.#running) void this.#run();
  }

  async #run(): Promise<void> {
    this.#running = true;
    for (let window = this.#waiting.shift(); window !== undefined; window = this.#waiting.shift()) {
      await this.#session.run(
        { input: window.tensor, state: this.#state, sr: rateTensor },
        { output: this.#output, stateN: this.#next },
      );
      [this.#state, this.#next] = [this.#next, this.#state];
      this.#decisions.take(this.#gate, window, (this.#output.data as Float32Array)[0]!);
    }
    this.#running = false;
  }
}

export const singleDetector = (session: InferenceSession, decisions: Decisions): Detector => ({
  open: () => new SingleTrack(session, decisions),
});
