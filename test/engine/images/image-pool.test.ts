/** Tests the thread that writes images. It stores them and reports failures, and its end does not harm the process. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import t from 'tap';
import { loadSettings } from '../../../src/config/load-settings.js';
import { openImagePool } from '../../../src/engine/images/pool.js';
import { createLogger } from '../../../src/log/logger.js';
import { openPhotoFiles } from '../../../src/photos/photo-files.js';

const gif = Buffer.from('GIF89a\x01\0\x01\0\x80\0\0', 'latin1');

/** Each part has its own memory, because the pool transfers that memory to its thread. */
const parts = (): Buffer[] =>
  [0, 5].map((from) => {
    const text = gif.toString('base64').slice(from, from === 0 ? 5 : undefined);
    const part = Buffer.allocUnsafeSlow(text.length);
    part.write(text, 'latin1');
    return part;
  });

t.test('writes images in a thread that ends with the pool', async (t) => {
  const dataDir = t.testdir();
  const settings = { ...loadSettings({ RETAINED_AUDIO_KEY: 'ab'.repeat(32) }).values, dataDir };
  const log = createLogger('test', 'silent');
  const pool = openImagePool(settings, log);
  const kept = await Promise.all(Array.from({ length: 8 }, () => pool.keep('ann', parts())));
  const files = await openPhotoFiles(settings);
  for (const answer of kept) {
    if (!('photo' in answer)) throw new Error(answer.refusal);
    t.same(await files.read(answer.photo.file), gif);
  }
  const [first] = kept;
  if (first !== undefined && 'photo' in first) pool.remove(first.photo.file);
  await pool.stop();
  t.equal((await files.list()).length, 7, 'what was under way is done');
  t.same(await pool.keep('ann', parts()), { refusal: 'try_again' }, 'nothing more is taken');

  writeFileSync(join(dataDir, 'file'), '');
  const broken = openImagePool({ ...settings, dataDir: join(dataDir, 'file') }, log);
  t.same(await broken.keep('ann', parts()), { refusal: 'try_again' }, 'a place that cannot be written to');
  await broken.stop();
});
