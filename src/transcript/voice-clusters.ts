import { cosine, meanOf } from './voice-vectors.js';

/**
 * Parameters for separating the voices of one stream. Each speaker model has its own values. Similarities are cosines.
 * Durations are in ms.
 */
export interface VoiceRule {
  /** Length of the speech in a window. */
  readonly window: number;
  /** Distance between the starts of two consecutive windows. */
  readonly hop: number;
  /** Minimum length of a stream's first window. */
  readonly firstWindow: number;
  /** Minimum similarity between a window and a voice for the window to count as speech of that voice. */
  readonly same: number;
  /** Number of consecutive windows that create a new voice if none of them is similar to a known voice. */
  readonly evidence: number;
  /** Similarity of two voices above which they are merged. */
  readonly merge: number;
  /** A voice with fewer windows than this is small. */
  readonly small: number;
  /**
   * Number of consecutive windows without a small voice after which the voice is dissolved. The number is large,
   * because a person may say one word and then wait a minute.
   */
  readonly unseen: number;
  /** Number of last windows whose labels are decided together. */
  readonly decided: number;
  /** Cost of a change of voice. */
  readonly change: number;
  /** Cost of a change of voice after a pause. */
  readonly changeAtPause: number;
  /** Maximum number of windows that count in the mean of a voice. */
  readonly weight: number;
  /** Maximum number of voices in a stream. */
  readonly voices: number;
}

/** A window of speech with its assigned voice. */
export interface VoiceWindow {
  /** Embedding of the voice in this window, of length one. */
  readonly embedding: Float32Array;
  /** Time of the middle of the window, ms on any clock that does not run backwards. */
  readonly at: number;
  /** Whether there is silence between the middle of the previous window and the middle of this window. */
  readonly pause: boolean;
  /** Number of the assigned voice. */
  readonly voice: number;
  /** Whether the window is similar to its voice. Otherwise the voice is only the nearest of all voices. */
  readonly sure: boolean;
}

/** A voice. `mean` is the mean of its windows, scaled to length one. */
export interface Voice {
  readonly number: number;
  readonly mean: Float32Array;
  readonly weight: number;
  /** Number of windows that are assigned to the voice. */
  readonly windows: number;
  /** Number of the last window that was assigned to the voice. */
  readonly last: number;
}

/** The voices of a stream as plain data, which can be passed between threads. */
export interface VoiceState {
  readonly voices: readonly Voice[];
  /** The last windows, oldest first. Earlier windows no longer change, except by `VoiceMove`. */
  readonly windows: readonly VoiceWindow[];
  /** Number of windows so far. */
  readonly count: number;
  /** Number that the next new voice will get. Numbers are not reused. */
  readonly next: number;
}

/** Reports that all windows of voice `from` now belong to voice `to`. */
export interface VoiceMove {
  readonly from: number;
  readonly to: number;
}

/**
 * Number of last windows that are stored. They include the windows whose labels may still change. They also include
 * earlier windows, from which stored segments get new labels.
 */
const keptWindows = 40;

export const noVoices = (next: number): VoiceState => ({ voices: [], windows: [], count: 0, next });

const nearest = (
  voices: readonly Voice[],
  vector: Float32Array,
): { readonly voice: Voice; readonly similarity: number } | undefined => {
  let found: { voice: Voice; similarity: number } | undefined;
  for (const voice of voices) {
    const similarity = cosine(voice.mean, vector);
    if (found === undefined || similarity > found.similarity) found = { voice, similarity };
  }
  return found;
};

/**
 * Adds a window to the voices of a stream. The result depends only on the arguments.
 *
 * A window similar to a voice is assigned to the nearest voice and updates its mean. Other windows are also assigned to
 * the nearest voice, but count as unsure. Several unsure windows in a row create a new voice. Voices that become
 * similar are merged. If a voice has few windows and gets no further one for long, its windows move to the most similar
 * voice. Then the Viterbi algorithm assigns the last windows again: it weighs their similarity to each voice against a
 * cost for each change of voice.
 */
export const addWindow = (
  state: VoiceState,
  window: Pick<VoiceWindow, 'embedding' | 'at'>,
  rule: VoiceRule,
): { readonly state: VoiceState; readonly moves: readonly VoiceMove[] } => {
  const { embedding, at } = window;
  const last = state.windows.at(-1);
  const pause = last !== undefined && at - last.at > rule.hop * 1.4;
  const found = nearest(state.voices, embedding);
  // The first windows always count as similar. One window is not enough to know the first voice, and a second voice
  // rarely begins in the first second.
  const sure = found === undefined || state.count < rule.evidence || found.similarity >= rule.same;
  const count = state.count + 1;
  let { voices, next } = state;
  let voice = found?.voice.number ?? next;
  if (found === undefined) {
    voices = [{ number: next++, mean: embedding, weight: 1, windows: 1, last: count }];
  } else if (sure) {
    voices = replaced(voices, grown(found.voice, embedding, count, rule));
  }
  let windows: readonly VoiceWindow[] = [...state.windows, { embedding, at, pause, voice, sure }];
  const evidence = windows.slice(-rule.evidence);
  if (!sure && evidence.length === rule.evidence && evidence.every((one) => !one.sure)) {
    const mean = meanOf(evidence.map((one) => ({ vector: one.embedding, weight: 1 })));
    const likest = nearest(voices, mean);
    if (voices.length < rule.voices && (likest === undefined || likest.similarity < rule.same)) {
      voice = next++;
      voices = [
        ...voices,
        { number: voice, mean, weight: rule.evidence, windows: rule.evidence, last: count },
      ];
      const from = windows.length - rule.evidence;
      windows = windows.map((one, index) => (index < from ? one : { ...one, voice, sure: true }));
    }
  }
  const moves: VoiceMove[] = [];
  const move = (from: number, to: number): void => {
    moves.push({ from, to });
    windows = windows.map((one) => (one.voice === from ? { ...one, voice: to } : one));
  };
  voices = merged(voices, rule, move);
  voices = withoutSmall(voices, count, rule, move);
  windows = decided(windows, voices, rule).slice(-keptWindows);
  return { state: { voices, windows, count, next }, moves };
};

