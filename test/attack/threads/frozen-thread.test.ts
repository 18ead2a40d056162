/** Another process stops one thread of the running engine, like a debugger. Neither signals nor the engine can wake that thread. */
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, readFileSync } from 'node:fs';
import t from 'tap';
import { metric, serviceOnTestDatabase } from '../../support/service.js';
import { until } from '../../support/until.js';

/**
 * A program that attaches to one thread (PTRACE_SEIZE) and stops it (PTRACE_INTERRUPT). It releases the thread when standard input ends.
 */
const stopper = `
import ctypes, os, sys
libc = ctypes.CDLL(None, use_errno=True)
libc.ptrace.argtypes = [ctypes.c_long, ctypes.c_long, ctypes.c_void_p, ctypes.c_void_p]
libc.ptrace.restype = ctypes.c_long
thread = int(sys.argv[1])
for request in (0x4206, 0x4207):
    if libc.ptrace(request, thread, None, None) < 0:
        sys.exit(os.strerror(ctypes.get_errno()))
os.waitpid(thread, 0x40000000)
print("stopped", flush=True)
sys.stdin.read()
`;

/** Returns the reason why this machine cannot stop threads, or false. */
const missing = (): string | false => {
  if (process.platform !== 'linux') return 'threads are stopped one by one on Linux only';
  const probe = spawn('sleep', ['30']);
  try {
    const { status, error, stderr } = spawnSync('python3', ['-c', stopper, String(probe.pid)], { input: '' });
    return status === 0
      ? false
      : `no thread can be stopped here: ${error?.message ?? stderr.toString().trim()}`;
  } finally {
    probe.kill('SIGKILL');
  }
};

t.test('a shard whose thread another process stops is replaced', { skip: missing() }, async (t) => {
  const service = await serviceOnTestDatabase(t, {
    COCHLEA_STT: 'discard',
    SHARDS: '1',
    SHARD_TIMEOUT: '2000',
  });
  const user = await service.user('wearer');
  const wearable = await service.wearable(user, { codec: 'pcm16' });
  const conversation = await wearable.waitFor(({ type }) => type === 'conversation_session', 60_000);
  const [engine] = service.processes('cochlea.js engine');
  /** Returns how often each thread except the main thread has slept. */
  const sleeps = (): Map<number, number> =>
    new Map(
      readdirSync(`/proc/${engine}/task`)
        .map(Number)
        .filter((thread) => thread !== engine)
        .map((thread) => {
          const status = readFileSync(`/proc/${engine}/task/${thread}/status`, 'utf8');
          return [thread, Number(/^voluntary_ctxt_switches:\s*(\d+)/m.exec(status)?.[1])];
        }),
    );
  for (let message = 0; message < 50; message++) wearable.sendBinary(new Uint8Array(3200));
  await until(
    async () => (await metric(service, 'frames_decoded_total')) >= 50,
    'the shard has decoded the frames',
  );
  // A shard wakes ten times per second even without work. The other threads of the runtime do not wake.
  const before = sleeps();
  const shard = await until(() => {
    const [first, second] = [...sleeps()]
      .map(([thread, count]) => ({ thread, count: count - (before.get(thread) ?? 0) }))
      .sort((x, y) => y.count - x.count);
    return first!.count >= 30 && first!.count > 2 * (second?.count ?? 0) && first!;
  }, 'one thread wakes regularly');
  const holder = spawn('python3', ['-c', stopper, String(shard.thread)], {
    stdio: ['pipe', 'pipe', 'pipe'],
  });
  t.teardown(async () => void holder.kill('SIGKILL'));
  let refusal = '';
  holder.stderr.on('data', (data: Buffer) => (refusal += data.toString()));
  const stopped = once(holder.stdout, 'data').then(() => true);
  if (!(await Promise.race([stopped, once(holder, 'close').then(() => false)]))) {
    // In a container without CAP_SYS_PTRACE, the test cannot stop threads of the engine, because the engine runs as a
    // different user.
    t.pass('a stopped thread', { skip: `no thread of the engine can be stopped here: ${refusal.trim()}` });
    return;
  }

  t.match(await wearable.closed, { code: 1012, reason: 'shard_lost' });
  t.equal(await metric(service, 'shards_abandoned'), 1, 'the stopped thread cannot be ended');
  await until(async () => (await metric(service, 'shards_replaced_total')) === 1, 'a new shard runs');
  const again = await service.wearable(user, { codec: 'pcm16' });
  const resumed = await again.waitFor(({ type }) => type === 'conversation_session', 60_000);
  t.equal(resumed?.conversation_id, conversation?.conversation_id);
  t.ok(await again.waitFor(({ status }) => status === 'ready', 60_000));

  holder.stdin.end();
  await until(async () => (await metric(service, 'shards_abandoned')) === 0, 'the released thread ends');
  t.notOk(again.isClosed);
  t.same(service.processes('cochlea.js engine'), [engine]);
  await again.close();
});
