/**
 * Runs the demo from end to end, like `npm run demo -- --once --json`: real codec, recogniser and database, in real time. The models come
 * from this installation's folder.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import t from 'tap';
import { freePort } from '../../../bench/fleet/targets/free-port.js';
import { loadSettings } from '../../../src/config/load-settings.js';
import { modelsDirectory } from '../../../src/models/directory.js';
import { openFolder } from '../../support/folder.js';

const cochlea = fileURLToPath(new URL('../../../src/app/cochlea.js', import.meta.url));

t.test('turns speech into a stored conversation', { timeout: 170_000 }, async (t) => {
  const env = {
    ...process.env,
    COCHLEA_DATA_DIR: openFolder(t),
    COCHLEA_MODELS_DIR: modelsDirectory(loadSettings().values),
    PORT: String(await freePort()),
    SIDECAR_PORT: '0',
    METRICS_PORT: '0',
  };
  const run = async (...words: string[]) => {
    const child = spawn(process.execPath, [cochlea, ...words], { env, stdio: ['ignore', 'pipe', 'pipe'] });
    const output: Record<'stdout' | 'stderr', string> = { stdout: '', stderr: '' };
    for (const name of ['stdout', 'stderr'] as const) {
      child[name].setEncoding('utf8').on('data', (chunk: string) => {
        output[name] += chunk;
      });
    }
    const [code] = (await once(child, 'close')) as [number | null];
    return { ...output, code };
  };
  const pulled = await run('models', 'pull');
  t.equal(pulled.code, 0, pulled.stderr);

  const { code, stdout, stderr } = await run('demo', '--once', '--json');
  t.equal(code, 0, stderr);
  t.equal(stdout.trim().split('\n').length, 1, 'one line on stdout');
  const result = JSON.parse(stdout) as Record<string, number>;
  t.match(result, {
    conversation_id: /^[0-9a-f-]{36}$/,
    wer: Number,
    words: 58,
    segments: Number,
    audio_s: Number,
    segment_lag_p95_ms: Number,
    wall_s: Number,
    core: /^(native|portable)$/,
    title: /roof/,
    folder: 'Personal',
    tasks: 3,
    memories: 1,
  });
  t.ok(result.wer! <= 0.1, `word error ${result.wer}`);
  t.ok(result.segments! >= 1);
  t.match(stderr, /Saved conversation: Call with Peter about the kitchen roof\n/);
  t.match(stderr, /Tasks: .*Call the dentist tomorrow at (?:9|nine) \(\d{4}-\d\d-\d\dT09:00:00Z\)/);
  t.match(stderr, /Tasks: .*Send the insurance papers to my sister on Friday \(\d{4}-/);
  t.match(stderr, /Memories: .*Demo is allergic to peanuts/);
  const docs = new URL('../../../../docs/', import.meta.url);
  const page = readFileSync(fileURLToPath(new URL('development.md', docs)), 'utf8');
  for (const field of Object.keys(result)) t.ok(page.includes(`\`${field}\``), `the page explains ${field}`);
  const recording = JSON.parse(readFileSync(fileURLToPath(new URL('recording/demo.json', docs)), 'utf8')) as {
    lines: { text: string }[];
  };
  // The stream reports whether the speech model is still loading. That depends on the machine's load, so the test
  // ignores it.
  const events = (text: string): string[] =>
    text.split('\n').filter((line) => line.startsWith('-- ') && !line.startsWith('-- stt_initiating'));
  t.same(
    events(stderr),
    events(recording.lines.map(({ text }) => text).join('\n')),
    'the recording shows what is printed',
  );
  t.match(stderr, /\d\d:\d\d\.\d-\d\d:\d\d\.\d {2}SPEAKER_00 {2}\S/, 'live lines');
});
