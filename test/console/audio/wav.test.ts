/** The product's WAV reader reads the files in which the console saves kept audio. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import t from 'tap';
import { readWavFile } from '../../../src/app/wearable/read-audio.js';
import { wavFile } from '../../../src/console/audio/wav.js';

t.test('a WAV file has the samples, the rate and the channels', async (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'cochlea-wav-'));
  t.teardown(() => rmSync(folder, { recursive: true, force: true }));
  const samples = Int16Array.from({ length: 3200 }, (_, at) => ((at * 37) % 65_536) - 32_768);
  const file = join(folder, 'kept.wav');
  writeFileSync(file, wavFile(samples, 1, 16_000));
  const { pcm, rate } = await readWavFile(file);
  t.same([...pcm], [...samples]);
  t.equal(rate, 16_000);
  const stereo = new DataView(wavFile(samples, 2, 16_000).buffer);
  t.equal(stereo.getUint16(22, true), 2);
  t.equal(stereo.getUint32(28, true), 64_000);
  t.equal(stereo.getUint16(32, true), 4);
});
