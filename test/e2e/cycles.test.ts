/**
 * A thousand streams open and close; objects, memory and handles stay constant.
 *
 * Resident memory alone is a poor measure: uncollected garbage lets it vary by a tenth and more. So garbage is
 * collected before each reading, and the remaining objects are counted. Only V8's machine code of warm functions and
 * allocator pages may grow: together about 1 kB per stream, without objects.
 */
import { readdirSync, readFileSync } from 'node:fs';
import t from 'tap';
import { freePort } from '../../bench/fleet/targets/free-port.js';
import { encodeFrames } from '../../src/app/wearable/encode.js';
import { inspectedEngine, inspectProcess } from '../support/memory/inspected-process.js';
import { metric, startService } from '../support/service.js';
import { scene } from '../support/texts/speech.js';
import { until } from '../support/until.js';

const warmUp = 200;
const cycles = 1000;
const atOnce = 4;
/** Objects per stream that may remain: one object kept for every tenth stream is a leak. */
const objectsLeft = 0.1;
/** Kilobytes per stream that may remain: an Opus decoder alone has 18. */
const memoryLeft = 8;

/** Resident kilobytes of a process. */
const resident = (pid: number): number =>
  Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]);

const handles = (pid: number): number => readdirSync(`/proc/${pid}/fd`).length;

t.test('open, stream, close, a thousand times', { timeout: 300_000 }, async (t) => {
  const inspectorPort = await freePort();
  // A busy machine would refuse streams that arrive this fast. The test is about what they leave behind.
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
  // The system closes a socket a little after the engine released it.
  await until(() => handles(engine!) <= before.handles + 1, 'no handle is left');
  const after = await held();
  const grown = (after.objects - before.objects) / cycles;
  t.ok(grown < objectsLeft, `${before.objects} objects before, ${grown.toFixed(3)} more by each stream`);
  const kept = (after.memory - before.memory) / cycles;
  t.ok(kept < memoryLeft, `${before.memory} kB before, ${kept.toFixed(2)} more by each stream`);
  t.ok(after.handles <= before.handles + 1, `handles ${before.handles} -> ${after.handles}`);
  t.equal(await metric(service, 'connections_active'), 0);
});
