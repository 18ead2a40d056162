/** Engines learn how many streams other engines have and open. A fake fleet replaces the bus. */
import fc from 'fast-check';
import t from 'tap';
import { FleetUsage } from '../../../src/bus/usage/index.js';
import { readUsage, writeUsage } from '../../../src/bus/usage/messages.js';
import { fixedLimits } from '../../../src/config/limits/limits.js';
import { FakeFleet } from './fake-fleet.js';

const names = ['a.0', 'b.0', 'c.0'];

/** Opens a fleet with a clock that only the test moves. */
const start = (t: { teardown(action: () => unknown): unknown }) => {
  const fleet = new FakeFleet();
  const clock = { now: 1000 };
  const ignored = { count: 0 };
  const engine = (id: string, run = id.charCodeAt(0).toString(16).padStart(8, '0')) => {
    const usage = new FleetUsage({
      members: fleet.join(id, run),
      quiet: { user: 1, address: 60, 'voice-user': 1, 'voice-address': 60 },
      ignored: () => ignored.count++,
      now: () => clock.now,
    });
    t.teardown(() => usage.close());
    const charged: string[] = [];
    usage.onTaken('user', (uid, amount) => charged.push(`${uid} ${amount}`));
    usage.onTaken('address', (group, amount) => charged.push(`${group} ${amount}`));
    return { id, usage, charged, elsewhere: (uid: string) => usage.elsewhere('user', uid) };
  };
  const engines = names.map((id) => engine(id));
  const settle = (): void => {
    for (const { usage } of engines) usage.tick();
    fleet.deliver();
  };
  return { fleet, clock, ignored, engine, engines, settle };
};

t.test('each engine knows the streams of all other engines', (t) => {
  const steps = fc.array(
    fc.record({
      engine: fc.nat({ max: 2 }),
      user: fc.constantFrom('ann', 'bob', 'cem', 'dan'),
      held: fc.nat({ max: 9 }),
    }),
    { maxLength: 40 },
  );
  fc.assert(
    fc.property(steps, (steps) => {
      const { engines, settle } = start(t);
      const held = new Map<string, number>();
      for (const step of steps) {
        engines[step.engine]!.usage.holds('user', step.user, step.held);
        held.set(`${step.engine} ${step.user}`, step.held);
        settle();
      }
      for (const [place, held1] of held) {
        const [own, user = ''] = place.split(' ');
        if (held1 === 0) continue;
        const others = [0, 1, 2].filter((engine) => engine !== Number(own));
        const expected = others.reduce((sum, engine) => sum + (held.get(`${engine} ${user}`) ?? 0), 0);
        if (engines[Number(own)]!.elsewhere(user) !== expected) return false;
      }
      return true;
    }),
  );
  t.end();
});

t.test('opens are charged at the engines that follow a user, and once', (t) => {
  const { engines, settle, clock } = start(t);
  const [a, b] = engines as [(typeof engines)[0], (typeof engines)[0]];
  for (let open = 0; open < 5; open++) {
    a.usage.takes('user', 'ann');
    settle();
  }
  t.same(b.charged, [], 'an engine without streams of the user learns nothing');
  b.usage.takes('user', 'ann');
  settle();
  t.same(b.charged, ['ann 5'], 'its first report is answered with the opens of the last minute');
  t.same(a.charged, ['ann 1']);
  a.usage.takes('user', 'ann', 3);
  settle();
  t.same(b.charged, ['ann 5', 'ann 3']);
  clock.now += 61_000;
  a.usage.takes('user', 'ann');
  settle();
  b.usage.takes('user', 'ann');
  settle();
  t.same(b.charged, ['ann 5', 'ann 3', 'ann 1'], 'opens of more than a minute ago are not charged');
  t.end();
});

t.test('addresses with few opens cause no messages', (t) => {
  const { engines, settle, fleet } = start(t);
  const [a, b] = engines as [(typeof engines)[0], (typeof engines)[0]];
  for (const { usage } of [a, b]) for (let open = 0; open < 59; open++) usage.takes('address', '192.0.2.1');
  settle();
  t.same(fleet.delivered, []);
  for (const { usage } of [a, b]) usage.takes('address', '192.0.2.1');
  settle();
  t.same([a.charged, b.charged].flat(), ['192.0.2.1 60', '192.0.2.1 60'], 'from then on all count');
  for (const text of fleet.delivered) t.notMatch(text, '192.0.2.1', 'messages contain hashes');
  t.end();
});

t.test('without the bus each engine counts alone, and afterwards all of them again', (t) => {
  const { engines, settle, fleet } = start(t);
  const [a, b] = engines as [(typeof engines)[0], (typeof engines)[0]];
  a.usage.holds('user', 'ann', 3);
  b.usage.holds('user', 'ann', 2);
  settle();
  t.same([a.elsewhere('ann'), b.elsewhere('ann')], [2, 3]);
  fleet.away = true;
  fleet.changed();
  a.usage.holds('user', 'ann', 4);
  t.same([a.elsewhere('ann'), b.elsewhere('ann')], [0, 0]);
  fleet.away = false;
  fleet.changed();
  settle();
  t.same([a.elsewhere('ann'), b.elsewhere('ann')], [2, 4]);
  t.end();
});

