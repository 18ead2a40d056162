import { type Analysis, addPinkNoise } from '../../audio/index.js';
import { joinSamples } from '../../common/index.js';
import { averageEmbedding, type SpeakerEncoder } from '../../models/index.js';
import { embedWindows, melWindows } from './embedding.js';
import type { FineGate, Stretch } from './fine-gate.js';
import { cutWindows, newVoiceStream } from './stream.js';

const samplesPerMs = 16;
/** Maximum length in ms of the speech that is used. More speech does not improve the embedding. */
const longest = 30_000;
/**
 * Signal-to-noise ratio (dB) for the second embedding, which is computed from the recording with added noise. Noise
 * changes an embedding more than recording on a different day does. Without the second embedding, a voice recorded in
 * silence would not be recognised in noise.
 */
const noiseRatio = 15;

/** The voice computed from a recording. */
export interface EnrolledVoice {
  /** Length in ms of the speech that was used. */
  readonly speech: number;
  /**
   * Embeddings of length one. The first is of the recording, the second of the recording with noise. Empty if the
   * recording has no speech.
   */
  readonly embeddings: readonly Float32Array[];
}

export interface EnrolmentTools {
  readonly encoder: SpeakerEncoder;
  readonly analysis: Analysis;
  readonly gate: FineGate;
}

/** Returns the first `longest` ms of the stretches of speech. */
const firstOf = (stretches: readonly Stretch[]): Stretch[] => {
  const taken: Stretch[] = [];
  let left = longest * samplesPerMs;
  for (const { from, to } of stretches) {
    if (left <= 0) break;
    taken.push({ from, to: Math.min(to, from + left) });
    left -= to - from;
  }
  return taken;
};

/**
 * Computes the voice of a recording as the mean of its windows of speech. Streams compute voices in the same way, so
 * both can be compared.
 * @param pcm mono samples at 16 kHz; not kept.
 */
export const enrolledVoice = async (
  pcm: Int16Array,
  { encoder, analysis, gate }: EnrolmentTools,
): Promise<EnrolledVoice> => {
  const { dimensions, frontEnd, voices: rule } = encoder.model;
  const stretches = firstOf(await gate.speechIn(pcm));
  const end = stretches.at(-1)?.to ?? 0;
  const speech = joinSamples(stretches.map(({ from, to }) => pcm.subarray(from, to)));
  const spoken = pcm.subarray(0, end);
  const embeddings: Float32Array[] = [];
  for (const condition of [spoken, addPinkNoise(spoken, speech, noiseRatio)]) {
    const cut = cutWindows({ state: newVoiceStream(0, rule), pcm: condition, from: 0 }, stretches, rule);
    const windows = await embedWindows(melWindows(cut, analysis, frontEnd), encoder);
    if (windows.length === 0) break;
    const all = new Float32Array(windows.length * dimensions);
    for (const [index, window] of windows.entries()) all.set(window, index * dimensions);
    embeddings.push(averageEmbedding(all, dimensions));
  }
  return { speech: speech.length / samplesPerMs, embeddings };
};