const replaced = (voices: readonly Voice[], voice: Voice): Voice[] =>
  voices.map((one) => (one.number === voice.number ? voice : one));

const grown = (voice: Voice, embedding: Float32Array, count: number, { weight: most }: VoiceRule): Voice => {
  const weight = Math.min(voice.weight, most - 1);
  const mean = meanOf([
    { vector: voice.mean, weight },
    { vector: embedding, weight: 1 },
  ]);
  return { ...voice, mean, weight: weight + 1, windows: voice.windows + 1, last: count };
};

const joinedVoice = (kept: Voice, gone: Voice): Voice => ({
  ...kept,
  mean: meanOf([kept, gone].map(({ mean: vector, weight }) => ({ vector, weight }))),
  windows: kept.windows + gone.windows,
  last: Math.max(kept.last, gone.last),
});

/** Merges one voice of a stream into another. */
export const joinVoice = (state: VoiceState, { from, to }: VoiceMove): VoiceState => {
  const gone = state.voices.find(({ number }) => number === from);
  const kept = state.voices.find(({ number }) => number === to);
  const rest = state.voices.filter((voice) => voice !== gone && voice !== kept);
  const one = kept !== undefined && gone !== undefined ? joinedVoice(kept, gone) : (kept ?? gone);
  return {
    ...state,
    voices: one === undefined ? rest : [...rest, { ...one, number: to }],
    windows: state.windows.map((window) => (window.voice === from ? { ...window, voice: to } : window)),
  };
};

/** A voice after a revision, computed from all windows that the revision gave it. */
export interface RevisedVoice {
  readonly number: number;
  /** Mean of the voice's windows, scaled to length one. */
  readonly mean: Float32Array;
  readonly windows: number;
}

/**
 * Updates the voices of a stream after a revision of all its windows.
 * @param revised all remaining voices.
 * @param voiceAt returns the revised voice of the window whose middle is at a time; undefined if that window was
 * not revised.
 */
export const knowVoices = (
  state: VoiceState,
  revised: readonly RevisedVoice[],
  voiceAt: (at: number) => number | undefined,
  { weight: most }: Pick<VoiceRule, 'weight'>,
): VoiceState => ({
  ...state,
  voices: revised.map(({ number, mean, windows }) => {
    const last = state.voices.find((voice) => voice.number === number)?.last ?? state.count;
    return { number, mean, weight: Math.min(windows, most), windows, last };
  }),
  windows: state.windows.map((window) => ({ ...window, voice: voiceAt(window.at) ?? window.voice })),
  next: Math.max(state.next, ...revised.map(({ number }) => number + 1)),
});

const merged = (
  voices: readonly Voice[],
  rule: VoiceRule,
  move: (from: number, to: number) => void,
): readonly Voice[] => {
  for (const [index, one] of voices.entries()) {
    const other = voices.slice(index + 1).find(({ mean }) => cosine(one.mean, mean) > rule.merge);
    if (other === undefined) continue;
    const [kept, gone] = one.number < other.number ? [one, other] : [other, one];
    move(gone.number, kept.number);
    const both = {
      ...joinedVoice(kept, gone),
      weight: Math.min(rule.weight, kept.weight + gone.weight),
    };
    const rest = voices.filter(({ number }) => number !== gone.number);
    return merged(replaced(rest, both), rule, move);
  }
  return voices;
};

const withoutSmall = (
  voices: readonly Voice[],
  count: number,
  rule: VoiceRule,
  move: (from: number, to: number) => void,
): readonly Voice[] => {
  const small = voices.find(({ windows, last }) => windows < rule.small && count - last >= rule.unseen);
  if (small === undefined || voices.length < 2) return voices;
  const rest = voices.filter((voice) => voice !== small);
  move(small.number, nearest(rest, small.mean)!.voice.number);
  return rest;
};

/** Decides the labels of the last windows together (Viterbi). The field `sure` stays unchanged. */
const decided = (
  windows: readonly VoiceWindow[],
  voices: readonly Voice[],
  rule: VoiceRule,
): readonly VoiceWindow[] => {
  if (voices.length < 2) return windows;
  const from = Math.max(0, windows.length - rule.decided);
  const before = windows[from - 1]?.voice;
  let scores = voices.map(({ number }) => (before === undefined || before === number ? 0 : -rule.change));
  const steps: number[][] = [];
  for (const { embedding, pause } of windows.slice(from)) {
    const cost = pause ? rule.changeAtPause : rule.change;
    const best = scores.indexOf(Math.max(...scores));
    const previous = scores;
    const step = scores.map((score, voice) => (previous[best]! - cost > score ? best : voice));
    scores = voices.map(({ mean }, voice) => {
      const stayed = step[voice] === voice;
      return previous[step[voice]!]! - (stayed ? 0 : cost) + cosine(mean, embedding);
    });
    steps.push(step);
  }
  const labels: number[] = [];
  let at = scores.indexOf(Math.max(...scores));
  for (const step of steps.reverse()) {
    labels.unshift(voices[at]!.number);
    at = step[at]!;
  }
  return windows.map((window, index) =>
    index < from ? window : { ...window, voice: labels[index - from]! },
  );
};
