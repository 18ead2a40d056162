/** The experiment of a listener on each shard: what stands for the ring, and a few streams through the whole of it. */
import t from 'tap';
import { DirectLine } from '../../bench/experiments/shard-listener/direct-line.js';
import { startShardListener } from '../../bench/experiments/shard-listener/target.js';
import { fleetModel } from '../../bench/fleet/fleet-model.js';
import { startGenerator } from '../../bench/fleet/generator.js';
import { fetchPage, type ServerReading } from '../../bench/fleet/server-page.js';
import { RecordKind } from '../../src/ring/index.js';
import { until } from '../support/until.js';

interface Seen {
  readonly kind: number;
  readonly slot: number;
  readonly bytes: readonly number[];
  readonly arrival: number;
}

const readAll = (line: DirectLine, most = Number.POSITIVE_INFINITY): Seen[] => {
  const seen: Seen[] = [];
  line.drain((kind, slot, offset, length, arrival) => {
    seen.push({ kind, slot, bytes: [...line.data.subarray(offset, offset + length)], arrival });
    return seen.length < most;
  });
  return seen;
};

t.test('records come out once, in order, and make space when all were visited', async (t) => {
  const line = new DirectLine();
  for (let round = 0; round < 3; round++) {
    const sent = [0, 1, 2, 3].map((slot) => ({
      kind: slot === 0 ? RecordKind.open : RecordKind.audio,
      slot,
      bytes: Array.from({ length: slot * 3 }, (_, at) => at + round),
      arrival: 0.25 + slot,
    }));
    for (const { kind, slot, bytes, arrival } of sent) {
      const payload = Uint8Array.from(bytes);
      const taken =
        kind === RecordKind.audio
          ? line.writeFrame(kind, slot, payload.buffer, arrival)
          : line.write(kind, slot, payload, arrival);
      t.ok(taken);
    }
    const first = readAll(line, 2);
    line.release();
    t.same([...first, ...readAll(line)], sent);
    line.release();
    t.same(readAll(line), []);
  }
  const quarter = new ArrayBuffer(line.data.length / 4);
  for (let frame = 0; frame < 3; frame++) t.ok(line.writeFrame(RecordKind.audio, 0, quarter, 0));
  t.notOk(line.writeFrame(RecordKind.audio, 0, new ArrayBuffer(1), 0), 'full');
  t.ok(line.write(RecordKind.close, 0, new Uint8Array(12), 0), 'but not for a control record');
  t.equal(readAll(line).length, 4);
  line.release();
  t.ok(line.writeFrame(RecordKind.audio, 0, new ArrayBuffer(1), 0));
});

t.test('a wait ends with a record, with a wake, with the time', async (t) => {
  const line = new DirectLine();
  const byRecord = line.wait(100_000);
  line.write(RecordKind.text, 0, new Uint8Array(1), 0);
  await byRecord;
  await line.wait(100_000);
  t.equal(readAll(line).length, 1);
  const byWake = line.wait(100_000);
  line.wake();
  await byWake;
  await line.wait(1);
  t.equal(readAll(line).length, 0);
});

t.test('streams are decoded on two threads with one port', async (t) => {
  const target = await startShardListener(2);
  t.teardown(() => target.stop());
  const { classes } = await fleetModel('opus', 'speech');
  const generator = await startGenerator({ url: target.url, classes, rampPerS: 100, seed: 1 });
  t.teardown(() => generator.stop());
  const page = (): Promise<ServerReading> => fetchPage(target.metricsUrl!);
  const readUntil = (done: (reading: ServerReading) => boolean): Promise<ServerReading> =>
    until(async () => {
      const reading = await page();
      return done(reading) && reading;
    });
  generator.setStreams(8);
  const decoded = await readUntil(({ connections, vadWindows }) => connections === 8 && vadWindows >= 200);
  t.equal(decoded.dropped, 0);
  t.equal(decoded.framesInvalid, 0);
  generator.setStreams(0);
  // The page is read while threads write: a window is counted just before its wait.
  const left = await readUntil(
    ({ connections, vadWindows, frameToVad }) =>
      connections === 0 && frameToVad.counts.reduce((sum, count) => sum + count, 0) === vadWindows,
  );
  t.ok(left.vadWindows >= decoded.vadWindows);
  t.ok(left.framesDecoded > 0);
});
