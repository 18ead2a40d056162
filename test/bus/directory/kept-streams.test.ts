/** A home keeps the newest stream of each key, whatever the order of the messages, and stays within its limits. */
import fc from 'fast-check';
import t from 'tap';
import { KeptStreams } from '../../../src/bus/directory/kept-streams.js';
import { fixedLimits } from '../../../src/config/limits/limits.js';

const node = (id: string) => ({ id, run: '01234567' });
const stream = (key: string, takenAt: number, user = 'ann') => ({ user, key, takenAt });

t.test('the newest stream stays, and the engine of each older one is named', async () => {
  const streams = fc.uniqueArray(
    fc.record({
      engine: fc.constantFrom('a.0', 'b.0', 'c.0', 'd.0'),
      takenAt: fc.integer({ min: 1, max: 99 }),
    }),
    { minLength: 1, maxLength: 8, selector: ({ takenAt }) => takenAt },
  );
  fc.assert(
    fc.property(streams, (streams) => {
      const kept = new KeptStreams();
      const told = new Set<string>();
      for (const { engine, takenAt } of streams) {
        const result = kept.opened(node(engine), stream('k', takenAt));
        if (result !== 'full' && result.older !== null) told.add(result.older);
      }
      const [newest] = [...streams].sort((one, other) => other.takenAt - one.takenAt);
      let last = '';
      kept.keepOnly(({ engine }) => {
        last = engine;
        return true;
      });
      const others = streams.map(({ engine }) => engine).filter((engine) => engine !== newest!.engine);
      return last === newest!.engine && kept.size === 1 && others.every((engine) => told.has(engine));
    }),
  );
});

t.test('only the engine that has a stream closes it', async (t) => {
  const kept = new KeptStreams();
  kept.opened(node('a.0'), stream('k', 1));
  t.same(kept.opened(node('b.0'), stream('k', 2)), { older: 'a.0' });
  kept.closed('a.0', 'k');
  t.equal(kept.size, 1);
  t.same(kept.opened(node('a.0'), stream('k', 1)), { older: 'a.0' }, 'a late message of the older stream');
  kept.closed('b.0', 'k');
  t.equal(kept.size, 0);
});

t.test('streams of one user, of one engine, and of all are bounded', async (t) => {
  const limits = fixedLimits;
  const kept = new KeptStreams();
  for (let key = 0; key < limits.directoryUserStreams.value; key++) {
    t.not(kept.opened(node('a.0'), stream(`${key}`, 1)), 'full');
  }
  t.equal(kept.opened(node('a.0'), stream('further', 1)), 'full', 'of a user');
  t.not(kept.opened(node('a.0'), stream('0', 2)), 'full', 'a known stream is renewed');
  t.equal(kept.opened(node('a.0'), stream('0', 3, 'bob')), 'full', 'a key belongs to one user');
  t.equal(kept.opened(node('b.0'), stream('0', 3, 'bob')), 'full', 'also for another engine');
  kept.keepOnly(() => false);
  t.equal(kept.size, 0);

  const ofEngine = limits.directoryEngineStreams.value;
  const most = limits.directoryStreams.value;
  let accepted = 0;
  for (let key = 0; key < most + ofEngine; key++) {
    const result = kept.opened(
      node(`${Math.floor(key / (ofEngine + 1))}`),
      stream(`${key}`, 1, `user ${key}`),
    );
    if (result !== 'full') accepted++;
    if (key === ofEngine) t.equal(result, 'full', 'of an engine');
  }
  t.equal(accepted, most, 'of all');
  t.equal(kept.size, most);
  kept.closed('0', '0');
  t.not(kept.opened(node('z.0'), stream('further', 1, 'zoe')), 'full', 'space is used again');
});
