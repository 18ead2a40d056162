/** The close frame tells a refused client how to react. */
import t from 'tap';
import { baseCodecs, checkFormat } from '../../../src/audio/interface/format.js';
import { longestCloseReason } from '../../../src/common/close-reason.js';
import { refusalReason } from '../../../src/engine/shared/outbox.js';
import { CochleaError } from '../../../src/errors/cochlea-error.js';
import { codecs, type StreamFormat } from '../../../src/wire/stream.js';

const refusal = (format: StreamFormat, available = baseCodecs): CochleaError => {
  try {
    checkFormat(format, available, {
      aac: 'Install libavcodec, the library of FFmpeg, and start the engine again.',
    });
  } catch (thrown) {
    return thrown as CochleaError;
  }
  throw new Error('not refused');
};

t.test('the remedy for a refused format fits into the close frame', async (t) => {
  for (const codec of codecs.filter((one) => !baseCodecs.includes(one))) {
    for (const available of [baseCodecs, codecs.filter((one) => one !== codec)]) {
      const reason = refusalReason(refusal({ codec, sampleRate: 16_000, channels: 1 }, available));
      t.match(
        reason,
        new RegExp(`^Codec ${codec} is not available on this engine\\. Send one of pcm8, .*\\.$`),
      );
      t.ok(Buffer.byteLength(reason) <= longestCloseReason, reason);
    }
  }
  for (const codec of codecs) {
    const reason = refusalReason(refusal({ codec, sampleRate: 96_001, channels: 1 }, codecs));
    t.match(reason, /got 96001\. Send one of the listed rates\.$/);
    t.ok(Buffer.byteLength(reason) <= longestCloseReason, reason);
  }
  t.equal(
    refusalReason(refusal({ codec: 'pcm16', sampleRate: 16_000, channels: 3 as 2 })),
    'channels must be 1 or 2, got 3. Send mono or stereo.',
  );
});

t.test('other reasons keep the values that clients compare', async (t) => {
  t.equal(refusalReason(new CochleaError('transcription_unavailable')), 'transcription_service_unavailable');
  t.equal(refusalReason(new CochleaError('shard_lost')), 'shard_lost');
});
