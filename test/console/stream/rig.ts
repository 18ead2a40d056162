/** A live stream with a fake engine and a clock that the test moves. */
import {
  LiveStream,
  type LiveStreamOptions,
  type StreamState,
} from '../../../src/console/stream/live-stream.js';
import { FakeEngine, FakeTime, numberedFrame } from './fake-engine.js';

const step = 20;

interface RigOptions extends Partial<LiveStreamOptions> {
  /** Seconds from the end of an utterance until its words are stored. */
  readonly delay?: number;
  /** An engine that a different stream also uses, and the clock of this engine. */
  readonly shared?: { readonly engine: FakeEngine; readonly time: FakeTime };
}

/** Returns a stream, its engine and its clock, and functions that record and wait. */
export const startRig = (options: RigOptions = {}) => {
  const time = options.shared?.time ?? new FakeTime();
  const engine = options.shared?.engine ?? new FakeEngine(time, options.delay ?? 1);
  const states: StreamState[] = [];
  const spoken: number[] = [];
  let [recorded, tokens] = [0, 0];
  const stream = new LiveStream({
    address: 'ws://engine/v4/web/listen',
    parameters: { source: 'desktop' },
    clock: 'recording-1',
    open: engine.openSocket,
    token: async () => ({ token: `token-${++tokens}`, expires_in: 600 }),
    time,
    random: () => 0.5,
    onState: (state) => states.push(state),
    onMessage: () => undefined,
    ...options,
  });
  /** Records for some seconds. @param isSpeech decides by the number of the frame. */
  const record = async (seconds: number, isSpeech: (frame: number) => boolean): Promise<void> => {
    for (let at = 0; at < seconds * 1000; at += step) {
      const speech = isSpeech(recorded);
      if (speech && !stream.muted) spoken.push(recorded);
      stream.push(numberedFrame(recorded++, speech));
      engine.tick();
      await time.advance(step);
    }
  };
  const wait = async (seconds: number): Promise<void> => {
    for (let at = 0; at < seconds * 1000; at += 100) {
      engine.tick();
      await time.advance(100);
    }
  };
  const kinds = (): string[] => states.map(({ kind }) => kind);
  /** Frames of speech that are not stored exactly once. */
  const wrong = (): number[] => spoken.filter((frame) => engine.stored.get(frame) !== 1);
  return { wrong, time, engine, states, spoken, stream, record, wait, kinds };
};

/** Speech of 3 s, then silence of 1.2 s. */
export const sentences = (frame: number): boolean => frame % 210 < 150;
