import type { TellVoices } from '../../../src/engine/voices/channel.js';
import { addWindows, cutWindows } from '../../../src/engine/voices/stream.js';
import { speakerModel } from '../../../src/models/speaker-model.js';

const { voices: rule } = speakerModel('ge2e');

/** Returns the embedding of a voice of the fake codec. */
export const directionOf = (voice: number): Float32Array =>
  Float32Array.from({ length: 16 }, (_, index) => (index === voice ? 1 : 0));

/** A fake speaker model. Every voice of the fake codec has its own embedding, and silence has none. */
export const tellDirections: TellVoices = async (job) => {
  const first = job.pcm.findIndex((sample) => sample !== 0);
  const last = job.pcm.findLastIndex((sample) => sample !== 0) + 1;
  const cut = cutWindows(job, first < 0 ? [] : [{ from: first, to: last }], rule);
  const embeddings = cut.windows.map(({ from, to }) => {
    const embedding = new Float32Array(16);
    for (const sample of cut.speech.subarray(from, to)) embedding[sample % 16]! += 1;
    const length = Math.hypot(...embedding);
    return embedding.map((value) => value / length);
  });
  return addWindows(job, cut, embeddings, rule);
};
