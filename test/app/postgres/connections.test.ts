/**
 * One budget of PostgreSQL connections is divided among the processes. The server must allow at least as many
 * connections as the budget.
 */
import fc from 'fast-check';
import t from 'tap';
import { checkConnections, requireConnections } from '../../../src/app/database/check-connections.js';
import { connectionLine, connectionPlan, leastConnections } from '../../../src/config/connections.js';
import { loadSettings } from '../../../src/config/load-settings.js';
import { readConnectionLimit } from '../../../src/store/client/connection-limit.js';
import { connectDatabase } from '../../../src/store/client/database.js';
import { testDatabase } from '../../support/database/database.js';

const settingsOf = (shards: number, engines = 1, budget = 0) =>
  loadSettings({
    SHARDS: String(shards),
    ENGINE_PROCESSES: String(engines),
    DATABASE_CONNECTIONS: String(budget),
  }).values;

t.test('plans connections for shards, processes and budgets', async (t) => {
  const cases: readonly (readonly [number, number, number, number, number, number])[] = [
    // Columns: shards, engine processes, budget, connections of one journal, connections of REST, connections of the whole service.
    [1, 1, 0, 4, 8, 23],
    [3, 1, 0, 4, 8, 31],
    [15, 1, 0, 4, 8, 79],
    [32, 1, 0, 2, 8, 83],
    [64, 1, 0, 1, 8, 83],
    [16, 4, 0, 1, 8, 89],
    [128, 1, 0, 1, 7, 146],
    [1, 1, 13, 1, 1, 13],
    [3, 1, 20, 2, 3, 20],
  ];
  for (const [shards, engines, budget, journal, rest, total] of cases) {
    const plan = connectionPlan(settingsOf(shards, engines, budget));
    t.strictSame(
      [plan.journal, plan.rest, plan.total],
      [journal, rest, total],
      `${shards} shards, ${engines} engines, ${budget}`,
    );
  }
  fc.assert(
    fc.property(
      fc.integer({ min: 1, max: 256 }),
      fc.integer({ min: 1, max: 64 }),
      fc.integer({ min: 0, max: 2000 }),
      (shards, engines, more) => {
        const least = leastConnections(settingsOf(shards, engines));
        const budget = Math.min(10_000, least + more);
        if (budget < least) return true;
        const plan = connectionPlan(settingsOf(shards, engines, budget));
        return (
          plan.total <= budget &&
          plan.journal >= 1 &&
          plan.rest >= 1 &&
          plan.engine === 2 + shards * plan.journal &&
          plan.total === 3 + plan.sidecar + engines * plan.engine
        );
      },
    ),
  );
  t.throws(() => settingsOf(64, 1, 40), { code: 'setting_invalid', message: /at least 78/ });
  t.match(
    connectionLine(settingsOf(3)),
    'up to 31 connections (sidecar 14, engine 1 x (2 + 3 shards x 4), 3 for commands)',
  );
});

t.test('checks the plan against the limit of the server', async (t) => {
  const { url, sql } = await testDatabase(t);
  const { allowed } = await readConnectionLimit(sql);
  const [server] = await sql<{ most: number; reserved: number }[]>`
    select current_setting('max_connections')::integer as most,
      current_setting('superuser_reserved_connections')::integer as reserved`;
  t.equal(allowed, server!.most - server!.reserved, 'without those reserved for administrators');
  await t.resolves(requireConnections(settingsOf(64), sql));
  const many = settingsOf(256, 1, 1000);
  const { total: needed } = connectionPlan(many);
  t.ok(needed > allowed, 'the case is over the limit');
  await t.rejects(requireConnections(many, sql), {
    code: 'database_connections',
    details: { needed, allowed },
  });
  const database = new URL(url).pathname.slice(1);
  await sql`alter database ${sql(database)} connection limit 70`;
  await t.rejects(requireConnections(settingsOf(64), sql), {
    code: 'database_connections',
    details: { needed: 83, allowed: 70 },
  });

  const warnings: unknown[] = [];
  const log = { warn: (fields: unknown) => warnings.push(fields) } as never;
  const settings = { ...settingsOf(8), databaseUrl: url };
  await checkConnections(settings, log);
  t.strictSame(warnings, []);
  // Connections of other programs have a different application name.
  const others = new URL(url);
  const stranger = connectDatabase(others.href, { max: 25 });
  t.teardown(() => stranger.end({ timeout: 1 }));
  let begun = 0;
  let allBegan = (): void => undefined;
  const began = new Promise<void>((resolve) => {
    allBegan = resolve;
  });
  await Promise.all(
    Array.from({ length: 25 }, () =>
      stranger.begin(async (transaction) => {
        await transaction`set application_name to 'report'`;
        // Each transaction keeps its connection until all transactions have begun.
        if (++begun === 25) allBegan();
        await began;
      }),
    ),
  );
  await checkConnections(settings, log);
  t.match(warnings, [{ needed: 51, allowed: 70, others: 25 }]);
});
