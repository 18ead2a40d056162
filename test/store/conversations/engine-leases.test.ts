/** Compares the rules of leases with a model, for random orders of the actions of engines, streams and the sweep. */
import { randomUUID } from 'node:crypto';
import fc from 'fast-check';
import t from 'tap';
import { sweepOrphans } from '../../../src/store/jobs/sweep.js';
import { removeEndedEngines, renewEngineLease } from '../../../src/store/live/engine-leases.js';
import { commitChanges } from '../../../src/store/live/fenced-writes.js';
import { releaseLease } from '../../../src/store/live/leases.js';
import type { BegunConversation, SpilledChange } from '../../../src/wire/spill/spill.js';
import { testDatabase } from '../../support/database/database.js';
import { takeConversation } from '../../support/database/take-conversation.js';
import { saidSegment } from '../../support/texts/said-segment.js';

const engines = ['a/0/1', 'a/0/2', 'b/0/1'];
const users = ['ann', 'bob'];

const begunBy = (uid: string): BegunConversation => ({
  id: randomUUID(),
  uid,
  source: 'omi',
  deviceId: null,
  clientPlatform: null,
  language: 'en',
  timeout: 600,
  usesCustomStt: false,
  createdAt: Date.now(),
});

interface Lease {
  readonly conversation: BegunConversation;
  readonly epoch: number;
  readonly engine: string;
}

const wordsOf = ({ conversation, epoch }: Lease): SpilledChange => ({
  conversation,
  epoch,
  startedAt: conversation.createdAt,
  lastSpeechAt: 0,
  speechProbability: null,
  spoken: null,
  rows: [
    {
      id: randomUUID(),
      position: 0,
      revision: 1,
      segment: saidSegment('words', { id: 'words', end: 1 }),
    },
  ],
});

interface Open {
  readonly id: string;
  epoch: number;
  holder: string | null;
  silent: boolean;
  said: boolean;
}

const engine = fc.constantFrom(...engines);
const user = fc.constantFrom(...users);
/** Selects one of the leases that were issued so far; 0 is the newest. */
const age = fc.nat(4);
const step = fc.oneof(
  fc.record({ kind: fc.constant('renew' as const), engine }),
  fc.record({ kind: fc.constant('die' as const), engine }),
  fc.record({ kind: fc.constant('take' as const), engine, user }),
  fc.record({ kind: fc.constant('silence' as const), user }),
  fc.record({ kind: fc.constant('say' as const), age }),
  fc.record({ kind: fc.constant('replay' as const), age }),
  fc.record({ kind: fc.constant('release' as const), age }),
  fc.record({ kind: fc.constant('sweep' as const) }),
  fc.record({ kind: fc.constant('tidy' as const) }),
);

t.test('leases of engines', async (t) => {
  const { sql } = await testDatabase(t);

  await t.test('protect silent conversations, and epochs accept one writer', async (t) => {
    const run = async (steps: readonly (typeof step extends fc.Arbitrary<infer Step> ? Step : never)[]) => {
      await sql`truncate conversations, engine_leases cascade`;
      const open = new Map<string, Open>();
      const known = new Map<string, boolean>();
      const leases: Lease[] = [];
      const lease = (back: number): Lease | undefined => leases.at(-1 - back);
      const isCurrent = ({ conversation: { uid, id }, epoch }: Lease): boolean =>
        open.get(uid)?.id === id && open.get(uid)?.epoch === epoch;

      for (const action of steps) {
        switch (action.kind) {
          case 'renew':
          case 'die':
            await renewEngineLease(sql, action.engine, action.kind === 'renew' ? 60_000 : -1000);
            known.set(action.engine, action.kind === 'renew');
            break;
          case 'take': {
            const conversation = begunBy(action.user);
            const before = open.get(action.user);
            const taken = (await takeConversation(sql, conversation, action.engine))!;
            const resumes = before?.silent === false;
            t.equal(taken.id, resumes ? before.id : conversation.id, 'the newest stream continues it');
            if (resumes) t.ok(taken.epoch > before.epoch, 'and fences all others');
            open.set(action.user, {
              id: taken.id,
              epoch: taken.epoch,
              holder: action.engine,
              silent: false,
              said: resumes && before.said,
            });
            leases.push({
              conversation: { ...conversation, id: taken.id },
              epoch: taken.epoch,
              engine: action.engine,
            });
            break;
          }
          case 'silence': {
            const found = open.get(action.user);
            if (found === undefined) break;
            await sql`update conversations set last_speech_at = now() - interval '1 hour' where id = ${found.id}`;
            found.silent = true;
            break;
          }
          case 'say':
          case 'replay': {
            const used = lease(action.age);
            if (used === undefined) break;
            // The spill of an earlier run is replayed without a holder.
            const holder = action.kind === 'say' ? used.engine : null;
            const accepted = await commitChanges(sql, [wordsOf(used)], holder);
            t.equal(accepted.size === 1, isCurrent(used), 'only the newest epoch writes');
            if (isCurrent(used)) Object.assign(open.get(used.conversation.uid)!, { holder, said: true });
            break;
          }
          case 'release': {
            const used = lease(action.age);
            if (used === undefined) break;
            await releaseLease(sql, used.conversation.id, used.epoch);
            if (isCurrent(used)) open.get(used.conversation.uid)!.holder = null;
            break;
          }
          case 'sweep': {
            const expected = { finished: [] as string[], deleted: [] as string[] };
            for (const [uid, { id, holder, silent, said }] of open) {
              if (!silent || (holder !== null && known.get(holder) === true)) continue;
              expected[said ? 'finished' : 'deleted'].push(id);
              open.delete(uid);
            }
            const { finished, deleted } = await sweepOrphans(sql, 0);
            t.same(
              { finished: finished.toSorted(), deleted: deleted.toSorted() },
              { finished: expected.finished.toSorted(), deleted: expected.deleted.toSorted() },
              'a sweep closes what is silent and held by no living engine',
            );
            break;
          }
          case 'tidy': {
            await removeEndedEngines(sql);
            const held = new Set([...open.values()].map(({ holder }) => holder));
            for (const [name, alive] of known) if (!alive && !held.has(name)) known.delete(name);
            const rows = await sql<{ engine: string }[]>`select engine from engine_leases order by engine`;
            t.same(
              rows.map((row) => row.engine),
              [...known.keys()].sort(),
              'only rows of dead engines without a conversation are removed',
            );
            break;
          }
        }
      }
    };
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 5, maxLength: 40 }), (steps) => run(steps)),
      { numRuns: 60 },
    );
  });

  await t.test('of an earlier release protect their conversation, too', async (t) => {
    await sql`truncate conversations, engine_leases cascade`;
    const taken = (await takeConversation(sql, begunBy('eve'), 'id/0'))!;
    const until = (minutes: number) => sql`
      update conversations set last_speech_at = now() - interval '1 hour',
        lease_expires_at = now() + make_interval(mins => ${minutes})`;
    await until(1);
    t.same(await sweepOrphans(sql, 0), { finished: [], deleted: [] });
    await until(-1);
    t.same(await sweepOrphans(sql, 0), { finished: [], deleted: [taken.id] });
  });
});
