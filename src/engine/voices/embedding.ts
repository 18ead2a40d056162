import type { Analysis } from '../../audio/index.js';
import { type SpeakerEncoder, type SpeakerFrontEnd, speechGain } from '../../models/index.js';
import type { CutWindows } from './stream.js';

/** Mel frames of one window. `mels` contains `frames` rows with one value per band. */
export interface MelWindow {
  readonly frames: number;
  readonly mels: Float32Array;
}

/**
 * Computes the mel frames of windows. One spectrogram is computed for all speech. Each window is then scaled to the
 * level that the model's front end expects. The bands are powers, so the gain of the samples is squared.
 */
export const melWindows = (
  { speech, windows }: Pick<CutWindows, 'speech' | 'windows'>,
  analysis: Analysis,
  frontEnd: SpeakerFrontEnd,
): MelWindow[] => {
  if (windows.length === 0) return [];
  const { bands, hop } = frontEnd;
  const all = analysis.melSpectrogram(speech, 1);
  return windows.map(({ from, to }) => {
    const frames = Math.round((to - from) / hop);
    const first = Math.round(from / hop);
    const gain = speechGain(speech.subarray(from, to), frontEnd) ** 2;
    const mels = all.slice(first * bands, (first + frames) * bands);
    return { frames, mels: mels.map((value) => value * gain) };
  });
};

/**
 * Computes the embedding of each window, normalised to length one. Windows with the same number of frames share one
 * run of the model.
 */
export const embedWindows = async (
  windows: readonly MelWindow[],
  encoder: SpeakerEncoder,
): Promise<Float32Array[]> => {
  const { dimensions } = encoder.model;
  const found: Float32Array[] = new Array(windows.length);
  for (const frames of new Set(windows.map((window) => window.frames))) {
    const places = windows.flatMap((window, index) => (window.frames === frames ? [index] : []));
    const size = windows[places[0]!]!.mels.length;
    const partials = new Float32Array(places.length * size);
    places.forEach((place, index) => {
      partials.set(windows[place]!.mels, index * size);
    });
    const embeddings = await encoder.encode(partials, frames);
    places.forEach((place, index) => {
      found[place] = embeddings.slice(index * dimensions, (index + 1) * dimensions);
    });
  }
  return found;
};
