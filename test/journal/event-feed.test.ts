/**
 * The main thread publishes the events of its shards on the bus. It follows only the conversations for which its shards
 * wait.
 */
import t from 'tap';
import { fixedLimits } from '../../src/config/limits/limits.js';
import { followCompletions } from '../../src/journal/feeds/completion-feed.js';
import { openShardEvents, startEventFeed } from '../../src/journal/feeds/event-feed.js';
import { until } from '../support/until.js';

/** A bus whose events the test sends itself. */
const stubBus = () => {
  const sent: string[] = [];
  const followed = new Map<string, (id: string) => void>();
  return {
    sent,
    followed,
    publish: (channel: string, payload: string) => void sent.push(`${channel} ${payload}`),
    follow: (_channel: 'conversation_completed', listener: (id: string) => void, id: string) => {
      followed.set(id, listener);
      return () => void followed.delete(id);
    },
  };
};

t.test('announcements and completions cross the threads', async (t) => {
  const bus = stubBus();
  const feed = startEventFeed('engine-a', bus);
  const shard = openShardEvents('engine-a');
  const other = openShardEvents('engine-b');
  const completed: string[] = [];
  const unfollow = followCompletions('engine-a', (id) => completed.push(id));
  t.teardown(() => {
    for (const close of [feed.close, shard.close, other.close, unfollow]) close();
  });
  t.same([shard.carries('conversation_finished'), shard.carries('account_changed')], [true, false]);
  other.publish('conversation_finished', 'c-0');
  shard.publish('conversation_finished', 'c-1');
  for (const id of ['c-1', 'c-2', 'c-3']) shard.expect(id);
  shard.forget('c-2');
  await until(() => bus.followed.size === 2 && bus.followed.has('c-3'));
  t.same(bus.sent, ['conversation_finished c-1'], 'only those of the own process');
  bus.followed.get('c-3')!('c-3');
  await until(() => completed.length > 0);
  t.same(completed, ['c-3']);
  t.same([...bus.followed.keys()], ['c-1'], 'a completed conversation is no longer followed');
});

t.test('the number of followed conversations is limited', async (t) => {
  const bus = stubBus();
  const feed = startEventFeed('engine-c', bus);
  const shard = openShardEvents('engine-c');
  t.teardown(() => {
    feed.close();
    shard.close();
  });
  const { value: most } = fixedLimits.followedCompletions;
  for (let n = 0; n <= most; n++) shard.expect(`c-${n}`);
  await until(() => bus.followed.has(`c-${most}`) && !bus.followed.has('c-0'));
  t.equal(bus.followed.size, most);
  t.ok(bus.followed.has('c-1'), 'only the oldest is left out');
});
