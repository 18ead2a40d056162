/** A stream outlives all of its tokens: it uses fifty tokens, but stays one conversation. */
import t from 'tap';
import { withDatabase } from '../../../src/app/database/operator-database.js';
import { wordError } from '../../../src/app/sample/word-error.js';
import { encodeFrames } from '../../../src/app/wearable/encode.js';
import { issueIdToken } from '../../../src/identity/token-issuer.js';
import { readBack, serviceOnTestDatabase } from '../../support/service.js';
import { fixtureUtterances, scene } from '../../support/texts/speech.js';
import { until } from '../../support/until.js';

/** Time in seconds for which the engine still accepts an expired token, because clocks differ. */
const tolerance = 30;
/** Time in seconds for which each token is accepted, and interval in seconds after which the next token is sent. */
const [counts, renewed] = [12, 1];
const renewals = 50;
/** Ms of silence around each utterance. The test is about tokens, and speech would use CPU time. */
const pauseBetween = 5000;

t.test('a stream outlives its tokens', { timeout: 300_000 }, async (t) => {
  const service = await serviceOnTestDatabase(t, { INTERIM_WORDS: 'false' });
  const [user, other] = [await service.user('ann'), await service.user('bob')];
  const settings = { ...service.settings, idTokenLifetime: counts - tolerance };
  const { frames, text } = await (async () => {
    const once = await scene([0, 1, 2, 3], pauseBetween);
    const repeats = Math.ceil((1.2 * renewals * renewed * once.rate) / once.pcm.length);
    const order = Array.from({ length: repeats }, () => fixtureUtterances.map((_, index) => index)).flat();
    const long = await scene(order, pauseBetween);
    return { frames: encodeFrames(long, 'opus', 16_000), text: long.text };
  })();

  await withDatabase(settings, async (sql) => {
    const renew = () => issueIdToken(sql, settings, user.uid);
    // This client renews its token only after expiry, so that the engine closes it with 4001 repeatedly.
    const renewLate = () => issueIdToken(sql, settings, other.uid);
    const lapsing = await service.wearable(
      { ...other, token: await renewLate() },
      { renewal: { renew: renewLate, before: -3_600_000 } },
    );
    const begun = await renew();
    const wearable = await service.wearable(
      { ...user, token: begun },
      { conversationTimeout: 10, renewal: { renew, before: 1000 * (counts - tolerance - renewed) } },
    );
    await wearable.waitFor((event) => event.status === 'ready', 60_000);
    await wearable.send(frames, 1);
    const created = await wearable.waitFor((event) => event.type === 'memory_created', 120_000);
    t.notOk(wearable.isClosed, 'it is still open');
    t.ok(wearable.renewals >= renewals, `${wearable.renewals} renewals`);
    const memories = wearable.events.filter(({ type }) => type === 'memory_created');
    t.equal(memories.length, 1, 'one conversation');
    await wearable.close();
    const { id } = created!.memory as { id: string };
    const stored = await readBack(service, await service.developerKey(user.uid), id);
    const { rate } = wordError(text, stored.transcript_segments.map((segment) => segment.text).join(' '));
    t.ok(rate <= 0.3, `word error ${rate.toFixed(3)}`);

    await until(() => lapsing.reconnections >= 2, 'the other stream is opened again');
    await lapsing.waitFor((event) => event.status === 'ready', 60_000);
    const sessions = lapsing.events.filter(({ type }) => type === 'conversation_session');
    t.ok(sessions.length >= 2);
    t.equal(new Set(sessions.map((event) => event.conversation_id)).size, 1, 'into one conversation');
    t.match(await lapsing.close(), { code: 1000 });

    const ending = await service.wearable({ ...user, token: await renew() });
    t.match(await ending.closed, { code: 4001 }, 'without renewals such a token ends its stream');
  });
});
