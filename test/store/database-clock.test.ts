/** Tests the wall clock that is corrected by the clock of a real database. */
import { setTimeout as pause } from 'node:timers/promises';
import t from 'tap';
import { correctedClock } from '../../src/common/threads/corrected-clock.js';
import { fixedLimits } from '../../src/config/limits/limits.js';
import { connectDatabase } from '../../src/store/client/database.js';
import type { Sql } from '../../src/store/client/index.js';
import { DatabaseClock } from '../../src/store/clock/database-clock.js';
import { testDatabase } from '../support/database/database.js';

/** Tolerance in ms for the time that the test itself takes. */
const tolerance = 2000;

t.test('the wall clock of a machine', async (t) => {
  const { url, sql } = await testDatabase(t);

  /**
   * Returns a machine whose wall clock is `ahead` ms ahead of the database's clock. The test moves the machine's
   * clocks.
   */
  const machine = (ahead: number, pool = sql) => {
    const clocks = { ahead, passed: 0 };
    const warnings: { readonly err: { readonly code: string } }[] = [];
    const infos: string[] = [];
    const measured: number[] = [];
    const wall = () => Date.now() + clocks.ahead + clocks.passed;
    const clock = new DatabaseClock({
      sql: pool,
      log: {
        warn: (given: unknown) => warnings.push(given as never),
        info: (text: string) => infos.push(text),
        debug: () => undefined,
      } as never,
      wall,
      monotonic: () => performance.now() + clocks.passed,
      onMeasured: (offset) => measured.push(offset),
    });
    return { clock, clocks, wall, warnings, infos, measured };
  };

  const cases = [
    { ahead: 3000, warns: true, trusted: true },
    { ahead: -3000, warns: true, trusted: true },
    { ahead: 8000, warns: true, trusted: false },
    { ahead: -8000, warns: true, trusted: false },
    { ahead: fixedLimits.clockWarned.value - 300, warns: false, trusted: true },
    { ahead: fixedLimits.clockWarned.value + 300, warns: true, trusted: true },
    { ahead: fixedLimits.clockRefused.value + 1000, warns: true, trusted: false },
    { ahead: fixedLimits.clockRefused.value - 1000, warns: true, trusted: true },
  ];
  for (const { ahead, warns, trusted } of cases) {
    await t.test(`${ahead} ms ahead is corrected`, async (t) => {
      const { clock, wall, warnings, measured } = machine(ahead);
      await clock.look();
      const corrected = clock.wall() - wall();
      t.ok(Math.abs(corrected + ahead) < 200, `by ${corrected} ms`);
      t.ok(Math.abs(measured[0]! + ahead) < 200, 'the metric shows it');
      t.equal(clock.offset, Math.round(measured[0]!));
      t.equal(
        correctedClock(clock.correction, () => 0)(),
        corrected,
        'other threads read the same correction',
      );
      t.equal(clock.isTrusted, trusted);
      t.strictSame(
        warnings.map(({ err }) => err.code),
        warns ? ['clock_off'] : [],
      );
    });
  }

  await t.test('is not corrected by the error of the measurement', async (t) => {
    const { clock, warnings } = machine(0);
    await clock.look();
    t.equal(correctedClock(clock.correction, () => 0)(), 0);
    t.same(warnings, []);
  });

  await t.test('is measured again after a minute, and after a jump', async (t) => {
    const { clock, clocks, warnings, infos, measured } = machine(3000);
    await clock.look();
    clocks.passed += 59_000;
    await clock.look();
    t.equal(measured.length, 1);
    clocks.passed += 1000;
    await clock.look();
    t.equal(measured.length, 2);
    t.equal(warnings.length, 1, 'it warns once');
    clocks.passed = 0;
    clocks.ahead = 0;
    await clock.look();
    t.equal(measured.length, 3, 'the machine corrected its clock');
    t.equal(correctedClock(clock.correction, () => 0)(), 0);
    t.strictSame(infos, ['the clock of this machine is right again']);
  });

  await t.test('keeps its correction while the database is away', async (t) => {
    const pool = connectDatabase(url, { max: 1, name: 'clock' });
    const { clock, clocks, wall } = machine(8000, pool);
    await clock.start();
    t.teardown(() => clock.stop());
    await pool.end({ timeout: 0 });
    clocks.passed += 60_000;
    await clock.look();
    t.ok(Math.abs(clock.wall() - wall() + 8000) < tolerance);
    t.notOk(clock.isTrusted);
  });

  /** A database that answers after some ms, and whose clock is right. */
  const slowDatabase = (delay: number): Sql =>
    (async () => {
      await pause(delay / 2);
      const now = Date.now();
      await pause(delay / 2);
      return [{ now }];
    }) as unknown as Sql;

  await t.test('a database that answers slowly does not delay the start', async (t) => {
    const { clock } = machine(0, slowDatabase(6000));
    const began = performance.now();
    await clock.start();
    const took = performance.now() - began;
    await clock.stop();
    t.ok(took < 5000, `${took} ms`);
  });

  await t.test('a very wrong clock is corrected by a slow answer, too', async (t) => {
    const { clock, wall } = machine(60_000, slowDatabase(1500));
    await clock.look();
    t.ok(Math.abs(clock.wall() - wall() + 60_000) < tolerance);
    t.notOk(clock.isTrusted);
    const { clock: right, wall: rightWall } = machine(0, slowDatabase(1500));
    await right.look();
    t.equal(right.wall() - rightWall() < 100, true, 'a slow answer does not move a right clock');
  });

  await t.test('a clock near the limit does not change its mind with each measurement', async (t) => {
    const { value: refused } = fixedLimits.clockRefused;
    const { clock, clocks } = machine(refused + 300);
    const minute = async (ahead: number): Promise<boolean> => {
      clocks.ahead = ahead;
      clocks.passed += 60_000;
      // `passed` also moves the wall clock. So `passed` is subtracted, and the difference to the database's clock
      // remains `ahead`.
      clocks.ahead -= clocks.passed;
      await clock.look();
      return clock.isTrusted;
    };
    t.same(
      [
        await minute(refused + 300),
        await minute(refused - 300),
        await minute(refused + 300),
        await minute(refused - 1500),
        await minute(refused - 300),
      ],
      [false, false, false, true, true],
    );
  });

  await t.test('is not corrected before the database has answered', async (t) => {
    const pool = connectDatabase(url, { max: 1, name: 'clock' });
    await pool.end({ timeout: 0 });
    const { clock, wall } = machine(8000, pool);
    await clock.look();
    t.ok(Math.abs(clock.wall() - wall()) < tolerance);
    t.ok(clock.isTrusted);
  });
});
