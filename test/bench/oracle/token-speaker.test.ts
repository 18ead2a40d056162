/** Wearables of the oracle speak to the product: every token is stored once, also if the engine is killed meanwhile. */
import { setTimeout as pause } from 'node:timers/promises';
import t from 'tap';
import { judgeTokens } from '../../../bench/oracle/judge.js';
import { documentedRule, type ResendRule, wordRule } from '../../../bench/oracle/resend-rules.js';
import { speechBursts } from '../../../bench/oracle/speech-bursts.js';
import { SpokenTimeline } from '../../../bench/oracle/spoken-timeline.js';
import { storedTokens } from '../../../bench/oracle/stored-tokens.js';
import { startStubTranscriber } from '../../../bench/oracle/stub-transcriber.js';
import { TokenSpeaker } from '../../../bench/oracle/token-speaker.js';
import { loadSettings } from '../../../src/config/load-settings.js';
import { modelsDirectory } from '../../../src/models/directory.js';
import { connectDatabase } from '../../../src/store/client/database.js';
import { testDatabaseUrl } from '../../support/database/database.js';
import { startService } from '../../support/service.js';
import { until } from '../../support/until.js';

/** Seconds of `lag` in the documented rule. The stub decodes at once, so an utterance waits only for its silence. */
const lag = 0.5;
/** Number of words after which the engine is killed. */
const before = 3;

t.test('wearables of the oracle', { timeout: 120_000 }, async (t) => {
  const url = await testDatabaseUrl(t);
  const sql = connectDatabase(url, { max: 1, name: 'test' });
  t.teardown(() => sql.end({ timeout: 1 }));
  const settings = {
    DATABASE_URL: url,
    TRANSCRIBER_START: 'join',
    SPEAKER_DIARIZATION: 'off',
    COCHLEA_MODELS_DIR: modelsDirectory(loadSettings().values),
  };
  const service = await startService(t, settings, async (dataDir) => {
    const stub = await startStubTranscriber(dataDir, { ...process.env, ...settings });
    t.teardown(stub.stop);
  });
  const bursts = await speechBursts();
  const rules: readonly ResendRule[] = [wordRule(), wordRule(), documentedRule(lag)];
  const speakers = await Promise.all(
    rules.map(async (rule, wearable) => {
      const { uid, token } = await service.user(`oracle-${wearable}`);
      const timeline = new SpokenTimeline({ wearable, bursts, silence: [1600, 2400], seed: 1 });
      const stream = { url: service.base, token, conversationTimeout: 600 };
      return new TokenSpeaker({ wearable, uid, stream, timeline, rule, seed: 1, longestPause: 2000 });
    }),
  );
  const [silent, ended] = [new AbortController(), new AbortController()];
  t.teardown(() => ended.abort());
  const running = Promise.all(speakers.map((speaker) => speaker.run(silent.signal, ended.signal)));
  const have = (words: number): boolean => speakers.every(({ said }) => said.acknowledged.size >= words);
  await until(() => have(before), 'the first words come back');
  for (const pid of service.processes(' engine')) process.kill(pid, 'SIGKILL');
  await until(() => have(before + 3), 'words come back after the engine was killed');
  silent.abort();
  await Promise.race([running, pause(60_000, undefined, { ref: false })]);

  const said = speakers.map((speaker) => speaker.said);
  t.same(
    speakers.map(({ waiting }) => waiting),
    [0, 0, 0],
    'all words came back',
  );
  t.ok(
    speakers.every(({ ends }) => ends.length === 1),
    'each was disconnected once',
  );
  const { spoken, stored, acknowledged, resentDoubled, ...faults } = judgeTokens(
    said,
    await storedTokens(sql),
  );
  t.comment(`${spoken} words, ${resentDoubled.length} stored twice after they were sent twice`);
  t.same(faults, { unsent: [], lost: [], broken: [], doubled: [], misplaced: [], foreign: [], divided: [] });
  t.same([stored, acknowledged], [spoken, spoken]);
});
