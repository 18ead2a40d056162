import type { StagedAudio } from '../../audio/files/index.js';
import type { RecordingDecoder } from '../../audio/recording/index.js';
import { CochleaError } from '../../errors/index.js';

/**
 * The utterances of one file, as the live line would cut them, as 16-bit samples at 16 kHz. The decoding ends with the caller's loop.
 * @throws CochleaError recording_invalid at the end of a file with a frame that is none, because words may be missing; the reason of the signal.
 */
export async function* decodedParts(
  decoder: Pick<RecordingDecoder, 'decode'>,
  audio: StagedAudio,
  signal: AbortSignal,
): AsyncGenerator<Int16Array> {
  const decoding = decoder.decode(audio.format, audio.frames());
  try {
    for (;;) {
      const { value, done } = await decoding.next();
      signal.throwIfAborted();
      if (!done) {
        yield value.pcm;
        continue;
      }
      if (value.invalid > 0 || value.decoded === 0)
        throw new CochleaError('recording_invalid', { why: 'a frame cannot be decoded' });
      return;
    }
  } finally {
    await decoding.return({ decoded: 0, invalid: 0 });
  }
}
