/** Tests a user's budget over all its sockets. Tiny messages cost the main thread as much as large messages. */
import t from 'tap';
import { fixedLimits } from '../../../src/config/limits/limits.js';
import { UserBudgets } from '../../../src/front/shards/user-budget.js';
import { type Client, startRig } from '../support.js';

const burst = fixedLimits.messageBurst.value;
const web = { route: '/v4/web/listen', token: '' };

/** Sends until the socket is closed. */
const flood = async ({ socket }: Client, size: number): Promise<void> => {
  const message = Buffer.alloc(size);
  for (let count = 0; count < 10 * burst && socket.readyState === socket.OPEN; count++) {
    socket.send(message);
    if (count % 5000 === 0) await new Promise(setImmediate);
  }
};

for (const { title, size } of [
  { title: 'messages that keep a stream alive', size: 1 },
  { title: 'frames of three bytes', size: 3 },
]) {
  t.test(`closes a flood of ${title} with its code, on every socket of the user`, async (t) => {
    const { connect } = await startRig(t);
    const client = await connect().open();
    await flood(client, size);
    t.match(await client.outcome, { code: 1008, reason: /^message_flood/ });
    const again = await connect().open();
    await flood(again, size);
    t.match(
      await again.outcome,
      { code: 1008, reason: /^message_flood/ },
      'a reconnect brings no new budget',
    );
  });
}

t.test('limits the messages of a socket that has not authenticated', async (t) => {
  const { connect } = await startRig(t);
  for (const size of [1, 3]) {
    const client = await connect('', web).open();
    for (let count = 0; count < 5000; count++) client.socket.send(Buffer.alloc(size));
    t.match(await client.outcome, { code: 1008, reason: /audio before the auth message/ });
  }
});

t.test('stores budgets while a socket uses them or they are not full', async (t) => {
  const budgets = new UserBudgets({ textBurst: 1000, imageBurst: 1000, textRate: 10 });
  const ann = budgets.hold('ann', 0);
  for (let count = 0; count < burst; count++) ann.messages.take(1, 0);
  const bob = budgets.hold('bob', 0);
  for (let user = 0; user < 100; user++) budgets.hold(`user ${user}`, 0).holders--;
  t.ok(budgets.size < 10, 'others are forgotten');
  t.equal(budgets.hold('bob', 0), bob, 'a socket holds it');
  ann.holders--;
  t.equal(budgets.hold('ann', 0), ann, 'it is not full');
  ann.holders--;
  for (let user = 0; user < 10; user++) budgets.hold(`user ${user}`, 1e6).holders--;
  t.not(budgets.hold('ann', 1e6), ann, 'it has been full for long');
});

t.test('stores the budget of a user whose text allowance is not full', async (t) => {
  const budgets = new UserBudgets({ textBurst: 1000, imageBurst: 1000, textRate: 10 });
  const ann = budgets.hold('ann', 0);
  ann.texts.take(new ArrayBuffer(1000), 0);
  ann.holders--;
  for (let user = 0; user < 10; user++) budgets.hold(`user ${user}`, 50_000).holders--;
  t.equal(budgets.hold('ann', 50_000), ann, 'half of it is earned');
  ann.holders--;
  for (let user = 0; user < 10; user++) budgets.hold(`user ${user}`, 100_000).holders--;
  t.not(budgets.hold('ann', 100_000), ann, 'it is full');
});
