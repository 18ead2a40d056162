/** Tests how often one user, or one address, may open a stream. */
import t from 'tap';
import { fixedLimits } from '../../../src/config/limits/limits.js';
import { loadSettings } from '../../../src/config/load-settings.js';
import { RateLimit } from '../../../src/identity/rate-limit.js';
import { fakeVerifier, startRig } from '../support.js';

const from = (address: string) => ({ headers: { 'x-forwarded-for': address } });

t.test('refuses a user who reconnects too often, with a time to wait', async (t) => {
  const { connect, shards } = await startRig(t, { settings: { maxOpensPerUser: 3 } });
  for (let count = 0; count < 6; count++) {
    const client = await connect().open();
    client.socket.close();
    await client.outcome;
  }
  // The limit is three per minute, with a burst of six. The wait is 20 s minus the time that the opens took.
  t.match(await connect().outcome, { status: 429, body: /try again in (1\d|20) s/ });
  const web = await connect('', { route: '/v4/web/listen', token: '' }).open();
  web.socket.send(JSON.stringify({ type: 'auth', token: 'token-ann' }));
  t.match(await web.outcome, { code: 1013, reason: /Too many streams opened/ });
  await connect('uid=bob', { token: 'token-bob' }).open();
  const { request } = await shards[0]!.opened(12);
  t.equal(request.uid, 'bob', 'the shard has seen six opens and closes, and then this');
});

t.test('the default limits always let a phone with constant network losses reconnect', async (t) => {
  const { maxOpensPerUser, maxOpensPerAddress } = loadSettings({}).values;
  let now = 0;
  const [user, address] = [maxOpensPerUser, maxOpensPerAddress].map((most) => new RateLimit(most, () => now));
  const refused: number[] = [];
  // Simulates the retry delays of real clients for an hour: 1 s, growing by half each time, up to 8 s.
  while (now < 3_600_000) {
    for (let attempt = 0; attempt < 8; attempt++) {
      if (user!.take('ann') > 0 || address!.take('203.0.113.1') > 0) refused.push(now);
      now += 1000 * 1.5 ** attempt;
    }
  }
  t.same(refused, []);
  const { connect } = await startRig(t, { settings: { maxOpensPerUser } });
  for (let count = 0; count < 8; count++) {
    const client = connect();
    const opened = client.open().then(() => 'opened' as const);
    const refusal = client.outcome.then(({ status }) => status);
    t.equal(await Promise.race([opened, refusal]), 'opened', 'eight times at once, too');
    client.socket.close();
    await client.outcome;
  }
});

t.test('a user whose streams break rules waits longer', async (t) => {
  const violation = fixedLimits.violationOpens.value;
  const { connect } = await startRig(t, {
    settings: { maxOpensPerUser: (violation + 3) / 2, textBurst: 1024, textRate: 1024 },
  });
  const client = await connect().open();
  for (let count = 0; count < 8; count++) client.socket.send('x'.repeat(512));
  t.match(await client.outcome, { code: 1008, reason: /^text_flood/ });
  for (let count = 0; count < 2; count++) {
    const again = await connect().open();
    again.socket.close(1000);
    await again.outcome;
  }
  t.match(await connect().outcome, { status: 429 }, 'three opens and one violation');
  await connect('uid=bob', { token: 'token-bob' }).open();
});

t.test('a client that floods each stream may open far fewer streams', async (t) => {
  let now = 0;
  const limit = new RateLimit(30, () => now, 60);
  let opened = 0;
  for (; now < 600_000; now += 500) {
    if (limit.take('ann') > 0) continue;
    opened++;
    limit.charge('ann', fixedLimits.violationOpens.value);
  }
  // The limit is a burst of 60, then 30 per minute. Each open with a violation costs 16.
  t.ok(opened <= 1 + (12 * 30) / (1 + fixedLimits.violationOpens.value), `${opened} opens in ten minutes`);
});

t.test('refuses an address that asks too often, for any tokens', async (t) => {
  const { connect } = await startRig(t, { settings: { maxOpensPerAddress: 2 } });
  t.match(await connect('', { token: 'forged', ...from('203.0.113.1') }).outcome, { status: 401 });
  t.match(await connect('', { token: 'forged', ...from('203.0.113.1') }).outcome, { status: 401 });
  t.match(await connect('', from('203.0.113.1')).outcome, { status: 429, body: /try again in (2\d|30) s/ });
  await connect('', from('203.0.113.2')).open();
  for (let count = 0; count < 5; count++) await connect().open();
  t.pass('a trusted peer that names no client is exempt');
});

t.test('refusals for lack of capacity do not count against the opens of an address', async (t) => {
  let release!: () => void;
  const checked = new Promise<void>((resolve) => {
    release = resolve;
  });
  const verifier = {
    ...fakeVerifier,
    verify: async (token: string) => {
      await checked;
      return fakeVerifier.verify(token);
    },
  };
  const { connect } = await startRig(t, {
    verifier,
    settings: { maxOpensPerAddress: 4, maxUpgradesPerAddress: 2 },
  });
  const fleet = ['a', 'b', 'c', 'd', 'e', 'f'].map((name) =>
    connect(`uid=${name}`, { token: `token-${name}`, ...from('203.0.113.1') }),
  );
  // Two upgrades are being checked. The listener refuses any others.
  const refused = new Promise<void>((resolve) => {
    let count = 0;
    for (const { outcome } of fleet)
      void outcome.then(({ status }) => status === 503 && ++count === 4 && resolve());
  });
  await refused;
  release();
  await connect('uid=g', { token: 'token-g', ...from('203.0.113.1') }).open();
  await connect('uid=h', { token: 'token-h', ...from('203.0.113.1') }).open();
  t.match(await connect('uid=i', { token: 'token-i', ...from('203.0.113.1') }).outcome, { status: 429 });
});
