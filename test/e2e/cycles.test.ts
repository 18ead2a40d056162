/** A thousand streams come and go; memory and handles stay where they were. */
import { readdirSync, readFileSync } from 'node:fs';
import t from 'tap';
import { encodeFrames } from '../../src/app/wearable/index.js';
import { metric, startService } from '../support/service.js';
import { scene } from '../support/speech.js';
import { until } from '../support/until.js';

const warmUp = 100;
const cycles = 1000;
const atOnce = 4;
/** Part of the memory after the warm-up that may be held at the end. */
const mark = 1.1;

/** Resident kilobytes of a process. */
const resident = (pid: number): number =>
  Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]);

const handles = (pid: number): number => readdirSync(`/proc/${pid}/fd`).length;

t.test('open, stream, close, a thousand times', { timeout: 300_000 }, async (t) => {
  // Streams that come as fast as they can are refused on a busy machine; what is asked here is what they leave behind.
  const service = await startService(t, {
    MAX_STREAMS_PER_USER: '64',
    MAX_OPENS_PER_USER: '100000',
    LAG_BUDGET: '60000',
    TRANSCRIBER_LAG_BUDGET: '600000',
  });
  const user = await service.user('ada');
  const frames = encodeFrames(await scene([1], 100), 'opus', 16_000).slice(0, 30);
  const [engine] = service.processes('cochlea.js engine');

  const cycle = async (): Promise<void> => {
    const wearable = await service.wearable(user);
    for (const { bytes } of frames) wearable.sendBinary(bytes);
    await wearable.close();
  };
  const many = async (count: number): Promise<void> => {
    for (let done = 0; done < count; done += atOnce) await Promise.all(Array.from({ length: atOnce }, cycle));
    await until(async () => (await metric(service, 'sessions_active')) === 0, 'every session has ended');
    await until(async () => (await metric(service, 'connections_active')) === 0, 'every socket is closed');
  };

  await many(warmUp);
  const before = { memory: resident(engine!), handles: handles(engine!) };
  await many(cycles);
  // The system closes a socket a little after the engine let go of it.
  await until(() => handles(engine!) <= before.handles + 1, 'no handle is left');
  // Garbage goes when the engine collects it, which it does once it is idle.
  await until(() => resident(engine!) <= before.memory * mark, 'memory comes back to the mark');
  const after = { memory: resident(engine!), handles: handles(engine!) };
  t.comment(
    `engine: ${before.memory} kB after ${warmUp} cycles, ${after.memory} kB after ${cycles} more; handles ${before.handles} -> ${after.handles}`,
  );
  t.ok(
    after.memory <= before.memory * mark,
    `resident memory ${(after.memory / before.memory).toFixed(3)} of the mark`,
  );
  t.ok(after.handles <= before.handles + 1, 'no handle is left');
  t.equal(await metric(service, 'connections_active'), 0);
});
