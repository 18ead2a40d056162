/**
 * A fleet on one machine with 60 wearables, and ten faults of its machines one after the other. Every spoken word is
 * stored, and every word that a wearable received back is stored. A test run without arguments leaves this folder out.
 *
 * `MANY_MACHINES_SEED` chooses the parts that fail, and the speech. By default it is random. The seed is printed.
 * `MANY_MACHINES_STREAMS` and `MANY_MACHINES_HANGING` change the number of wearables, and the ms of a pause or a cut.
 * With `MANY_MACHINES_RESEND=words`, the wearables use no audio positions.
 */
import { randomInt } from 'node:crypto';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import t from 'tap';
import { type Fault, type FaultKind, strike, usualHanging } from '../../bench/kills/faults.js';
import { recoveriesOf } from '../../bench/kills/recoveries.js';
import { makeSpeakers, startCrowd } from '../../bench/kills/speakers.js';
import { countSummaries, readSummaries } from '../../bench/kills/summaries.js';
import { openTokenFleet } from '../../bench/kills/token-fleet.js';
import { judgeTokens } from '../../bench/oracle/judge.js';
import { positionsRule, wordRule } from '../../bench/oracle/resend-rules.js';
import { storedTokens } from '../../bench/oracle/stored-tokens.js';
import { spokenOf } from '../../bench/oracle/token-words.js';
import { seeded } from '../../bench/seeded.js';
import { connectDatabase, type Sql } from '../../src/store/client/database.js';
import { withoutHaproxy } from '../support/servers/find-haproxy.js';
import { withoutNats } from '../support/servers/find-nats.js';
import { until } from '../support/until.js';

/**
 * The faults in their order. A disk is lost only while the database accepts writes, because words of an outage are only
 * on that disk.
 */
const script: readonly FaultKind[] = [
  'kill an engine',
  'kill a transcriber',
  'kill a sidecar',
  'kill a NATS server',
  'kill an engine and its disk',
  'reload the balancer',
  'promote the standby',
  'drain an engine',
  'pause an engine',
  'cut off an engine',
];
/** Longest pause before a reconnect, in ms. The 30 s of the protocol would prolong the test. */
const longestPause = 4000;
const count = Number(process.env.MANY_MACHINES_STREAMS ?? 60);
const hanging = Number(process.env.MANY_MACHINES_HANGING ?? usualHanging);
/** What a wearable sends again: audio that is not confirmed, or words for which no segment arrived. */
const rule = process.env.MANY_MACHINES_RESEND === 'words' ? wordRule : positionsRule;
const seed = Number(process.env.MANY_MACHINES_SEED ?? randomInt(1_000_000));

const withDatabase = async <Value>(url: string, use: (sql: Sql) => Promise<Value>): Promise<Value> => {
  const sql = connectDatabase(url, { max: 1, name: 'oracle' });
  try {
    return await use(sql);
  } finally {
    await sql.end({ timeout: 5 });
  }
};

t.test('many machines', { skip: withoutNats || withoutHaproxy, timeout: 400_000 }, async (t) => {
  t.comment(`seed ${seed}`);
  const random = seeded(seed);
  const fleet = await openTokenFleet({ folder: join(tmpdir(), `many-machines-${process.pid}`) });
  t.teardown(() => fleet.down({ quick: true }));
  const database = fleet.settings.DATABASE_URL!;
  await withDatabase(database, countSummaries);
  const speakers = await makeSpeakers(fleet, { count, seed, rule, longestPause });
  const crowd = startCrowd(speakers, 3000);
  t.teardown(crowd.abort);
  /** Waits until each wearable has received a word back after this time. */
  const allGetWords = (after: number, what: string): Promise<unknown> =>
    until(() => speakers.every(({ acknowledgements: all }) => (all.at(-1)?.arrived ?? 0) > after), what);
  await allGetWords(0, 'each wearable has a word');

  const faults: Fault[] = [];
  for (const kind of script) {
    const fault = await strike(fleet, kind, random, hanging);
    faults.push(fault);
    await allGetWords(fault.repaired, `each wearable has a word after: ${kind}`);
    const codes = speakers.flatMap(({ ends }) =>
      ends.filter(({ at }) => at >= fault.began).map(({ code }) => code),
    );
    const seconds = ((performance.now() - fault.began) / 1000).toFixed(1);
    t.comment(
      `after ${((fault.began - faults[0]!.began) / 1000).toFixed(1)} s: ${kind}, ${fault.part}: ${seconds} s, ${codes.length} lost connections (${[...new Set(codes)]})`,
    );
  }
  await crowd.finish(60_000);

  const { summaries, stored } = await withDatabase(database, async (sql) => {
    await until(
      async () => (await readSummaries(sql)).missing === 0,
      'all conversations have a summary',
    ).catch(() => undefined);
    return { summaries: await readSummaries(sql), stored: await storedTokens(sql) };
  });
  const said = speakers.map((speaker) => speaker.said);
  const { spoken, stored: found, acknowledged, ...faulty } = judgeTokens(said, stored);
  const took = recoveriesOf(speakers, faults).map((one) => one.took ?? Number.POSITIVE_INFINITY);
  t.comment(
    `${spoken} words, ${acknowledged} acknowledged, ${found} stored; ${took.length} lost connections`,
  );
  t.comment(`summaries: ${JSON.stringify(summaries)}`);
  // Without positions, a wearable sends a word again if its segment did not arrive, even if the word was stored.
  const { resentDoubled, ...others } = faulty;
  const wrong = rule === wordRule ? others : faulty;
  t.comment(`stored twice after they were sent twice: ${resentDoubled.join(' ')}`);
  for (const [fault, words] of Object.entries(wrong)) {
    t.equal(words.length, 0, `${fault}: ${words.slice(0, 10).join(' ')}`);
  }
  const troubled = new Set(
    [...faulty.misplaced, ...faulty.lost, ...resentDoubled].map((word) => `wearable-${/\d+/.exec(word)}`),
  );
  for (const uid of [...faulty.divided.map(([one]) => one), ...troubled].slice(0, 6)) {
    const own = stored.filter((one) => one.uid === uid);
    const numbers = own.map(({ tokens }) => tokens.map((token) => spokenOf(token).number).join(' '));
    t.comment(`conversations of ${uid}: ${numbers.join(' | ')}`);
    const { opens, ends } = speakers.find((speaker) => speaker.uid === uid)!;
    const seconds = (at: number): string => ((at - faults[0]!.began) / 1000).toFixed(1);
    t.comment(
      `opened at ${opens.map(seconds)}, ended at ${ends.map((end) => `${seconds(end.at)} (${end.code})`)}`,
    );
  }
  t.equal(found, spoken, 'all words are stored');
  t.equal(acknowledged, spoken, 'all words came back');
  t.match(summaries, { missing: 0, failed: 0, repeated: 0 });
});
