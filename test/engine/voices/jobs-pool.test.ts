/** Sends voices of real people through the workers. Tests which voices are similar, and that the workers leave nothing running. */
import { existsSync } from 'node:fs';
import { mkdtemp, rename, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import t from 'tap';
import { readWavFile } from '../../../src/app/wearable/read-audio.js';
import { resample } from '../../../src/app/wearable/resample.js';
import { loadAnalysis } from '../../../src/audio/analysis.js';
import { loadSettings } from '../../../src/config/load-settings.js';
import { type JobsPool, startJobsPool } from '../../../src/engine/voices/jobs-pool.js';
import { newVoiceStream } from '../../../src/engine/voices/stream.js';
import { modelsDirectory } from '../../../src/models/directory.js';
import { ensureModel, modelOptions } from '../../../src/models/ensure.js';
import { speakerModel } from '../../../src/models/speaker-model.js';
import type { VoiceState } from '../../../src/transcript/voice-clusters.js';
import { matchVoice } from '../../../src/transcript/voice-match.js';
import { labels, speech } from '../../audio/support.js';

const { rule, voices } = speakerModel('ge2e');
const { cosineTopK } = loadAnalysis('portable');
const settings = (environment: Record<string, string> = {}) =>
  loadSettings({ ...process.env, JOB_THREADS: '2', ...environment }).values;

const cosine = (a: Float32Array, b: Float32Array): number => cosineTopK(a, b, 1, 256, 1)[0]!.similarity;

const join16 = (parts: Int16Array[]): Int16Array => {
  const whole = new Int16Array(parts.reduce((sum, part) => sum + part.length, 0));
  let at = 0;
  for (const part of parts) {
    whole.set(part, at);
    at += part.length;
  }
  return whole;
};

/** Removes parts of more than 60 ms that are 25 dB quieter than the loud parts, as a gate would. */
const speechOnly = (pcm: Int16Array): Int16Array => {
  const frames = Array.from({ length: Math.floor(pcm.length / 320) }, (_, i) =>
    pcm.subarray(i * 320, (i + 1) * 320),
  );
  const levels = frames.map((frame) =>
    Math.sqrt(frame.reduce((sum, sample) => sum + sample * sample, 0) / 320),
  );
  const loud = [...levels].sort((a, b) => a - b)[Math.floor(levels.length * 0.95)]!;
  const near = (i: number) => levels.slice(Math.max(0, i - 3), i + 4).some((level) => level > loud * 0.056);
  return join16(frames.filter((_, i) => near(i)));
};

/** Returns consecutive pieces of a recording. @param seconds length of a piece. */
const pieces = (pcm: Int16Array, seconds: number, most = 8): Int16Array[] =>
  Array.from({ length: Math.min(most, Math.floor(pcm.length / (seconds * 16_000))) }, (_, i) =>
    pcm.subarray(i * seconds * 16_000, (i + 1) * seconds * 16_000),
  );

/** Returns voice embeddings of recordings. No noise is added. */
const embed = async (pool: JobsPool, recordings: Int16Array[]): Promise<Float32Array[]> => {
  const voices = await Promise.all(recordings.map((pcm) => pool.enrolVoice(pcm.slice())));
  return voices.map(({ embeddings: [clean] }) => {
    if (!clean) throw new Error('no speech');
    return clean;
  });
};

/** The speech of the fixtures' speaker: first the part for a profile, then the rest. */
const reader = join16(labels.map(({ start, end }) => speech.subarray(start, end)));
const readerProfile = reader.subarray(0, 12 * 16_000);
const readerRest = reader.subarray(12 * 16_000);

/** Reason why tests that need the speaker model are skipped, or false. */
const withoutModel: string | false = await ensureModel('ge2e', modelOptions(settings())).then(
  () => false,
  (error: Error) => error.message,
);

void t.test('the jobs pool', { skip: withoutModel }, async (t) => {
  const pool = await startJobsPool({ settings: settings() });
  t.teardown(() => pool.stop());
  const [profile] = (await embed(pool, [readerProfile])) as [Float32Array];

  await t.test('computes an embedding of length one, independent of the level', async (t) => {
    t.equal(profile.length, 256);
    t.ok(Math.abs(cosine(profile, profile) - 1) < 1e-6);
    t.ok(Math.abs(profile.reduce((sum, value) => sum + value * value, 0) - 1) < 1e-5, 'of length one');
    const [quiet] = await embed(pool, [readerProfile.map((sample) => sample / 10)]);
    t.ok(cosine(quiet!, profile) > 0.99, 'the level does not matter');
  });

  await t.test('returns no embedding for audio without speech', async (t) => {
    for (const pcm of [new Int16Array(0), new Int16Array(64_000), reader.slice(0, 1000)])
      t.same(await pool.enrolVoice(pcm), { speech: 0, embeddings: [] });
  });

  await t.test("matches the reader with the reader's profile", async (t) => {
    for (const seconds of [4]) {
      for (const voice of await embed(pool, pieces(readerRest, seconds))) {
        const similarity = cosine(voice, profile);
        const decision = matchVoice([{ person: 'reader', similarity }], seconds * 1000, rule);
        t.equal(decision.kind, 'match', `${seconds} s: ${similarity.toFixed(3)}`);
      }
    }
  });

  const told = async (of: JobsPool, utterances: readonly Int16Array[]): Promise<VoiceState> => {
    let state = newVoiceStream(0, voices);
    for (const [index, pcm] of utterances.entries()) {
      state = (await of.tellVoices({ state, pcm: pcm.slice(), from: index * 10_000 }))!.state;
    }
    return state.voices;
  };

  await t.test("finds one voice in one speaker's speech with every core", async (t) => {
    const portable = await startJobsPool({
      settings: settings({ COCHLEA_CORE: 'portable', JOB_THREADS: '1' }),
    });
    t.teardown(() => portable.stop());
    const utterances = pieces(reader, 5, 2);
    const state = await told(pool, utterances);
    t.equal(state.voices.length, 1);
    t.ok(state.count > 25, `${state.count} windows in 10 s`);
    const other = await told(portable, utterances);
    t.equal(other.voices.length, 1);
    t.ok(Math.abs(other.count - state.count) <= 4, `${other.count} windows`);
    t.ok(cosine(other.voices[0]!.mean, state.voices[0]!.mean) > 0.99);
  });

  await t.test('computes the same voice alone and in a batch', async (t) => {
    const recordings = [...pieces(reader, 2, 3), ...pieces(reader, 3, 3), reader.subarray(0, 5 * 16_001)];
    const tell = (pcm: Int16Array) =>
      pool.tellVoices({ state: newVoiceStream(0, voices), pcm: pcm.slice(), from: 0 });
    const together = await Promise.all(recordings.map(tell));
    for (const [index, pcm] of recordings.entries()) {
      const alone = (await tell(pcm))!.state.voices.voices[0]!.mean;
      const other = together[index]!.state.voices.voices[0]!.mean;
      const apart = Math.max(...alone.map((value, d) => Math.abs(value - other[d]!)));
      t.ok(apart < 1e-5, `${pcm.length} samples: within ${apart}`);
    }
  });

  await t.test('finds no voice in silence', async (t) => {
    t.same(await told(pool, [new Int16Array(80_000), new Int16Array(0)]), newVoiceStream(0, voices).voices);
  });

  const folder = '/usr/share/asterisk/sounds';
  const speakers = { allison: 'en_US_f_Allison', june: 'fr_CA_f_June' };
  const absent = Object.values(speakers).filter((name) => !existsSync(join(folder, name)));
  const withoutVoices =
    absent.length > 0 &&
    `the voices of ${absent.join(' and ')} are missing (Debian: asterisk-core-sounds-en-wav, asterisk-core-sounds-fr-wav)`;
  await t.test('does not match other people', { skip: withoutVoices }, async (t) => {
    const prompts = ['conf-adminmenu-162', 'screen-callee-options', 'demo-congrats', 'demo-echotest'];
    const narrow = (pcm: Int16Array) => resample(resample(pcm, 16_000, 8000), 8000, 16_000);
    const people = new Map([['reader', { profile: narrow(readerProfile), rest: narrow(readerRest) }]]);
    for (const [name, place] of Object.entries(speakers)) {
      const parts: Int16Array[] = [];
      for (const prompt of prompts) {
        const { pcm, rate } = await readWavFile(join(folder, place, `${prompt}.wav`));
        parts.push(speechOnly(resample(pcm, rate, 16_000)));
      }
      const whole = join16(parts);
      people.set(name, { profile: whole.subarray(0, 12 * 16_000), rest: whole.subarray(12 * 16_000) });
    }
    const turns = [...people.values()].flatMap(({ rest }) => pieces(rest, 4, 2));
    t.equal((await told(pool, turns)).voices.length, people.size, 'in one conversation each has a label');
    const names = [...people.keys()];
    const profiles = await embed(
      pool,
      [...people.values()].map(({ profile }) => profile),
    );
    let matched = 0;
    let asked = 0;
    for (const [name, { rest }] of people) {
      for (const voice of await embed(pool, pieces(rest, 4))) {
        const candidates = profiles.map((known, i) => ({
          person: names[i]!,
          similarity: cosine(voice, known),
        }));
        const said = candidates
          .map(({ person, similarity }) => `${person} ${similarity.toFixed(2)}`)
          .join(', ');
        const decision = matchVoice(candidates, 4000, rule, true);
        asked++;
        if (decision.kind === 'match') matched++;
        t.ok(decision.kind === 'none' || decision.person === name, `${name}: ${said}`);
        for (const { person, similarity } of candidates) {
          // Checks only pairs of the fixtures' speaker and another voice. The other two voices were recorded in the
          // same studio.
          if ((person === 'reader') !== (name === 'reader')) {
            const alone = matchVoice([{ person, similarity }], 4000, rule, true);
            t.equal(alone.kind, 'none', `${name} is not even a hint of ${person}`);
          }
        }
      }
    }
    t.ok(matched >= asked * 0.8, `${matched} of ${asked} are told apart`);
  });
});

void t.test('refuses a model that is not a speaker model', async (t) => {
  await t.rejects(startJobsPool({ settings: settings(), speakerModel: 'silero' }), /not a speaker model/);
});

void t.test(
  'a model that cannot be loaded fails the recordings, not the pool',
  { skip: withoutModel },
  async (t) => {
    const dataDir = await mkdtemp(join(tmpdir(), 'cochlea-jobs-'));
    t.teardown(() => rm(dataDir, { recursive: true, force: true }));
    const own = settings({
      COCHLEA_DATA_DIR: dataDir,
      COCHLEA_MODELS_DIR: modelsDirectory(settings()),
      JOB_THREADS: '1',
    });
    const pool = await startJobsPool({ settings: own });
    t.teardown(() => pool.stop());
    const weights = join(modelsDirectory(own), 'ge2e', 'pretrained.pt');
    await rename(weights, `${weights}.away`);
    await t.rejects(pool.enrolVoice(readerProfile.slice()), /pretrained\.pt/);
    await rename(`${weights}.away`, weights);
    t.equal((await embed(pool, [readerProfile]))[0]?.length, 256, 'the next try is a new one');
  },
);

void t.test('stop answers every caller and can be repeated', { skip: withoutModel }, async (t) => {
  for (let round = 0; round < 3; round++) {
    const pool = await startJobsPool({ settings: settings() });
    const tell = (pcm: Int16Array) =>
      pool.tellVoices({ state: newVoiceStream(0, voices), pcm: pcm.slice(), from: 0 });
    const asked = Array.from({ length: 40 }, () => tell(readerRest.subarray(0, 8 * 16_000)));
    const stopped = pool.stop();
    t.equal(await tell(readerProfile), undefined);
    const told = await Promise.all(asked);
    await stopped;
    t.ok(told.some((one) => one === undefined));
    t.ok(told.some((one) => one?.state.voices.voices[0]?.mean.length === 256));
    await pool.stop();
  }
});
