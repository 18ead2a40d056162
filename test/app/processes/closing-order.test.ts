import t from 'tap';
import { ClosingOrder } from '../../../src/app/process/closing-order.js';
import { createLogger } from '../../../src/log/logger.js';

t.test('closes in the order of the list, even if a step hangs or fails', async (t) => {
  const closed: string[] = [];
  const order = ['listener', 'failing', 'absent', 'shards', 'hanging', 'database'];
  const closing = new ClosingOrder(order, createLogger('test', 'silent'));
  const close = (name: string) => async () => {
    closed.push(name);
  };
  closing.add('database', 1000, close('database'));
  closing.add('hanging', 5, () => new Promise(() => undefined));
  closing.add('shards', 1000, close('shards'));
  closing.add('failing', 1000, async () => {
    throw new Error('broken');
  });
  closing.add('listener', 1000, close('listener'));
  await closing.run();
  t.same(closed, ['listener', 'shards', 'database']);
  await closing.run();
  t.equal(closed.length, 3, 'once each');
});
