/** A shard of the running product hangs while data that it acknowledged is still in the spill. The engine continues. */
import { execFile } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import t from 'tap';
import type { Wearable } from '../../../src/app/wearable/wearable.js';
import { openFolder } from '../../support/folder.js';
import { metric, readBack, type Service, startService, type User } from '../../support/service.js';
import { until } from '../../support/until.js';

const stream = (service: Service, user: User): Promise<Wearable> =>
  service.wearable(user, { query: { custom_stt: 'enabled' } });

const conversationOf = async (wearable: Wearable): Promise<string> => {
  const event = await wearable.waitFor(({ type }) => type === 'conversation_session', 60_000);
  return String(event?.conversation_id);
};

/** Sends a text. Resolves when the engine has acknowledged the text. */
const say = async (wearable: Wearable, text: string, start: number): Promise<void> => {
  const segments = [{ text, speaker: 'SPEAKER_00', start, end: start + 1 }];
  wearable.sendText(JSON.stringify({ type: 'suggested_transcript', segments, stt_provider: 'own' }));
  await until(() => wearable.transcript.text.includes(text), `"${text}" is acknowledged`);
};

t.test('a shard that hangs loses only its streams, and no acknowledged data', async (t) => {
  const faultEnds = join(openFolder(t), 'go-on');
  const service = await startService(t, {
    NODE_OPTIONS: `--import=${new URL('./faulty-thread.js', import.meta.url).href}`,
    FAULTS: 'spin block',
    FAULT_ENDS: faultEnds,
    SHARDS: '1',
    SHARD_TIMEOUT: '2000',
    // Timeout in ms. The next shard waits this long for the database before it accepts streams. Meanwhile the test
    // checks that this shard accepts none.
    DATABASE_TIMEOUT: '3000',
    COCHLEA_STT: 'discard',
  });
  const user = await service.user('wearer');
  const key = await service.developerKey('wearer');
  const [engine] = service.processes('cochlea.js engine');
  const database = (signal: NodeJS.Signals): void => {
    for (const pid of service.processes('postgres')) process.kill(pid, signal);
  };
  t.teardown(async () => {
    database('SIGCONT');
    writeFileSync(faultEnds, '');
  });
  const ready = async (): Promise<unknown> => {
    const answer = await fetch(`${service.base}/engine/health/ready`);
    return { code: answer.status, ...((await answer.json()) as object) };
  };

  const words = ['Said before anything happened.'];
  let wearable = await stream(service, user);
  const conversation = await conversationOf(wearable);
  await say(wearable, words[0]!, 1);
  for (const [round, how] of ['in JavaScript', 'in native code'].entries()) {
    database('SIGSTOP');
    const sentence = `Acknowledged from the spill, round ${round}.`;
    await say(wearable, sentence, 100 * round + 10);
    words.push(sentence);
    process.kill(engine!, 'SIGUSR2');
    t.match(await wearable.closed, { code: 1012, reason: 'shard_lost' }, `the shard hangs ${how}`);
    t.match(await ready(), { code: 503, status: 'no_shards', shards: { serving: 0, configured: 1 } });
    t.equal(await metric(service, 'shards_serving'), 0);
    t.equal(await metric(service, 'shards_abandoned'), round);
    t.match(await stream(service, user).catch(String), /HTTP 503/, 'a lost shard gets no stream');
    database('SIGCONT');
    await until(
      async () => (await metric(service, 'shards_replaced_total')) === round + 1,
      'a new shard runs',
    );
    t.match(await ready(), { code: 200, status: 'ok' });
    wearable = await stream(service, user);
    t.equal(await conversationOf(wearable), conversation, 'the client continues the same conversation');
    await say(wearable, `Said to the next shard, round ${round}.`, 100 * round + 50);
    words.push(`Said to the next shard, round ${round}.`);
    // On a busy machine, a statement can be so slow that its data goes to the spill first.
    await until(
      async () => (await metric(service, 'journal_spill_depth')) === 0,
      'all spilled data is in the database',
    );
    const stored = (await readBack(service, key, conversation)).transcript_segments;
    const text = stored.map((segment) => segment.text).join(' ');
    for (const part of words) t.equal(text.split(part).length, 2, `"${part}" is stored once`);
  }
  writeFileSync(faultEnds, '');
  await until(
    async () => (await metric(service, 'shards_abandoned')) === 0,
    'the abandoned thread has ended',
  );
  t.notMatch(readFileSync(service.logFile, 'utf8'), /goes on/, 'the abandoned thread ran no more JavaScript');
  t.notOk(wearable.isClosed, 'the open stream is not affected');
  t.same(service.processes('cochlea.js engine'), [engine], 'the engine did not restart');
  t.equal(await metric(service, 'shards_lost_total'), 2);

  await t.test('refuses a second product on the same data folder', async (t) => {
    for (const words of [['up'], ['engine', '--index', '0']]) {
      const env = {
        ...process.env,
        COCHLEA_DATA_DIR: service.dataDir,
        DATABASE_URL:
          words[0] === 'up'
            ? ''
            : JSON.parse(readFileSync(join(service.dataDir, 'run.json'), 'utf8')).databaseUrl,
        PORT: '0',
        SIDECAR_PORT: '0',
        METRICS_PORT: '0',
      };
      const command = fileURLToPath(new URL('../../../src/app/cochlea.js', import.meta.url));
      const said = await new Promise<string>((resolve) => {
        execFile(process.execPath, [command, ...words], { env, timeout: 60_000 }, (error, _out, errors) =>
          resolve(error === null ? 'it ran' : errors),
        );
      });
      t.match(said, /already runs on/, words.join(' '));
    }
    t.same(service.processes('cochlea.js engine'), [engine]);
  });
  await wearable.close();
});
