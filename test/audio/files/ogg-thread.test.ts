/** A separate thread reads Ogg files. Users take turns, files are read concurrently, and cancelled reads end. */
import { readFileSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import t, { type Test } from 'tap';
import { createOggThread } from '../../../src/audio/files/ogg-thread.js';
import { SpentTime } from '../../../src/audio/files/spent-time.js';
import { stageFile } from '../../../src/audio/files/staged-audio.js';
import type { StagedAudio } from '../../../src/audio/files/staging.js';
import { CochleaError } from '../../../src/errors/cochlea-error.js';
import { fullPage, repeatedPages } from '../../support/texts/ogg-pages.js';

const never = new AbortController().signal;
/** 2 MB of one-byte packets, which take about fifty times as long to read as `short`. */
const long = repeatedPages(fullPage(1, 0x80), 2_000_000);
const short = repeatedPages(fullPage(1, 0x80), 45_000);

const staging = (t: Test) => {
  const folder = t.testdir();
  const ogg = createOggThread();
  t.teardown(() => ogg.close());
  const stage = (bytes: Uint8Array, user: string, { signal = never, spent = new SpentTime() } = {}) =>
    stageFile(
      {
        ...{ folder, longest: Number.MAX_SAFE_INTEGER, readOgg: ogg.read, signal, user, spent },
        decodeContainer: () => Promise.reject(new Error('nothing is decoded')),
      },
      'a.ogg',
      (async function* () {
        yield bytes;
      })(),
    );
  return { ogg, stage };
};

const bytesOf = async (audio: StagedAudio): Promise<number> => {
  let bytes = 0;
  for await (const piece of audio.frames()) bytes += piece.length;
  await audio.close();
  return bytes;
};

/** Returns the CPU time of this thread in ms. */
const ownTime = (): number =>
  Number(readFileSync('/proc/thread-self/schedstat', 'latin1').split(' ')[0]) / 1e6;
const skip = process.platform === 'linux' ? false : 'processor time of a thread is read from /proc';

t.test('a long file uses little time of the thread that stages it', { skip }, async (t) => {
  const { stage } = staging(t);
  await (await stage(short, 'ann')).close();
  const spent = new SpentTime();
  const before = ownTime();
  const audio = await stage(long, 'ann', { spent });
  t.ok(ownTime() - before < spent.work / 2, 'less than half of the work on the file');
  t.ok((await bytesOf(audio)) > long.length, 'and all packets are there, with their lengths');
});

t.test('reads a short file of another user beside long ones', async (t) => {
  const { stage } = staging(t);
  const ended: string[] = [];
  const send = async (bytes: Uint8Array, user: string): Promise<void> => {
    await (await stage(bytes, user)).close();
    ended.push(user);
  };
  await Promise.all([
    ...['m1', 'm2', 'm3', 'm4', 'm5'].flatMap((user) => [send(long, user), send(long, user)]),
    pause(20).then(() => send(short, 'ann')),
  ]);
  t.equal(ended[0], 'ann');
});

t.test('ends the work on a file whose request is aborted', async (t) => {
  const { stage, ogg } = staging(t);
  const client = new AbortController();
  const spent = new SpentTime();
  const sent = stage(long, 'ann', { signal: client.signal, spent });
  await pause(50);
  client.abort(new Error('the client has left'));
  await t.rejects(sent, { message: 'the client has left' });
  const whole = new SpentTime();
  await (await stage(long, 'ann', { spent: whole })).close();
  t.ok(spent.work < whole.work / 2, 'before half of the work was done');

  const last = t.rejects(stage(long, 'ann'), { code: 'shutdown' });
  await pause(50);
  await ogg.close();
  await last;
  await t.rejects(stage(short, 'ann'), { code: 'shutdown' }, 'and none begins after the thread has ended');
});

t.test('charges the work on a refused file', async (t) => {
  const { stage } = staging(t);
  const spent = new SpentTime();
  const refused = stage(repeatedPages(fullPage(0), 800_000), 'ann', { spent });
  const error = await refused.catch((thrown: unknown) => thrown);
  t.ok(error instanceof CochleaError && error.entry.http === 400);
  t.ok(spent.work > 0);
});
