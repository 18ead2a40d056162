import t from 'tap';
import { shareAnswer } from '../../../src/sidecar/answers/share-answer.js';

t.test('simultaneous callers share one answer, and a later caller gets a new one', async (t) => {
  let asked = 0;
  const share = shareAnswer(async () => ++asked);
  t.same(await Promise.all([share(), share(), share()]), [1, 1, 1]);
  t.equal(await share(), 2);
});

t.test('simultaneous callers share a failure, and a later caller tries again', async (t) => {
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
