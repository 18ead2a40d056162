/**
 * A thousand streams come and go; objects, memory and handles stay where they were.
 *
 * Resident memory alone says little: garbage that V8 has not collected yet makes it grow by a tenth and more, whatever is
 * kept. So garbage is collected before each look, and what is left is counted. Left to grow are the machine code that V8 makes
 * of functions as they get warm, and pages of the allocator: together about 1 kB a stream, no object among them.
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
/** Objects that may be left of a stream: one that is kept of every tenth stream is a leak. */
const objectsLeft = 0.1;
/** Kilobytes that may be left of a stream: an Opus decoder alone has 18. */
const memoryLeft = 8;

/** Resident kilobytes of a process. */
const resident = (pid: number): number =>
  Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]);

const handles = (pid: number): number => readdirSync(`/proc/${pid}/fd`).length;

t.test('open, stream, close, a thousand times', { timeout: 300_000 }, async (t) => {
  const inspectorPort = await freePort();
  // Streams that come as fast as they can are refused on a busy machine; what is asked here is what they leave behind.
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
  // The system closes a socket a little after the engine let go of it.
  await until(() => handles(engine!) <= before.handles + 1, 'no handle is left');
  const after = await held();
  const grown = (after.objects - before.objects) / cycles;
  t.ok(grown < objectsLeft, `${before.objects} objects before, ${grown.toFixed(3)} more by each stream`);
  const kept = (after.memory - before.memory) / cycles;
  t.ok(kept < memoryLeft, `${before.memory} kB before, ${kept.toFixed(2)} more by each stream`);
  t.ok(after.handles <= before.handles + 1, `handles ${before.handles} -> ${after.handles}`);
  t.equal(await metric(service, 'connections_active'), 0);
});
