/**
 * A thousand streams open and close. Objects, memory and handles stay constant.
 * Resident memory alone is a poor measure, because uncollected garbage changes it by a tenth and more. So the test collects garbage before
 * each reading and counts the remaining objects. Only V8's machine code of warm functions and allocator pages may grow, together by about
 * 1 kB per stream.
 */
import { readdirSync, readFileSync } from 'node:fs';
import t from 'tap';
import { freePort } from '../../bench/fleet/targets/free-port.js';
import { encodeFrames } from '../../src/app/wearable/encode.js';
import { inspectedEngine, inspectProcess } from '../support/memory/inspected-process.js';
import { metric, startService } from '../support/service.js';
import { scene } from '../support/texts/speech.js';
import { until } from '../support/until.js';

const warmUp = 1000;
const cycles = 1000;
const atOnce = 4;
/** Maximum number of objects per stream that may remain. An object that remains for every tenth stream is a leak. */
const objectsLeft = 0.1;
/** Maximum kilobytes per stream that may remain. An Opus decoder alone needs 18. */
const memoryLeft = 8;

/** Returns the resident memory of a process in kilobytes. */
const resident = (pid: number): number =>
  Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]);

const handles = (pid: number): number => readdirSync(`/proc/${pid}/fd`).length;

t.test('a thousand streams that open and close leave no memory behind', { timeout: 300_000 }, async (t) => {
  const inspectorPort = await freePort();
  // The setting makes a busy machine accept streams that arrive this fast. The test is about memory that streams leave behind.
  const service = await startService(t, {
    MAX_STREAMS_PER_USER: '64',
    MAX_OPENS_PER_USER: '100000',
    LAG_BUDGET: '60000',
    TRANSCRIBER_LAG_BUDGET: '600000',
    ...inspectedEngine(inspectorPort),
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

  const inspected = await inspectProcess(t, inspectorPort);
  const held = async () => {
    const objects = await inspected.objects();
    return { objects, memory: resident(engine!), handles: handles(engine!) };
  };

  await many(warmUp);
  const before = await held();
  await many(cycles);
  // The system closes a socket shortly after the engine released it.
  await until(() => handles(engine!) <= before.handles + 1, 'no handle is left');
  const after = await held();
  const grown = (after.objects - before.objects) / cycles;
  t.ok(grown < objectsLeft, `${before.objects} objects before, ${grown.toFixed(3)} more by each stream`);
  const kept = (after.memory - before.memory) / cycles;
  t.ok(kept < memoryLeft, `${before.memory} kB before, ${kept.toFixed(2)} more by each stream`);
  t.ok(after.handles <= before.handles + 1, `handles ${before.handles} -> ${after.handles}`);
  t.equal(await metric(service, 'connections_active'), 0);
});
