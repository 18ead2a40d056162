import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import t from 'tap';
import { requestsAtOnce, runClosedLoad } from '../../bench/rest/closed-load.js';

t.test('a server always has the requested number of open requests, and refusals are counted', async (t) => {
  let seen = 0;
  let most = 0;
  const paths = new Set<string>();
  const waiting: (() => void)[] = [];
  const server = createServer((request, response) => {
    paths.add(request.url!);
    const number = seen++;
    waiting.push(() => {
      // Requests 10 to 109 count in the measurement.
      if (number === 12) request.socket.destroy();
      else response.writeHead([4, 15, 16].includes(number) ? 503 : 200).end('{}');
    });
    most = Math.max(most, waiting.length);
    // Answers the oldest request only when `requestsAtOnce` requests wait. After the last request of a part (10 before the measurement, 100
    // in it), no further request comes, so all waiting requests are answered.
    if (seen === 10 || seen === 110) for (const answer of waiting.splice(0)) answer();
    else if (waiting.length === requestsAtOnce) waiting.shift()!();
  });
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  t.teardown(() => server.close());
  const measured: number[] = [];
  const { requests, sample } = await runClosedLoad({
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests: ['/a', '/b', '/c'].map((path) => ({ method: 'POST', path, headers: {}, body: '{}' })),
    count: 100,
    onMeasured: () => void measured.push(seen),
  });
  t.equal(requests, 100);
  t.equal(seen, 110, 'a tenth of them comes before');
  t.same(measured, [10, 110], 'and does not count');
  t.same([...paths].sort(), ['/a', '/b', '/c']);
  t.equal(most, requestsAtOnce);
  t.same([sample.errors, sample.non_2xx], [1, 2]);
  t.ok(sample.requests_per_s! > 0);
});
