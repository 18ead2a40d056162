import { joinSamples } from '../../common/index.js';
import {
  addWindow,
  noVoices,
  type VoiceMove,
  type VoiceRule,
  type VoiceState,
  type VoiceWindow,
} from '../../transcript/index.js';
import type { Stretch } from './fine-gate.js';
import type { VoicePiece } from './pieces.js';

const samplesPerMs = 16;

/** A run of speech without pauses, with the time at which it was spoken. */
interface SpeechRun {
  readonly samples: number;
  /** Wall clock (ms) of the first sample of the run. */
  readonly from: number;
}

/** State of a stream's diarization between two pieces. It is plain data, because it is sent to a worker and back. */
export interface VoiceStreamState {
  readonly voices: VoiceState;
  /** The last samples of speech. The windows of the next piece begin within them. */
  readonly tail: Int16Array;
  readonly runs: readonly SpeechRun[];
  /** Number of samples of speech that are still missing for the next window. */
  readonly next: number;
}

/** A piece of audio to diarize. If `fresh` is absent, all of the audio is new. */
export interface VoiceJob extends Omit<VoicePiece, 'fresh'>, Partial<Pick<VoicePiece, 'fresh'>> {
  readonly state: VoiceStreamState;
}

export interface VoiceResult {
  readonly state: VoiceStreamState;
  readonly moves: readonly VoiceMove[];
  /** All windows of the piece. `state` may contain fewer windows. */
  readonly windows: readonly VoiceWindow[];
}

/**
 * Adds the windows of a piece of audio to the voices of its stream. @param embeddings one embedding per window, in
 * order.
 */
export const addWindows = (
  { state }: Pick<VoiceJob, 'state'>,
  { middles, rest }: Pick<CutWindows, 'middles' | 'rest'>,
  embeddings: readonly Float32Array[],
  rule: VoiceRule,
): VoiceResult => {
  let { voices } = state;
  const moves: VoiceMove[] = [];
  const windows = new Map<number, VoiceWindow>();
  const began = middles[0] ?? Number.POSITIVE_INFINITY;
  middles.forEach((at, index) => {
    const added = addWindow(voices, { embedding: embeddings[index]!, at }, rule);
    voices = added.state;
    moves.push(...added.moves);
    for (const { from, to } of added.moves) {
      for (const [middle, window] of windows)
        if (window.voice === from) windows.set(middle, { ...window, voice: to });
    }
    for (const window of voices.windows) if (window.at >= began) windows.set(window.at, window);
  });
  return { state: { voices, ...rest }, moves, windows: [...windows.values()] };
};

/** Returns the initial state of a stream. @param next number of the first voice. */
export const newVoiceStream = (
  next: number,
  { firstWindow }: Pick<VoiceRule, 'firstWindow'>,
): VoiceStreamState => ({
  voices: noVoices(next),
  tail: new Int16Array(0),
  runs: [],
  next: firstWindow * samplesPerMs,
});

/** Returns the state to store while no stream is connected. It contains the voices, but no audio and no windows. */
export const restingVoiceStream = (state: VoiceStreamState, rule: VoiceRule): VoiceStreamState => ({
  ...newVoiceStream(state.voices.next, rule),
  voices: { ...state.voices, windows: [] },
});

/** Windows that are complete after a piece of audio was added to the stream's speech. */
export interface CutWindows {
  /** The remaining speech of earlier pieces, followed by the speech of this piece. It contains no pauses. */
  readonly speech: Int16Array;
  /** Start and end of each window, as sample indexes into `speech`. */
  readonly windows: readonly Stretch[];
  /** Wall clock (ms) of the middle of each window. */
  readonly middles: readonly number[];
  readonly rest: Omit<VoiceStreamState, 'voices'>;
}

/** Clips stretches to the range from `from` to `to`, and drops stretches outside this range. */
export const within = (stretches: readonly Stretch[], { from, to }: Stretch): Stretch[] =>
  stretches
    .map((stretch) => ({ from: Math.max(from, stretch.from), to: Math.min(to, stretch.to) }))
    .filter((stretch) => stretch.to > stretch.from);

/**
 * Cuts the speech of a piece of audio into windows that continue the windows of earlier pieces.
 * @param found all speech in the piece, including its old part.
 */
export const cutWindows = (
  { state, pcm, from, fresh = { from: 0, to: pcm.length } }: VoiceJob,
  found: readonly Stretch[],
  rule: VoiceRule,
): CutWindows => {
  const stretches = within(found, fresh);
  const parts = stretches.map((stretch) => pcm.subarray(stretch.from, stretch.to));
  const speech = joinSamples([state.tail, ...parts]);
  const runs = [
    ...state.runs,
    ...stretches.map((stretch) => ({
      samples: stretch.to - stretch.from,
      from: from + stretch.from / samplesPerMs,
    })),
  ];
  const windows: Stretch[] = [];
  let end = state.tail.length + state.next;
  for (; end <= speech.length; end += rule.hop * samplesPerMs) {
    windows.push({ from: Math.max(0, end - rule.window * samplesPerMs), to: end });
  }
  const kept = Math.min(speech.length, rule.window * samplesPerMs);
  return {
    speech,
    windows,
    middles: windows.map((window) => wallOf(runs, (window.from + window.to) / 2)),
    rest: { tail: speech.slice(speech.length - kept), runs: lastRuns(runs, kept), next: end - speech.length },
  };
};

const wallOf = (runs: readonly SpeechRun[], sample: number): number => {
  let before = 0;
  for (const { samples, from } of runs) {
    if (sample < before + samples) return from + (sample - before) / samplesPerMs;
    before += samples;
  }
  const last = runs.at(-1)!;
  return last.from + last.samples / samplesPerMs;
};

const lastRuns = (runs: readonly SpeechRun[], samples: number): SpeechRun[] => {
  const kept: SpeechRun[] = [];
  let left = samples;
  for (const run of [...runs].reverse()) {
    if (left <= 0) break;
    const taken = Math.min(left, run.samples);
    kept.unshift({ samples: taken, from: run.from + (run.samples - taken) / samplesPerMs });
    left -= taken;
  }
  return kept;
};
