/**
 * Tests a sidecar while an engine floods the stream with copies. Each search of the sidecar does a limited amount of
 * work, and copies of other engines are stored meanwhile.
 */
import { connect } from '@nats-io/transport-node';
import t from 'tap';
import { withoutNats } from '../../support/servers/find-nats.js';
import { until } from '../../support/until.js';
import { opening, storedTexts } from '../support.js';
import { startCopiedFleet } from './support.js';

/** This number of subjects is more than a server lists in one answer. */
const subjects = 100_500;
/** This number of copies is more than a sidecar reads of one journal in one search (`look`). */
const copies = 3000;

t.test('a flood of copies', { skip: withoutNats, timeout: 300_000 }, async (t) => {
  // The test is about reading, so the server need not sync each message.
  const fleet = await startCopiedFleet(t, { sync: false });
  const { sql, server, source, replay, copied, lose, waiting } = fleet;
  const lost = await copied(t);
  const { lease } = await lost.journal.open(opening({ uid: 'other' }));
  const attacker = await connect({ port: server.port });
  t.teardown(() => attacker.close());
  const prefix = 'cochlea.engine.aaa.spill.aaa';
  for (let at = 0; at < subjects; at++) {
    const journal = `00000000-0000-4000-8000-${at.toString(16).padStart(12, '0')}`;
    attacker.publish(`${prefix}.${at % 1000}.${journal}`, 'garbage');
    if (at % 10_000 === 0) await attacker.flush();
  }
  for (let copy = 0; copy < copies; copy++)
    attacker.publish(`${prefix}.0.00000000-0000-4000-8000-000000000000`, 'garbage');
  // Sends a subject whose name contains the text of another subject.
  const named = (await source.look())!.journals[0]!.subject.replace(
    /^cochlea\.engine\.aaa/,
    'cochlea.engine.b',
  );
  attacker.publish(`cochlea.engine.aaa.spill.x"${named}":1,"cochlea.y.0.z`, 'garbage');
  await attacker.flush();

  lost.proxy.mode = 'refused';
  for (const [position, word] of ['one', 'two', 'three'].entries())
    await lost.say(lease, word, word, position);
  t.same(lost.acknowledged(), { database: 0, stream: 3, disk: 0 });
  await lose(lost);

  const seen = new Set<string>();
  const ofEngine = new Map<string, number>();
  for (let look = 0; look < 4; look++) {
    const found = (await source.look())!;
    t.ok(found.journals.length <= 2 * 32, 'each look has few journals of an engine');
    t.ok(found.waiting >= 100_000);
    t.equal(found.isComplete, false);
    for (const { subject } of found.journals) {
      const [, , engine = ''] = subject.split('.');
      if (!seen.has(subject)) ofEngine.set(engine, (ofEngine.get(engine) ?? 0) + 1);
      seen.add(subject);
    }
  }
  t.equal(ofEngine.has('b'), false, 'a subject in the name of another is no subject');
  t.ok(ofEngine.get('aaa')! > 64, 'later looks have others');

  let looks = 0;
  await until(async () => {
    looks++;
    await replay.look();
    return (await storedTexts(sql, lease.conversationId)).length === 3;
  });
  t.ok(looks <= 2, 'the words of the other engine are stored within one round of all pages');
  t.same(await storedTexts(sql, lease.conversationId), ['one', 'two', 'three']);
  await attacker.flush();
  t.ok((await waiting()) > 0, 'what cannot be opened stays');
});
