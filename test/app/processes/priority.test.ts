/** Tests the CPU priority of the product's processes while all of them are busy. */
import { spawn } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { getPriority, setPriority } from 'node:os';
import t from 'tap';
import { watchServerSessions } from '../../../src/app/postgres/server-sessions.js';
import {
  backgroundNiceness,
  databaseNiceness,
  longTextNiceness,
  raiseStartedThreads,
  yieldChild,
} from '../../../src/config/process/priority.js';
import { settings } from '../../../src/config/settings.js';
import { createLogger } from '../../../src/log/logger.js';
import { createTextThread } from '../../../src/service/text/text-thread.js';
import { withoutNative } from '../../audio/support.js';
import { startService } from '../../support/service.js';
import { until } from '../../support/until.js';

t.test('the engine has priority over the database, the sidecar and the transcriber', async (t) => {
  const service = await startService(t);
  // Waits until every process whose command line contains `kind` has at most the expected niceness. A process
  // sets its niceness only after loading. Shells that watch the database also contain `kind`, but keep the
  // default niceness. So the test compares the largest niceness.
  const becomes = (kind: string, expected: number): Promise<unknown> =>
    until(() => {
      const pids = service.processes(kind);
      return pids.length > 0 && Math.max(...pids.map((pid) => getPriority(pid))) === expected;
    }, `${kind} at niceness ${expected}`);
  const own = getPriority();
  await becomes('cochlea.js engine', own);
  const expected = Math.max(own, backgroundNiceness);
  for (const kind of ['cochlea.js sidecar', 'decoder-process']) {
    await becomes(kind, expected);
    t.pass(kind);
  }
  await becomes('bin/postgres -D', Math.max(own, databaseNiceness));
});

/** Whether this process may lower its niceness. The test lowers it and then restores it. */
const mayRaise = (): boolean => {
  const own = getPriority();
  try {
    setPriority(own - 1);
    setPriority(own);
    return true;
  } catch {
    return false;
  }
};

/** Returns the niceness of a process's session; undefined on a system without autogroups, which has no such file. */
const sessionNiceness = (pid: number): number | undefined => {
  try {
    return Number(readFileSync(`/proc/${pid}/autogroup`, 'utf8').split('nice')[1]);
  } catch {
    return undefined;
  }
};

t.test(
  'each connection of the embedded database has its niceness among sessions, too',
  {
    skip:
      sessionNiceness(process.pid) === undefined && 'Linux does not share the processor among sessions here',
  },
  async (t) => {
    const service = await startService(t, { COCHLEA_STT: 'discard' });
    const connections = (): number[] =>
      service
        .processes('bin/postgres -D')
        .flatMap((pid) => readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').split(' '))
        .filter(Boolean)
        .map(Number)
        .filter((pid) => readFileSync(`/proc/${pid}/cmdline`, 'utf8').startsWith('postgres: '));
    await until(() => {
      const pids = connections();
      return pids.length > 5 && pids.every((pid) => sessionNiceness(pid) === databaseNiceness);
    }, 'all have it');
    t.pass();
  },
);

t.test(
  'a process of the database that leads a session late has its niceness, too',
  {
    skip:
      sessionNiceness(process.pid) === undefined && 'Linux does not share the processor among sessions here',
  },
  async (t) => {
    const server = spawn('/bin/sh', ['-c', '(sleep 2; exec setsid sleep 60) & wait'], {
      detached: true,
      stdio: 'ignore',
    });
    const child = await until(
      () => Number(readFileSync(`/proc/${server.pid}/task/${server.pid}/children`, 'utf8')) || undefined,
      'the child runs',
    );
    const stop = watchServerSessions(server.pid!);
    t.teardown(() => {
      stop();
      for (const pid of [server.pid!, child]) process.kill(pid, 'SIGKILL');
    });
    const command = (): string => readFileSync(`/proc/${child}/cmdline`, 'latin1');
    await until(() => command().startsWith('sleep'), 'it leads a session');
    await until(() => sessionNiceness(child) === databaseNiceness, 'it has the niceness', 10_000);
    t.pass();
  },
);

t.test(
  'the shards of an engine have priority over its other threads',
  {
    skip:
      process.platform !== 'linux'
        ? 'only Linux has a niceness for each thread'
        : mayRaise()
          ? withoutNative
          : 'this user may not lower a niceness',
  },
  async (t) => {
    const shards = 2;
    const service = await startService(t, { SHARDS: String(shards), COCHLEA_STT: 'discard' });
    const [pid] = service.processes('cochlea.js engine');
    const own = getPriority();
    const wanted = own - settings.shardPriority.schema.parse(undefined);
    const threads = readdirSync(`/proc/${pid}/task`).map(Number);
    const raised = threads.filter((thread) => getPriority(thread) === wanted);
    t.ok(raised.length >= shards, 'each shard has the priority of the setting', { raised, threads });
    t.ok(raised.length < threads.length / 2, 'most threads do not', { raised, threads });
    t.equal(getPriority(pid!), own, 'the listener has its own again');
    t.match(sessionNiceness(pid!), sessionNiceness(process.pid) === undefined ? undefined : wanted);
    const [sidecar] = service.processes('cochlea.js sidecar');
    t.match(
      sessionNiceness(sidecar!),
      sessionNiceness(process.pid) === undefined ? undefined : Math.max(own, backgroundNiceness),
    );
  },
);

t.test(
  'the thread for long texts yields to the database, the thread for short texts does not',
  { skip: process.platform !== 'linux' && 'only Linux has a niceness for each thread' },
  async (t) => {
    const texts = createTextThread({ log: createLogger('test', 'silent') });
    t.teardown(() => texts.close());
    const own = getPriority();
    const threads = (): number[] =>
      readdirSync('/proc/self/task').map((thread) => getPriority(Number(thread)));
    const json = (length: number) => new TextEncoder().encode(JSON.stringify('a'.repeat(length)));
    await texts.readJson(json(100), 'u');
    t.notOk(own < longTextNiceness && threads().includes(longTextNiceness), 'short');
    await texts.readJson(json(100_000), 'u');
    t.ok(threads().includes(Math.max(own, longTextNiceness)), 'long');
    t.ok(longTextNiceness > databaseNiceness);
  },
);

t.test('a priority of zero changes nothing, and the own niceness is restored', (t) => {
  const own = getPriority();
  const none = raiseStartedThreads(0);
  t.same([none.niceness, getPriority()], [own, own]);
  const some = raiseStartedThreads(3);
  t.equal(some.niceness, own - 3);
  some.restore();
  t.equal(getPriority(), own);
  t.end();
});

t.test(
  'a child process yields, unless this process is already as nice or the change is refused',
  async (t) => {
    const system = (own: number, refusal?: string) => {
      const calls: number[][] = [];
      const setPriority = (...call: number[]): void => {
        calls.push(call);
        if (refusal !== undefined) throw Object.assign(new Error(refusal), { info: { code: refusal } });
      };
      return { calls, getPriority: () => own, setPriority };
    };
    for (const [name, own, refusal, done, calls] of [
      ['a usual process', 0, undefined, true, [[7, 10]]],
      ['a nice process', 10, 'EACCES', true, []],
      ['a nicer process', 15, 'EACCES', true, []],
      ['a refused change', 0, 'EPERM', false, [[7, 10]]],
    ] as const) {
      const asked = system(own, refusal);
      t.equal(yieldChild(7, 10, asked), done, name);
      t.strictSame(asked.calls, calls, name);
    }
    t.throws(() => yieldChild(7, 10, system(0, 'EINVAL')));
  },
);
