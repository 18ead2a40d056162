import { once } from 'node:events';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import t from 'tap';
import { anySignal } from '../../src/common/any-signal.js';

setFlagsFromString('--expose-gc');
const collect = runInNewContext('gc') as () => void;

t.test('a signal that follows other signals', async (t) => {
  t.test('is aborted by a timeout that only it refers to, even after garbage collections', async (t) => {
    const signal = anySignal(new AbortController().signal, AbortSignal.timeout(300));
    const collecting = setInterval(collect, 50);
    t.teardown(() => clearInterval(collecting));
    await once(signal, 'abort');
    t.equal((signal.reason as Error).name, 'TimeoutError');
  });

  t.test('has the reason of the first aborted signal', async (t) => {
    const [first, second] = [new AbortController(), new AbortController()];
    const signal = anySignal(first.signal, second.signal);
    const reasons: unknown[] = [];
    signal.addEventListener('abort', () => reasons.push(signal.reason));
    t.notOk(signal.aborted);
    second.abort('left');
    t.equal(anySignal(signal).reason, 'left');
    first.abort('late');
    t.same(reasons, ['left']);
  });
});
