/** When the store of retained audio is full, the engine reports it and refuses new streams. It deletes nothing. */
import { chmodSync, mkdirSync, mkdtempSync, rmSync, statSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import t from 'tap';
import { metric, startService } from '../support/service.js';

t.test(
  'if the store of retained audio is full, the engine refuses new streams',
  { timeout: 120_000 },
  async (t) => {
    const dataDir = mkdtempSync(join(tmpdir(), 'cochlea-full-'));
    t.teardown(() => rmSync(dataDir, { recursive: true, force: true }));
    const audio = join(dataDir, 'audio');
    const earlier = join(audio, 'of-an-earlier-run.wav');
    mkdirSync(audio);
    chmodSync(audio, 0o755);
    writeFileSync(earlier, '');
    truncateSync(earlier, 1_048_576);
    const service = await startService(t, { COCHLEA_DATA_DIR: dataDir, RETAINED_AUDIO_SIZE: '1048576' });
    const user = await service.user('ada');
    await t.rejects(service.wearable(user), { message: /HTTP 503/ }, 'a new stream is refused');
    t.equal((await fetch(`${service.base}/engine/health/ready`)).status, 503, 'the engine is not ready');
    t.equal(await metric(service, 'retained_audio_full'), 1);
    t.equal(await metric(service, 'retained_audio_bytes'), 1_048_576);
    t.equal(statSync(earlier).size, 1_048_576, 'what is there stays');
    t.equal(statSync(audio).mode & 0o777, 0o700, 'for the owner only, although it was open before');
  },
);
