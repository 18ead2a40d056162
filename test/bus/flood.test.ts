/**
 * An engine that floods the bus does not slow down the other engines, and does not make the bus lose their messages.
 */
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { setTimeout as pause } from 'node:timers/promises';
import { connect } from '@nats-io/transport-node';
import t from 'tap';
import { openBus } from '../../src/bus/open-bus.js';
import { messageSubject, nodeIdOf, nodeSubject } from '../../src/bus/subjects/nodes.js';
import { FleetUsage } from '../../src/bus/usage/index.js';
import { fixedLimits } from '../../src/config/limits/limits.js';
import { createLogger } from '../../src/log/logger.js';
import { withoutNats } from '../support/servers/find-nats.js';
import { busSettings, startNats } from '../support/servers/nats.js';
import { until } from '../support/until.js';

const log = createLogger('bus', 'silent');
const hex = (number: number): string => number.toString(16).padStart(8, '0');

t.test('floods of an engine', { skip: withoutNats, timeout: 120_000 }, async (t) => {
  const { url, port } = await startNats(t);
  const open = async (role: 'engine' | 'sidecar', name: string) => {
    const bus = (await openBus(busSettings({ NATS_URL: url }), { role, name }, log))!;
    t.teardown(() => bus.close());
    return bus;
  };
  await open('sidecar', 's');
  const bus = await open('engine', 'b');
  const members = bus.members!;
  await until(() => members.living.length === 1);
  const attacker = await connect({ port });
  t.teardown(() => attacker.close());

  await t.test('a member that comes and goes all the time', async (t) => {
    let changes = 0;
    const end = members.onChange(() => changes++);
    for (let run = 0; run < 20_000; run++) {
      attacker.publish(nodeSubject('engine', `a.${run % 64}`), `alive:${hex(run)}`);
    }
    await attacker.flush();
    await pause(1000);
    end();
    t.ok(changes <= 20, `${changes} changes are passed on`);
    t.ok(members.living.length > 0, 'this engine is still a member');
  });

  await t.test('messages beyond the limit are ignored, and those of others are read', async (t) => {
    let read = 0;
    let ofOther = 0;
    const end = members.onMessage((from) => {
      if (from === 'c.0') ofOther++;
      else read++;
    });
    const sent = 20 * fixedLimits.busMessages.value;
    for (let message = 0; message < sent; message++) {
      attacker.publish(messageSubject(`a.${message % 64}`, 'b.0'), 'x');
    }
    attacker.publish(messageSubject('c.0', 'b.0'), 'x');
    await attacker.flush();
    await until(() => ofOther === 1);
    end();
    t.ok(read < sent / 4, `${read} of ${sent} are read`);
  });

  await t.test('one message about use does not cause many', async (t) => {
    const usage = new FleetUsage({
      members,
      quiet: { user: 1, address: 1, 'voice-user': 1, 'voice-address': 1 },
      ignored: () => undefined,
    });
    t.teardown(() => usage.close());
    const delay = monitorEventLoopDelay({ resolution: 1 });
    delay.enable();
    await pause(5000);
    const before = bus.traffic();
    for (let report = 0; report < 4000; report++) {
      const name = String(report >> 6).padStart(22, 'n');
      attacker.publish(messageSubject(`a.${report % 64}`, 'b.0'), `usage:used:0:${name}:1:1:00000000`);
    }
    await attacker.flush();
    await pause(1000);
    const bytes = bus.traffic().outBytes - before.outBytes;
    delay.disable();
    t.comment(`${bytes} bytes of news, longest block ${Math.round(delay.max / 1e6)} ms`);
    t.ok(bytes < 16 * fixedLimits.usageRate.value);
    t.equal(bus.traffic().dropped, before.dropped, 'messages to other engines are not dropped');
  });
});

t.test('a machine has at most 64 processes', async (t) => {
  t.equal(nodeIdOf('engine', nodeSubject('engine', 'a.63')), 'a.63');
  for (const id of ['a.64', 'a.99', 'a.00', 'a.07'])
    t.equal(nodeIdOf('engine', nodeSubject('engine', id)), null);
});
