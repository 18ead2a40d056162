import t from 'tap';
import { shareAnswer } from '../../../src/sidecar/answers/share-answer.js';

t.test('those who ask at the same time share one answer, later ones get another', async (t) => {
  let asked = 0;
  const share = shareAnswer(async () => ++asked);
  t.same(await Promise.all([share(), share(), share()]), [1, 1, 1]);
  t.equal(await share(), 2);
});

t.test('a failure is shared, and not kept', async (t) => {
  let asked = 0;
  const share = shareAnswer(async () => {
    if (++asked === 1) throw new Error('away');
    return asked;
  });
  const both = await Promise.allSettled([share(), share()]);
  t.same(
    both.map(({ status }) => status),
    ['rejected', 'rejected'],
  );
  t.equal(await share(), 2);
});
