/**
 * Tests how little the decoding of a file disturbs other work: the child process has a low priority, and long pieces
 * need few writes.
 */
import { execFileSync } from 'node:child_process';
import { chmodSync, existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import t from 'tap';
import { containerDecoder } from '../../../src/audio/files/container-decoder.js';
import { SpentTime } from '../../../src/audio/files/spent-time.js';
import { stageFile } from '../../../src/audio/files/staged-audio.js';
import { longTextNiceness } from '../../../src/config/process/priority.js';
import { descendants } from '../../support/service.js';
import { wavFile } from '../../support/texts/wav-file.js';
import { until } from '../../support/until.js';
import { without } from './form.js';

const folder = t.testdir();

/** Stages a file that arrives in pieces of 4 KiB, like a file in a form. */
const staged = (bytes: Buffer, program: string, signal: AbortSignal) =>
  stageFile(
    {
      ...{ folder, longest: 600_000, user: 'ann', spent: new SpentTime(), signal },
      decodeContainer: containerDecoder({ program, folder, atOnce: 1, log: { warn: () => undefined } }),
      readOgg: async () => {
        throw new Error('no file is Ogg');
      },
    },
    'a file',
    (async function* () {
      for (let at = 0; at < bytes.length; at += 4096) yield bytes.subarray(at, at + 4096);
    })(),
  );

const minute = wavFile(new Int16Array(60 * 16_000).map(() => Math.random() * 2000));

t.test(
  'a child process and its session run after the sidecar',
  { skip: !existsSync('/proc/self/autogroup') && 'Linux does not share the processor among sessions here' },
  async (t) => {
    const program = join(folder, 'waiting-decoder');
    writeFileSync(program, '#!/bin/sh\n[ "$1" = -version ] && exit 0\nsleep 600\n');
    chmodSync(program, 0o755);
    const leave = new AbortController();
    const failed = t.rejects(staged(Buffer.from('fLaC'.padEnd(8192)), program, leave.signal));
    const sessions = (): string[] =>
      descendants(process.pid)
        .filter(({ command }) => /^(\/bin\/sh )?\S*waiting-decoder|^sleep 600/.test(command))
        .map(({ pid }) => readFileSync(`/proc/${pid}/autogroup`, 'utf8').trim());
    await until(() => sessions().length === 2, 'the child runs');
    const own = readFileSync('/proc/self/autogroup', 'utf8').trim();
    for (const session of sessions()) {
      t.not(session, own, 'it has a session of its own');
      t.equal(session.split('nice ')[1], String(longTextNiceness));
    }
    const children = `/proc/self/task/${process.pid}/children`;
    if (existsSync(children))
      t.equal(
        readFileSync(children, 'latin1'),
        '',
        'the main thread, which serves requests, started no process',
      );
    leave.abort();
    await failed;
    await until(() => sessions().length === 0, 'the child has ended');
  },
);

t.test(
  'decoded audio and short pieces of a file are written in long pieces',
  { skip: without || (!existsSync('/proc/self/io') && 'this system does not count writes') },
  async (t) => {
    const mp3 = execFileSync('ffmpeg', ['-v', 'error', '-i', 'pipe:0', '-f', 'mp3', 'pipe:1'], {
      input: minute,
      maxBuffer: 4_000_000,
    });
    const writes = (): number => Number(/syscw: (\d+)/.exec(readFileSync('/proc/self/io', 'latin1'))?.[1]);
    for (const [name, bytes] of [
      ['wav', minute],
      ['mp3', mp3],
    ] as const) {
      const before = writes();
      const audio = await staged(bytes, 'ffmpeg', new AbortController().signal);
      const count = writes() - before;
      t.ok(audio.duration > 59_000, `${name} is decoded`);
      // A minute of audio is 1.9 MB when decoded, or 1,700 packets. The count also includes the writes with which
      // threads wake each other.
      t.ok(count < 400, `${name}: ${count} writes`);
      await audio.close();
    }
  },
);
