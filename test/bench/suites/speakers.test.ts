/** `bench speakers` without voices reports them as missing and fails. */
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import t from 'tap';
import { bench } from '../../support/bench-command.js';

t.test('a folder without enough voices is refused', async (t) => {
  const folder = await mkdtemp(join(tmpdir(), 'cochlea-voices-'));
  t.teardown(() => rm(folder, { recursive: true }));
  const two = join(folder, 'two');
  for (const name of ['ann', 'ben', 'nothing']) await mkdir(join(two, name), { recursive: true });
  for (const name of ['ann/1.wav', 'ben/1.flac', 'nothing/readme.txt']) await writeFile(join(two, name), '');
  const file = join(folder, 'file');
  await writeFile(file, '');
  const table: readonly [string, readonly string[], RegExp][] = [
    [join(folder, 'none'), [], /none cannot be read \(ENOENT\): it holds a folder for each voice/],
    [file, ['--live'], /file cannot be read \(ENOTDIR\)/],
    [
      two,
      [],
      /two has 2 of the 4 voices that are needed: it holds a folder for each voice, with FLAC or WAV/,
    ],
    [join(two, 'ann'), ['--live'], /ann has 0 of the 2 voices/],
  ];
  await Promise.all(
    table.map(async ([given, more, why]) => {
      const { code, out, error } = await bench(['speakers', '--voices', given, ...more]);
      t.equal(code, 1, given);
      t.match(error, why);
      t.notMatch(error + out, /Cannot read properties|\n {4}at /, 'no stack');
    }),
  );
});

t.test('if nothing could be measured, the command fails', async (t) => {
  const { code, out } = await bench(['speakers'], { PATH: '' });
  t.match(out, /not measured: conversations: python3 is missing/);
  t.equal(code, 1);
});
