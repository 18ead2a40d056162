/** The transcriber is away for longer than the engine waits. The device comes back, and every word is stored. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import t from 'tap';
import { withDatabase } from '../../../src/app/database/operator-database.js';
import { wordError } from '../../../src/app/sample/word-error.js';
import { encodeFrames } from '../../../src/app/wearable/encode.js';
import { loadSettings } from '../../../src/config/load-settings.js';
import { modelsDirectory } from '../../../src/models/directory.js';
import { prepareDatabase } from '../../support/database/prepared-database.js';
import { startService } from '../../support/service.js';
import { scene } from '../../support/texts/speech.js';
import { until } from '../../support/until.js';

const command = fileURLToPath(new URL('../../../src/app/cochlea.js', import.meta.url));

t.test(
  'a transcriber that is away ends streams, and the device sends its audio again',
  {
    timeout: 300_000,
  },
  async (t) => {
    const running: ChildProcess[] = [];
    const startTranscriber = (dataDir: string): void => {
      const env = {
        ...process.env,
        COCHLEA_MODELS_DIR: modelsDirectory(loadSettings().values),
        COCHLEA_DATA_DIR: dataDir,
      };
      running.push(spawn(process.execPath, [command, 'transcriber'], { env, stdio: 'ignore' }));
    };
    const killTranscriber = async (): Promise<void> => {
      const child = running.pop();
      if (child === undefined || child.exitCode !== null) return;
      const ended = once(child, 'exit');
      child.kill('SIGKILL');
      await ended;
    };
    t.teardown(killTranscriber);
    const settings = { TRANSCRIBER_START: 'join', SWEEP_INTERVAL: '500' };
    const service = await startService(t, settings, async (dataDir) => {
      await prepareDatabase(dataDir);
      // The product creates this folder for the user that it runs as. So the transcriber starts only after that, while
      // the engine waits for it.
      const folder = join(dataDir, 'transcriber');
      void until(() => existsSync(folder), 'the folder of the socket').then(() => startTranscriber(dataDir));
    });
    const readiness = async (): Promise<number> => {
      const { status } = await fetch(`${service.base}/engine/health/ready`);
      return status;
    };
    const user = await service.user('ada');
    const spoken = await scene([0, 1, 2, 3]);
    const wearable = await service.wearable(user, { conversationTimeout: 120, clock: 'recording' });
    // If the test fails, the wearable must not try to connect for ten minutes.
    t.teardown(() => wearable.cut());
    const session = await wearable.waitFor(({ type }) => type === 'conversation_session', 60_000);
    const id = String(session?.conversation_id);
    await wearable.waitFor(({ status }) => status === 'ready', 60_000);
    t.equal(await readiness(), 200);
    const sent = wearable.send(encodeFrames(spoken, 'opus', 16_000), 1);
    await until(() => wearable.transcript.segments.length > 0, 'words arrive', 60_000);

    await killTranscriber();
    const failure = await wearable.waitFor(({ status }) => status === 'stt_failed', 90_000);
    t.match(failure, { outcome: 'upstream_error', reason: 'socket_unavailable', retryable: true });
    await until(async () => (await readiness()) === 503, 'new devices go to another engine');
    t.notOk(wearable.isClosed, 'the device tries again');

    startTranscriber(service.dataDir);
    await until(async () => (await readiness()) === 200, 'the engine is ready again', 60_000);
    await sent;
    let said = '';
    await until(
      async () => {
        const rows = await withDatabase(
          service.settings,
          (sql) => sql<{ text: string }[]>`
          select text from segments where conversation_id = ${id} and not deleted order by start_seconds`,
        );
        said = rows.map(({ text }) => text).join(' ');
        return wordError(spoken.text, said).rate <= 0.1;
      },
      'every word is stored',
      90_000,
    ).catch((thrown: unknown) => t.comment(said, thrown));
    t.ok(wordError(spoken.text, said).rate <= 0.1, 'every word is stored once, in order');
    t.ok(wearable.reconnections > 0);
    t.match(await wearable.close(), { code: 1000 });
  },
);
