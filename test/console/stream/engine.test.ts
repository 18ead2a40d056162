/** The stream of a page against the product: in the program of docs/protocol.md, and while the engine is killed. */
import { execFile } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import t from 'tap';
import { WebSocket } from 'ws';
import { wordError } from '../../../src/app/sample/word-error.js';
import { packageDirectory } from '../../../src/config/process/data-dir.js';
import { LiveStream, type StreamState } from '../../../src/console/stream/live-stream.js';
import { machineTime } from '../../../src/console/stream/socket.js';
import { emptyTranscript, nextTranscript } from '../../../src/console/stream/transcript.js';
import { readBack, startService } from '../../support/service.js';
import { fixtureUtterances, scene } from '../../support/texts/speech.js';
import { until } from '../../support/until.js';

const checkout = packageDirectory();

t.test('the stream of a page', { timeout: 300_000 }, async (t) => {
  const service = await startService(t);
  const base = service.base.replace(/^http/, 'ws');

  await t.test('the program of the page prints what was said', async (t) => {
    const page = readFileSync(join(checkout, 'docs', 'protocol.md'), 'utf8');
    const [, code] = /```js browser client\n([\s\S]*?)\n```/.exec(page)!;
    const folder = join(checkout, 'build', 'docs');
    mkdirSync(folder, { recursive: true });
    const file = join(folder, 'web.mjs');
    writeFileSync(file, code!);
    const { token } = await service.user('web');
    const utterance = fixtureUtterances[0]!;
    const { stdout, stderr } = await promisify(execFile)(
      process.execPath,
      [file, join(checkout, 'fixtures', 'speech', utterance.file)],
      { cwd: checkout, env: { ...process.env, COCHLEA_URL: base, COCHLEA_TOKEN: token }, timeout: 120_000 },
    );
    t.match(stderr, '"kind":"saved"');
    const words = stdout.replace(/^SPEAKER_\d+: /gm, '');
    t.ok(wordError(utterance.text, words).rate < 0.3, 'the words are those of the recording');
  });

  await t.test('after the engine was killed, at least 85 % of the words are stored as spoken', async (t) => {
    const user = await service.user('killed');
    const key = await service.developerKey(user.uid);
    const spoken = await scene([0, 1, 2, 3]);
    let transcript = emptyTranscript;
    const states: StreamState[] = [];
    const stream = new LiveStream({
      address: `${base}/v4/web/listen`,
      parameters: { source: 'desktop' },
      deviceId: 'test',
      open: (address) => new WebSocket(address) as never,
      token: async () => ({ token: user.token, expires_in: 3600 }),
      time: machineTime,
      random: () => 0.5,
      onMessage: (message) => {
        transcript = nextTranscript(transcript, message);
      },
      onState: (state) => states.push(state),
    });
    stream.start();
    const started = Date.now();
    let [at, killed] = [0, false];
    // Records in real time, also while there is no connection.
    await until(
      async () => {
        const due = Math.min(spoken.pcm.length, Math.floor(((Date.now() - started) / 1000) * 16_000));
        stream.push(spoken.pcm.subarray(at, due));
        at = due;
        if (!killed && transcript.segments.length > 0 && at > spoken.pcm.length / 2) {
          killed = true;
          process.kill(service.processes('cochlea.js engine')[0]!, 'SIGKILL');
        }
        return at === spoken.pcm.length && killed;
      },
      'everything is recorded',
      60_000,
    );
    stream.stop();
    await until(() => stream.state.kind === 'saved', 'the stream is saved', 90_000);
    t.ok(states.some(({ kind }) => kind === 'reconnecting' || kind === 'stopping'));
    const { conversation } = stream.state as { conversation: string };
    const words = await until(
      async () => {
        const { transcript_segments } = await readBack(service, key, conversation);
        const text = transcript_segments.map((segment) => segment.text).join(' ');
        const { missing } = wordsMissing(spoken.text, text);
        return missing <= spoken.text.split(' ').length * 0.15 ? { text, missing } : undefined;
      },
      'all words are stored',
      60_000,
    );
    t.comment(`${words.missing} words of ${spoken.text.split(' ').length} differ or are missing`);
    t.ok(stream.lost === 0);
  });
});

/** Counts words of a text that another text does not have as often. */
const wordsMissing = (said: string, stored: string): { missing: number } => {
  const left = new Map<string, number>();
  const wordsOf = (text: string): string[] => text.toLowerCase().match(/[a-z']+/g) ?? [];
  for (const word of wordsOf(stored)) left.set(word, (left.get(word) ?? 0) + 1);
  let missing = 0;
  for (const word of wordsOf(said)) {
    const count = left.get(word) ?? 0;
    if (count === 0) missing++;
    else left.set(word, count - 1);
  }
  return { missing };
};
