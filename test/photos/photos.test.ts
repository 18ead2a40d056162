/** Tests image files: which bytes are accepted as an image, their place, their encryption, and the links that open them. */
import { randomBytes } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import t from 'tap';
import { keepPhoto } from '../../src/photos/keep-photo.js';
import { openPhotoFiles } from '../../src/photos/photo-files.js';
import { isPhotoLink, signPhotoLink } from '../../src/photos/photo-link.js';
import { parsePhotoName } from '../../src/photos/photo-name.js';
import { photoTypeOf } from '../../src/photos/photo-type.js';

const bytesOf = (text: string): Buffer => Buffer.from(text, 'latin1');
const png = bytesOf('\x89PNG\r\n\x1a\n\0\0\0\rIHDR\0\0\0\x01\0\0\0\x01');

const settingsOf = (dataDir: string, retainedKey = '') => ({
  dataDir,
  bucketUrl: '',
  bucketRegion: '',
  bucketAccessKey: '',
  bucketSecretKey: '',
  retainedKey,
  retainedKeyFile: '',
});

t.test('the first bytes say what an image is', async (t) => {
  const cases: readonly (readonly [string, string | null])[] = [
    ['\xff\xd8\xff\xe0\0\x10JFIF', 'image/jpeg'],
    [png.toString('latin1'), 'image/png'],
    ['GIF89a\x01\0\x01\0', 'image/gif'],
    ['GIF87a\x01\0\x01\0', 'image/gif'],
    ['RIFF\x10\0\0\0WEBPVP8 ', 'image/webp'],
    ['RIFF\x10\0\0\0WAVEfmt ', null],
    ['<svg xmlns="http://www.w3.org/2000/svg">', null],
    ['<html>', null],
    ['\xff\xd8', null],
    ['%PDF-1.7', null],
    ['', null],
  ];
  for (const [text, type] of cases) t.equal(photoTypeOf(bytesOf(text)), type, JSON.stringify(text));
});

for (const key of ['', randomBytes(32).toString('hex')]) {
  t.test(`images are kept ${key === '' ? 'as they are' : 'encrypted'}`, async (t) => {
    const dataDir = t.testdir();
    const files = await openPhotoFiles(settingsOf(dataDir, key));
    const base64 = png.toString('base64');
    const parts = [base64.slice(0, 7), base64.slice(7)].map((part) => Buffer.from(part));
    const kept = await keepPhoto(files, 'ann', parts, png.length);
    if (!('photo' in kept)) throw new Error(kept.refusal);
    const { photo } = kept;
    t.match(photo, { contentType: 'image/png', bytes: png.length, place: files.place });
    t.same(await files.read(photo.file), png);
    t.same(await files.list(), [photo.file]);
    t.equal(parsePhotoName(photo.file)?.id, photo.id);
    t.notOk(photo.file.includes('ann'), 'its name does not say whose it is');
    const [name] = await readdir(join(dataDir, 'photos'));
    const stored = await readFile(join(dataDir, 'photos', name!));
    t.equal(stored.includes(png), key === '');
    if (key !== '') {
      const other = await openPhotoFiles(settingsOf(dataDir, randomBytes(32).toString('hex')));
      await t.rejects(other.read(photo.file), { code: 'photo_unreadable' });
      await t.rejects((await openPhotoFiles(settingsOf(dataDir))).read(photo.file), {
        code: 'photo_unreadable',
      });
    }
    await files.remove(photo.file);
    t.equal(await files.read(photo.file), undefined);
    t.equal(await files.read('../issuer-secret'), undefined, 'only what is named as a photo is read');
  });
}

t.test('what is no image is not written', async (t) => {
  const files = await openPhotoFiles(settingsOf(t.testdir()));
  const keep = (text: string, most = 1000) => keepPhoto(files, 'ann', [Buffer.from(text)], most);
  t.same(await keep('%%%%'), { refusal: 'image_invalid' }, 'no base64');
  t.same(await keep('QUJD=QUJD'), { refusal: 'image_invalid' }, 'padding in the middle');
  t.same(await keep(Buffer.from('<svg>').toString('base64')), { refusal: 'image_invalid' });
  t.same(await keep(png.toString('base64'), png.length - 1), { refusal: 'image_too_large' });
  t.same(await files.list(), []);
});

t.test('a link opens one image until it expires', async (t) => {
  const key = randomBytes(32);
  const link = signPhotoLink(key, 'one', 100);
  t.ok(isPhotoLink(key, link, 99_999));
  t.notOk(isPhotoLink(key, link, 100_000), 'not any more');
  t.notOk(isPhotoLink(key, { ...link, expires: 101 }, 0), 'nor for longer');
  t.notOk(isPhotoLink(key, { ...link, id: 'two' }, 0));
  t.notOk(isPhotoLink(randomBytes(32), link, 0));
  for (const signature of ['', 'x', `${link.signature}A`, `${link.signature.slice(1)}*`])
    t.notOk(isPhotoLink(key, { ...link, signature }, 0));
});
