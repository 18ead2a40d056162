/** A roster keeps the nodes that were seen recently. */
import t from 'tap';
import { Roster } from '../../../src/bus/members/roster.js';
import { fixedLimits } from '../../../src/config/limits/limits.js';

const expiry = fixedLimits.busNodeExpiry.value;

t.test('a node lives from its first word to its last, or until it is silent', async (t) => {
  let now = 0;
  const roster = new Roster(() => now);
  const ids = (): string =>
    roster
      .nodes()
      .map(({ id, run }) => `${id}:${run}`)
      .join();
  t.ok(roster.seen({ id: 'b.0', run: '1' }));
  t.ok(roster.seen({ id: 'a.0', run: '1' }));
  t.equal(ids(), 'a.0:1,b.0:1', 'sorted');
  now = expiry - 1;
  t.notOk(roster.seen({ id: 'a.0', run: '1' }), 'still the same node');
  t.notOk(roster.expire());
  now = expiry;
  t.ok(roster.expire());
  t.equal(ids(), 'a.0:1');
  t.ok(roster.seen({ id: 'a.0', run: '2' }), 'a new start of the node is a change');
  t.notOk(roster.left({ id: 'a.0', run: '1' }), 'the farewell of an earlier start comes late');
  t.ok(roster.left({ id: 'a.0', run: '2' }));
  t.equal(ids(), '');
});

t.test('the number of nodes is bounded', async (t) => {
  const roster = new Roster(() => 0);
  const most = fixedLimits.busNodes.value;
  for (let node = 0; node < most; node++) t.ok(roster.seen({ id: `n-${node}`, run: '1' }));
  t.notOk(roster.seen({ id: 'further', run: '1' }));
  t.equal(roster.nodes().length, most);
  t.ok(roster.seen({ id: 'n-0', run: '2' }), 'known nodes are seen');
  roster.left({ id: 'n-0', run: '2' });
  t.ok(roster.seen({ id: 'further', run: '1' }));
});
