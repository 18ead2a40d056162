import type { StagedAudio } from '../../audio/files/index.js';
import type { Utterance } from '../../audio/interface/index.js';
import { type Finding, findingOfFile } from '../../audio/readability/index.js';
import type { RecordingDecoder } from '../../audio/recording/index.js';
import { CochleaError } from '../../errors/index.js';
import type { StreamFormat } from '../../wire/index.js';

/** Audio that the core decodes: frames, each preceded by its length. */
export type FramedAudio = Pick<StagedAudio, 'format' | 'frames'>;

/**
 * Divides audio into utterances in the same way as on live streams, and yields the utterances. When the caller stops
 * iterating, decoding ends too.
 * @throws CochleaError recording_invalid after the last utterance if a frame was invalid, because words may be missing;
 * the signal's reason.
 */
export async function* decodedUtterances(
  decoder: Pick<RecordingDecoder, 'decode'>,
  audio: FramedAudio,
  signal: AbortSignal,
): AsyncGenerator<Utterance> {
  const decoding = decoder.decode(audio.format, audio.frames());
  try {
    for (;;) {
      const { value, done } = await decoding.next();
      signal.throwIfAborted();
      if (!done) {
        yield value;
        continue;
      }
      if (value.finding !== undefined) throw wrongForm(value.finding, audio.format);
      if (value.invalid > 0 || value.decoded === 0)
        throw new CochleaError('recording_invalid', { why: 'a frame cannot be decoded' });
      return;
    }
  } finally {
    await decoding.return({ decoded: 0, invalid: 0 });
  }
}

const wrongForm = (finding: Finding, declared: StreamFormat): CochleaError => {
  const { why, remedy } = findingOfFile(finding, declared);
  return new CochleaError('recording_invalid', { why: `${why}. ${remedy}` });
};

/** Yields the samples of each utterance of `decodedUtterances`: 16-bit mono at 16 kHz. */
export async function* decodedParts(
  decoder: Pick<RecordingDecoder, 'decode'>,
  audio: FramedAudio,
  signal: AbortSignal,
): AsyncGenerator<Int16Array> {
  for await (const { pcm } of decodedUtterances(decoder, audio, signal)) yield pcm;
}
