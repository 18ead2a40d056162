/**
 * Tests the voice profile of a user over HTTP with the real model: enrolment from files, status, deletion and
 * refusals.
 */
import { execFile } from 'node:child_process';
import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import t from 'tap';
import { openEnrolmentWork } from '../../../src/app/services/enrolment-work.js';
import { createLogger } from '../../../src/log/logger.js';
import { modelsDirectory } from '../../../src/models/directory.js';
import { readKnownVoices } from '../../../src/store/records/voice-profiles.js';
import { cosine } from '../../../src/transcript/voice-vectors.js';
import { withoutNative } from '../../audio/support.js';
import { scene } from '../../support/texts/speech.js';
import { wavFile } from '../../support/texts/wav-file.js';
import { startApi, testSettings, uploadForm } from '../support.js';

const run = promisify(execFile);
const command = fileURLToPath(new URL('../../../src/app/cochlea.js', import.meta.url));
const path = '/v3/upload-audio';
const status = '/v3/speech-profile/status';
const vectors = { model: 'ge2e', dimensions: 256 };

t.test('voice profile of a user', { skip: withoutNative, timeout: 240_000 }, async (t) => {
  const folder = await mkdtemp(join(tmpdir(), 'cochlea-profile-'));
  const modelsDir = modelsDirectory(testSettings());
  const settings = { ...testSettings({ VOICE_PROFILE_LENGTH: '60000' }), dataDir: folder, modelsDir };
  const enrolment = openEnrolmentWork(settings, createLogger('test', 'silent'));
  t.teardown(async () => {
    await enrolment.close();
    await rm(folder, { recursive: true, force: true });
  });
  const api = await startApi(t, {}, undefined, undefined, enrolment);
  const off = await startApi(t, {}, undefined, undefined, null);
  const ann = await api.person();
  const send = (body: unknown, credential = ann.token) =>
    api.call(path, { method: 'POST', credential, body });
  const reader = await scene([0, 1, 2], 300);
  const wav = wavFile(reader.pcm);
  const vectorsOf = async (uid: string): Promise<readonly Float32Array[]> =>
    (await readKnownVoices(api.sql, uid, vectors, { samples: 3, people: 100 })).voices[0]?.embeddings ?? [];

  await t.test('enrols, reports, replaces and deletes a voice profile', async (t) => {
    t.same((await api.call('/v3/speech-profile', { credential: ann.token })).body, { has_profile: false });
    const made = await send(uploadForm({ 'me.wav': wav }));
    t.match(made, { status: 200, body: { has_profile: true, url: null } });
    t.ok(made.body.speech_seconds > 4 && made.body.speech_seconds < reader.pcm.length / 16_000);
    t.same((await api.call('/v3/speech-profile', { credential: ann.token })).body, { has_profile: true });
    t.same((await api.call('/v4/speech-profile', { credential: ann.token })).body, { url: null });
    const { url: _none, ...rest } = made.body;
    t.same((await api.call(status, { credential: ann.token })).body, rest);
    const [clean, noisy] = await vectorsOf(ann.uid);
    for (const vector of [clean!, noisy!]) t.ok(Math.abs(Math.hypot(...vector) - 1) < 1e-4, 'a unit vector');
    const likeness = cosine(clean!, noisy!);
    t.ok(likeness > 0.6 && likeness < 0.995, `noise changes the vector: ${likeness}`);

    t.equal(
      (await send(uploadForm({ 'again.wav': wavFile((await scene([3, 4, 2], 300)).pcm) }))).status,
      200,
    );
    const [other] = await vectorsOf(ann.uid);
    t.ok(cosine(clean!, other!) > 0.85, 'another text of the same speaker');
    t.same(await readdir(join(folder, 'voice')), [], 'the recording is deleted');

    const ben = await api.person();
    t.same((await api.call(status, { credential: ben.token })).body, {
      has_profile: false,
      speech_seconds: null,
      created_at: null,
    });
    const remove = (credential: string) => api.call('/v3/speech-profile', { method: 'DELETE', credential });
    t.equal((await remove(ben.token)).status, 204);
    t.equal((await vectorsOf(ann.uid)).length, 2, 'another user cannot delete it');
    t.equal((await remove(ann.token)).status, 204);
    t.same(await vectorsOf(ann.uid), []);
  });

  await t.test('cochlea listen --enrol enrols a file', async (t) => {
    const file = join(folder, 'me.wav');
    await writeFile(file, wav);
    const listen = (...more: string[]) =>
      run(process.execPath, [
        command,
        'listen',
        file,
        '--enrol',
        '--url',
        api.base.replace('http', 'ws'),
        ...more,
      ]);
    const { stdout, stderr } = await listen('--token', ann.token);
    t.match(stdout, /enrolled from \d+\.\d s of speech/);
    t.notMatch(stderr, /not complete/);
    t.equal((await vectorsOf(ann.uid)).length, 2);
    await t.rejects(listen('--token', 'nonsense'), /refuses the token/);
    await writeFile(file, wav.subarray(0, -9000));
    const cut = await listen('--token', ann.token);
    t.match(cut.stdout, /enrolled from/);
    t.match(cut.stderr, /me\.wav is not complete: it ends before its last sample/);
  });

  await t.test('refuses unsuitable recordings without storing them', async (t) => {
    const before = await vectorsOf(ann.uid);
    const slowest = Buffer.from(wav);
    slowest.writeUInt32LE(1, 24);
    const table: readonly [string, FormData | string, number, RegExp][] = [
      [
        'too little speech',
        uploadForm({ 'a.wav': wavFile(reader.pcm.subarray(0, 48_000)) }),
        400,
        /s of speech/,
      ],
      ['silence', uploadForm({ 'a.wav': wavFile(new Int16Array(160_000)) }), 400, /0\.0 s of speech/],
      ['too long', uploadForm({ 'a.wav': wavFile(new Int16Array(16_000 * 61)) }), 400, /too long/],
      [
        'no audio',
        uploadForm({ 'a.wav': Buffer.from('what is this, then, if not a recording') }),
        400,
        /not an audio file/,
      ],
      ['a truncated header', uploadForm({ 'a.wav': wav.subarray(0, 30) }), 400, /not valid/],
      ['a sample rate of 1 Hz', uploadForm({ 'a.wav': slowest }), 400, /not valid/],
      ['two files', uploadForm({ 'a.wav': wav, 'b.wav': wav }), 400, /too many parts/],
      ['no file', new FormData(), 400, /./],
      ['not a form', '{}', 400, /multipart/],
    ];
    for (const [why, body, code, detail] of table) {
      const answer = await send(body);
      t.equal(answer.status, code, `${why}: ${JSON.stringify(answer.body)}`);
      t.match(JSON.stringify(answer.body), detail, why);
    }
    t.same(await vectorsOf(ann.uid), before);
    t.same(await readdir(join(folder, 'voice')), []);
  });

  await t.test('refuses enrolment if the user or the deployment has disabled it', async (t) => {
    const ben = await api.person();
    const turn = (voice_recognition: boolean) =>
      api.call('/v1/users/settings', { method: 'PATCH', credential: ben.token, body: { voice_recognition } });
    await turn(false);
    t.match(await send(uploadForm({ 'me.wav': wav }), ben.token), { status: 409 });
    await turn(true);
    t.equal((await send(uploadForm({ 'me.wav': wav }), ben.token)).status, 200);
    const cleo = await off.person();
    const refused = await off.call(path, {
      method: 'POST',
      credential: cleo.token,
      body: uploadForm({ 'me.wav': wav }),
    });
    t.equal(refused.status, 409);
  });
});