t.test('the streams of an engine that ends no longer count, whichever engine is the home', (t) => {
  const { engines, settle, fleet } = start(t);
  const users = Array.from({ length: 30 }, (_, index) => `user ${index}`);
  for (const user of users) for (const { usage } of engines) usage.holds('user', user, 1);
  settle();
  fleet.leave('c.0');
  settle();
  settle();
  for (const user of users)
    t.same(
      [0, 1].map((engine) => engines[engine]!.elsewhere(user)),
      [1, 1],
    );
  t.end();
});

t.test('a lost message heals', (t) => {
  const { engines, settle, fleet, clock } = start(t);
  const [a, b] = engines as [(typeof engines)[0], (typeof engines)[0]];
  a.usage.holds('user', 'ann', 3);
  b.usage.holds('user', 'ann', 1);
  settle();
  fleet.loses = true;
  a.usage.holds('user', 'ann', 0);
  settle();
  fleet.loses = false;
  const after = (minutes: number): void => {
    for (let minute = 0; minute < minutes; minute++) {
      clock.now += 60_000;
      settle();
    }
  };
  after(45);
  t.equal(b.elsewhere('ann'), 0, 'a stream whose end was lost no longer counts');
  fleet.loses = true;
  a.usage.holds('user', 'ann', 2);
  settle();
  fleet.loses = false;
  after(12);
  t.equal(b.elsewhere('ann'), 2, 'a stream whose begin was lost counts after its next report');
  t.end();
});

t.test('reports wait beyond usageRate bytes in a second', (t) => {
  const { engines, settle, fleet, clock } = start(t);
  const [a] = engines as [(typeof engines)[0]];
  for (let user = 0; user < 2000; user++) a.usage.holds('user', `u${user}`, 1);
  fleet.deliver();
  const bytes = (): number => fleet.delivered.join('').length;
  const first = bytes();
  t.ok(first > fixedLimits.usageRate.value / 2 && first <= fixedLimits.usageRate.value, String(first));
  for (let second = 0; second < 5; second++) {
    clock.now += 1000;
    settle();
  }
  const kept = engines.reduce((sum, { usage }) => sum + usage.kept, 0);
  t.equal(kept, 2000, 'all are reported in the end');
  t.end();
});

t.test('any number of addresses leaves space for users', (t) => {
  const { engines, settle, ignored, clock } = start(t);
  const [a, b] = engines as [(typeof engines)[0], (typeof engines)[0]];
  const { value: most } = fixedLimits.usageEngineNames;
  for (let address = 0; address < most; address++) b.usage.takes('address', `2001:db8:${address}`);
  t.ok(ignored.count > 0, 'addresses beyond their part of the space are not counted');
  a.usage.holds('user', 'ann', 3);
  b.usage.holds('user', 'ann', 1);
  settle();
  t.equal(b.elsewhere('ann'), 3);
  clock.now += 130_000;
  for (let second = 0; second < 60; second++) b.usage.tick();
  const before = ignored.count;
  for (let address = 0; address < 100; address++) b.usage.takes('address', `2001:db8:1:${address}`);
  t.equal(ignored.count, before, 'addresses are forgotten after two minutes');
  t.end();
});

t.test('only the home of a name may tell what others use', (t) => {
  const { engines, settle, fleet, ignored } = start(t);
  const [a] = engines as [(typeof engines)[0]];
  // Finds a user whose home is a different engine, so that a message contains the user's name.
  let user = 'ann';
  for (let tries = 0; fleet.delivered.length === 0; tries++) {
    user = `ann ${tries}`;
    a.usage.holds('user', user, 1);
    settle();
  }
  const { name } = readUsage(fleet.delivered[0]!)!;
  const lie = writeUsage({ of: 'elsewhere', kind: 'user', name, held: 900, taken: 900 });
  const home = engines.find(({ id, usage }) => id !== 'a.0' && usage.kept > 0)!.id;
  for (const id of names.filter((id) => id !== home)) fleet.post(id, 'a.0', lie);
  fleet.deliver();
  t.equal(a.elsewhere(user), 0);
  t.same(a.charged, []);
  t.equal(ignored.count, 2);
  fleet.post(home, 'a.0', 'usage:nothing');
  fleet.deliver();
  t.equal(ignored.count, 3, 'a malformed message is counted');
  t.end();
});

t.test('reads what it writes, and nothing else', (t) => {
  fc.assert(
    fc.property(
      fc.string(),
      fc.nat({ max: 999_999 }),
      fc.nat({ max: 999_999 }),
      fc.boolean(),
      (text, held, taken, used) => {
        const name = 'n'.repeat(22);
        const message = used
          ? ({ of: 'used', kind: 'voice-address', name, held, taken, run: '0123abcd' } as const)
          : ({ of: 'elsewhere', kind: 'user', name, held, taken } as const);
        t.strictSame({ ...readUsage(writeUsage(message)) }, { ...message });
        return readUsage(text) === null && readUsage(`usage:${text}`) === null;
      },
    ),
  );
  for (const text of [
    `usage:used:0:${'n'.repeat(22)}:1:1`,
    `usage:elsewhere:0:${'n'.repeat(22)}:1:1:0123abcd`,
    `usage:used:4:${'n'.repeat(22)}:1:1:0123abcd`,
    `usage:used:0:${'n'.repeat(22)}:1000000:1:0123abcd`,
    `usage:used:0:${'n'.repeat(22)}:-1:1:0123abcd`,
  ])
    t.equal(readUsage(text), null, text);
  t.end();
});
