/** One user's requests, however many and however slow, leave connections to the database to the others. */
import t from 'tap';
import { FairTurns } from '../../src/sidecar/fair-turns.js';
import { untilBlocked } from '../support/database.js';
import { startApi } from './support.js';

/** Work that ends when it is told to, and a list of what has begun. */
const scene = (connections: number) => {
  const turns = new FairTurns(connections);
  const begun: string[] = [];
  const ends = new Map<string, (failure?: Error) => void>();
  const start = async (uid: string, name: string): Promise<void> => {
    await turns.begin(uid);
    try {
      await new Promise<void>((resolve, reject) => {
        begun.push(name);
        ends.set(name, (failure) => (failure ? reject(failure) : resolve()));
      });
    } finally {
      turns.end(uid);
    }
  };
  return { begun, start, end: (name: string, failure?: Error) => ends.get(name)!(failure) };
};

const settled = () => new Promise((resolve) => setImmediate(resolve));

t.test('how many run at once', async (t) => {
  for (const [connections, most, mostOfUser] of [
    [1, 1, 1],
    [2, 1, 1],
    [4, 3, 2],
    [16, 15, 8],
  ] as const) {
    const one = scene(connections);
    for (let index = 0; index < 40; index++) one.start('ann', `ann ${index}`);
    await settled();
    t.equal(one.begun.length, mostOfUser, `${connections} connections, one user`);
    const many = scene(connections);
    for (let index = 0; index < 40; index++) many.start(`user ${index}`, `${index}`);
    await settled();
    t.equal(many.begun.length, most, `${connections} connections, many users`);
  }
});

t.test('turns go round the users', async (t) => {
  const { begun, start, end } = scene(2);
  for (const name of ['a1', 'a2', 'a3']) start('ann', name);
  start('ben', 'b1');
  start('eva', 'e1');
  for (const [ended, next] of [
    ['a1', 'a2'],
    ['a2', 'b1'],
    ['b1', 'e1'],
    ['e1', 'a3'],
  ] as const) {
    await settled();
    end(ended);
    await settled();
    t.equal(begun.at(-1), next);
  }
});

t.test('work that fails ends its turn', async (t) => {
  const { begun, start, end } = scene(1);
  const failing = start('ann', 'a1');
  start('ann', 'a2');
  await settled();
  end('a1', new Error('failed'));
  await t.rejects(failing, { message: 'failed' });
  await settled();
  t.same(begun, ['a1', 'a2']);
});

t.test('a user whose requests all wait for a lock does not make another one wait', async (t) => {
  const api = await startApi(t);
  const [ann, ben] = [await api.person(), await api.person()];
  let answered = 0;
  const { pending } = await api.sql.begin(async (transaction) => {
    await transaction`select pg_advisory_xact_lock(hashtextextended(${`posts ${ann.uid}`}, 0))`;
    const pending = Array.from({ length: 12 }, async () => {
      const answer = await api.call('/v1/posts', {
        credential: ann.token,
        body: { kind: 'tweet', text: 'Hello' },
      });
      answered++;
      return answer.status;
    });
    await untilBlocked(api.sql);
    for (let count = 0; count < 5; count++)
      t.equal((await api.call('/v1/users/settings', { credential: ben.token })).status, 200);
    t.equal(answered, 0, 'all requests of the other user still wait');
    return { pending };
  });
  t.same(await Promise.all(pending), Array(12).fill(200), 'and are answered when the lock is gone');
});
