/** Tests which audio each resend rule of the oracle's wearables sends again after a lost connection. */
import t from 'tap';
import { documentedRule, type Line, positionsRule, wordRule } from '../../../bench/oracle/resend-rules.js';
import { oracleRate } from '../../../bench/oracle/speech-bursts.js';
import { SpokenTimeline } from '../../../bench/oracle/spoken-timeline.js';
import type { LiveSegment } from '../../../src/wire/index.js';

const bursts = [new Int16Array(oracleRate)];
const timeline = new SpokenTimeline({ wearable: 0, bursts, silence: [2000, 2000], seed: 1 });
const seconds = (count: number): number => count * oracleRate;
const lineOf = (first: number, sent: number, acknowledged: readonly number[] = []): Line => ({
  timeline,
  first: seconds(first),
  sent: seconds(sent),
  acknowledged: new Set(acknowledged),
});
const ending = (end: number): LiveSegment[] => [{ end } as LiveSegment];

t.test('the documented rule sends again what follows the last segment', async (t) => {
  const rule = documentedRule(1);
  // The conversation began 10 s before this connection. So second 14 of the conversation is second 4 of the connection,
  // which was sent a second ago.
  rule.segments!(lineOf(100, 105), ending(14));
  rule.segments!(lineOf(100, 109), ending(17.5));
  t.equal(rule.resumeAt(lineOf(100, 110)), seconds(100 + 17.5 + (5 - 14) - 1));
  t.equal(rule.resumeAt(lineOf(200, 205)), seconds(200), 'without a segment, the whole connection');
  t.equal(
    rule.resumeAt(lineOf(200, 240)),
    seconds(240 - 15 - 1),
    'but no audio that is too old for an utterance',
  );
});

t.test('a wearable that knows its words sends those without a segment', async (t) => {
  const rule = wordRule();
  const [first, second, third] = timeline.burstsBefore(seconds(9)) as never as {
    token: number;
    from: number;
  }[];
  t.equal(rule.resumeAt(lineOf(0, 9, [first!.token])), second!.from);
  t.equal(rule.resumeAt(lineOf(0, 9, [first!.token, second!.token, third!.token])), seconds(9));
  const known = new Set([second!.token]);
  t.same(
    timeline.burstsBefore(seconds(9)).map((burst) => rule.isDone!(burst, known)),
    [false, true, false],
  );
});

t.test('positions send what the engine asks for', async (t) => {
  const rule = positionsRule('clock');
  t.same(rule.query!(), { stream_clock: 'clock', confirm: '1', clock_at: '0' });
  t.ok(rule.isWaiting!(), 'nothing is sent before the event');
  rule.event!({ type: 'conversation_session', conversation_id: 'one' });
  t.ok(rule.isWaiting!(), 'an event without a position changes nothing');
  rule.event!({ type: 'conversation_session', resume_at_ms: 0 });
  rule.event!({ type: 'audio_confirmed', confirmed_ms: 2400 });
  t.notOk(rule.isWaiting!());
  t.equal(rule.resumed!(), 0);
  t.equal(rule.confirmed!(), seconds(2.4));

  t.match(rule.query!(), { clock_at: '2400' }, 'a reconnect');
  t.ok(rule.isWaiting!());
  t.throws(() => rule.event!({ type: 'conversation_session', resume_at_ms: 1200 }), /1200 ms asked/);
  rule.event!({ type: 'conversation_session', resume_at_ms: 3600 });
  t.equal(rule.resumed!(), seconds(3.6), 'words were stored that were not confirmed');
});
