/** One upload has at most the audio that a user may upload in a day. Files beyond it are refused one by one. */
import t from 'tap';
import { CochleaError } from '../../src/errors/cochlea-error.js';
import { UploadReceiver } from '../../src/service/recordings/receive-upload.js';
import { openRecordingFiles } from '../../src/service/recordings/recording-files.js';
import { createRateLimits } from '../../src/sidecar/limits/index.js';
import { uploadAudio } from '../../src/sidecar/own/recorded-audio.js';
import { frameFile, recordingName } from './frame-files.js';

/** A second of silence as PCM. */
const second = Array.from({ length: 50 }, () => Buffer.alloc(640));

t.test('files beyond the audio of an upload are refused', async (t) => {
  const files = await openRecordingFiles(t.testdir(), undefined);
  const beyond = new CochleaError('rate_limited', { policy: 'recordings:audio', seconds: 86_400 });
  const receive = async (...seconds: readonly number[]) => {
    const receiver = new UploadReceiver(files, { ofFile: 10_000, ofUpload: 5000, beyond });
    for (const [index, length] of seconds.entries()) {
      const file = frameFile(new Array(length).fill(second).flat());
      await receiver.take(
        recordingName(Date.now() - 86_400_000 + index * 60_000, 'pcm16_16000_1'),
        (async function* () {
          yield file;
        })(),
      );
    }
    const { received, refused } = receiver.result();
    const stored = await files.olderThan(Number.POSITIVE_INFINITY);
    t.equal(stored.length, received.length, 'the audio of refused files is removed');
    await receiver.discard();
    return {
      accepted: received.map(({ duration }) => duration / 1000),
      refused: refused.map(({ code, details }) => ({ code, ...details })),
    };
  };
  const refusal = { code: 'rate_limited', policy: 'recordings:audio', seconds: 86_400 };
  t.same(await receive(2, 3), { accepted: [2, 3], refused: [] });
  t.same(
    await receive(2, 4, 3, 1),
    { accepted: [2, 3], refused: [refusal, refusal] },
    'a short one still fits',
  );
  t.same(await receive(6), { accepted: [6], refused: [] }, 'a file alone could never succeed otherwise');
  t.same(await receive(6, 1), { accepted: [6], refused: [refusal] });
});

t.test('an upload can have the audio of a day', async (t) => {
  const settings = {
    rateLimitBoost: 2,
    rateLimitBoostExempt: [],
    rateLimitShadow: false,
    maxKeyRequestsPerAddress: 1,
  };
  const limits = createRateLimits(undefined as never, settings as never);
  t.match(uploadAudio(limits, 1000), { ofFile: 1000, ofUpload: 2 * 72 * 3_600_000 });
});
