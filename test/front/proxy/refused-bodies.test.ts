/** Tests how many refused bodies the front waits for, and how long. */
import t from 'tap';
import { CochleaError } from '../../../src/errors/cochlea-error.js';
import type { HttpRequest, HttpResponse } from '../../../src/front/listener/listener.js';
import { RefusedBodies } from '../../../src/front/proxy/refused-bodies.js';
import { until } from '../../support/until.js';

/** Makes a fake response that records its status line, and functions that act as its client. */
const client = (headers: Readonly<Record<string, string>>) => {
  const said: string[] = [];
  let onData = (_chunk: ArrayBuffer, _isLast: boolean): void => undefined;
  let onAborted = (): void => undefined;
  const response = {
    cork: (work: () => void) => work(),
    writeStatus: (status: string) => said.push(status),
    writeHeader: () => undefined,
    end: (_body: string, close: boolean) => said.push(close ? 'closed' : 'open'),
    onData: (handler: typeof onData) => {
      onData = handler;
    },
    onAborted: (handler: typeof onAborted) => {
      onAborted = handler;
    },
  } as unknown as HttpResponse;
  const request = { getHeader: (name: string) => headers[name] ?? '' } as HttpRequest;
  return {
    said,
    response,
    request,
    sends: (isLast: boolean) => onData(new ArrayBuffer(1), isLast),
    leaves: () => onAborted(),
  };
};
const closing = { 'content-length': '1000', connection: 'close' };
const refused = ['503 Service Unavailable', 'closed'];

t.test('delays the answer until the body has arrived if the connection closes with it', async (t) => {
  const bodies = new RefusedBodies(2);
  const error = new CochleaError('overloaded');
  const refuse = (headers: Readonly<Record<string, string>>) => {
    const one = client(headers);
    bodies.refuse(one.response, one.request, error);
    return one;
  };
  const [first, second, third] = [refuse(closing), refuse(closing), refuse(closing)];
  t.equal(bodies.size, 2);
  await new Promise(setImmediate);
  t.strictSame([first.said, second.said], [[], []], 'nothing is said while the body arrives');
  t.strictSame(third.said, refused, 'what has no place is answered at once');
  first.sends(false);
  t.strictSame(first.said, []);
  first.sends(true);
  t.strictSame(first.said, refused);
  second.leaves();
  t.equal(bodies.size, 0, 'a client that leaves gives its place up');

  for (const [title, headers, close] of [
    ['kept', { 'content-length': '1000' }, 'open'],
    ['of unknown length', { 'transfer-encoding': 'chunked', connection: 'close' }, 'closed'],
    ['too long', { 'content-length': '8388609', connection: 'close' }, 'closed'],
    ['without a body', {}, 'closed'],
  ] as const) {
    const one = refuse(headers);
    await new Promise(setImmediate);
    t.equal(one.said[1], close, title);
    t.equal(bodies.size, 0, title);
  }
});

t.test('does not wait for a body that takes too long', async (t) => {
  const bodies = new RefusedBodies(1, 1);
  const slow = client(closing);
  bodies.refuse(slow.response, slow.request, new CochleaError('overloaded'));
  slow.sends(false);
  await until(() => slow.said.length > 0, 'the answer');
  t.strictSame(slow.said, refused);
  t.equal(bodies.size, 0);
});
