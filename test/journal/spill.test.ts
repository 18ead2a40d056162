import { mkdirSync, readdirSync, renameSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import t from 'tap';
import { isAlive, processToken } from '../../src/journal/process-token.js';
import { Spill } from '../../src/journal/spill.js';
import { SpillFolders } from '../../src/journal/spill-folders.js';
import type { SpillEntry } from '../../src/wire/spill/spill.js';

const release = (epoch: number): SpillEntry => ({ kind: 'release', id: 'conversation', epoch });
const epochs = (spill: Spill, limit = 1000): number[] =>
  spill.peek(limit).map(({ entry }) => (entry?.kind === 'release' ? entry.epoch : -1));

t.test('the spill of a journal', async (t) => {
  await t.test('returns entries in order, over any removals and restarts', async (t) => {
    const step = fc.oneof(
      fc.record({ do: fc.constant('append' as const), count: fc.integer({ min: 1, max: 5 }) }),
      fc.record({ do: fc.constant('remove' as const), count: fc.integer({ min: 1, max: 5 }) }),
      fc.record({ do: fc.constant('reopen' as const) }),
    );
    let folder = 0;
    const root = t.testdir();
    const property = fc.asyncProperty(fc.array(step, { maxLength: 12 }), async (steps) => {
      const path = join(root, `folder.${folder++}`);
      let spill = new Spill(path, 1_000_000);
      const model: number[] = [];
      let next = 1;
      for (const step of steps) {
        if (step.do === 'append') {
          const numbers = Array.from({ length: step.count }, () => next++);
          await Promise.all(numbers.map((epoch) => spill.append(release(epoch))));
          model.push(...numbers);
        } else if (step.do === 'remove') {
          spill.remove(spill.peek(step.count));
          model.splice(0, step.count);
        } else {
          await spill.close(false);
          spill = new Spill(path, 1_000_000);
        }
        if (spill.depth !== model.length) throw new Error(`depth ${spill.depth}, not ${model.length}`);
        if (epochs(spill).join() !== model.join()) throw new Error(`${epochs(spill)} is not ${model}`);
      }
      await spill.close(true);
    });
    await t.resolves(fc.assert(property, { numRuns: 15 }));
    t.strictSame(readdirSync(root), [], 'erased folders are gone');
  });

  await t.test('keeps its limit, including entries that wait for the disk', async (t) => {
    const spill = new Spill(join(t.testdir(), 'bounded'), 500);
    const outcomes = await Promise.allSettled(
      Array.from({ length: 20 }, (_, epoch) => spill.append(release(epoch))),
    );
    const kept = outcomes.filter(({ status }) => status === 'fulfilled').length;
    t.ok(kept > 1 && kept < 20, `${kept} of 20 fit`);
    t.match(outcomes.at(-1), { status: 'rejected', reason: { code: 'journal_spill_failed' } });
    t.equal(spill.depth, kept);
    spill.remove(spill.peek(kept));
    await spill.append(release(99));
    t.strictSame(epochs(spill), [99]);
    await spill.close(true);
  });

  await t.test('returns damaged bytes as damaged', async (t) => {
    const path = join(t.testdir(), 'damaged');
    const spill = new Spill(path, 1000);
    await spill.append(release(1));
    await spill.close(false);
    const { open } = await import('lmdb');
    const raw = open<Buffer, number>({ path, noSubdir: false, encoding: 'binary', keyEncoding: 'uint32' });
    await raw.put(2, Buffer.from([0xff, 0xff, 0xff]));
    await raw.close();
    const again = new Spill(path, 1000);
    t.match(again.peek(10), [{ entry: release(1) }, { entry: undefined }]);
    await again.close(true);
  });
});

t.test('distinguishes processes', async (t) => {
  t.ok(isAlive(processToken()));
  t.notOk(isAlive(`${process.pid}.12345.beef`), 'the same number, another process');
  t.notOk(isAlive('4194305.1.beef'), 'no such process');
});

t.test('passes each folder of a dead process to one new owner', async (t) => {
  const root = t.testdir();
  const uuid = '0b9d3f0c-6a53-4f4e-9f6e-2f1d3c4b5a69';
  const leave = (engine: string, shard: number, token: string): void =>
    mkdirSync(join(root, `${engine}~${shard}~${token}~live~000000000000001-0000000${shard}`));
  const dead = '4194305.1.beef';
  leave(uuid, 0, dead);
  leave(uuid, 1, dead);
  leave(`${uuid}-1`, 2, dead);
  leave(uuid, 3, processToken());
  leave('another', 0, dead);
  mkdirSync(join(root, 'rejected'));

  const one = new SpillFolders(root, uuid, 0);
  const two = new SpillFolders(root, uuid, 1);
  t.equal(await one.leftoversRemain(), true);
  const [first, second] = await Promise.all([one.claim(), two.claim()]);
  t.equal(first.length + second.length, 3, 'of the dead of the family, each once');
  t.equal(await two.leftoversRemain(), true, 'also while another shard replays');
  const third = await new SpillFolders(root, uuid, 3).claim();
  t.equal(third.length, 1, 'and of an earlier thread of the same shard');
  for (const [index, path] of [...first, ...second, ...third].entries())
    renameSync(path, join(root, `done${index}`));
  t.equal(await two.leftoversRemain(), false);
  t.equal((await new SpillFolders(root, 'another', 5).claim()).length, 1);
  t.not(one.create(), one.create());
});
