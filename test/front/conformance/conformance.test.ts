/**
 * Plays the same cases with every listener available on this machine. Compares the outcomes with the table of docs/evidence/listeners.md.
 */
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import pLimit from 'p-limit';
import t, { type Test } from 'tap';
import { packageDirectory } from '../../../src/config/process/data-dir.js';
import type { ListenerKind } from '../../../src/front/listener/listener.js';
import { loadUws } from '../../../src/front/uws/build.js';
import { type Rig, startRig } from '../support.js';
import { outcomeOf } from './case.js';
import { playFrames, playRequest } from './play.js';
import { areas, tableOf } from './table.js';

const uws = loadUws();
/** Limits the concurrent cases. Many run at once because a listener can take long to close a connection. */
const abreast = pLimit(16);

/** Starts a sidecar that reads every body and answers. */
const startSidecar = async (t: Test): Promise<number> => {
  const server = createServer((request, response) => {
    request.resume();
    request.once('end', () => response.end('ok'));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  t.teardown(() => server.closeAllConnections());
  t.teardown(() => server.close());
  return (server.address() as AddressInfo).port;
};

const start = async (t: Test, listener: ListenerKind): Promise<Rig> => {
  const most = 1000;
  return startRig(t, {
    settings: {
      listener: listener === 'uws' ? 'uws-untested' : listener,
      maxStreams: most,
      maxStreamsPerUser: most,
      maxOpensPerUser: 100_000,
    },
    slotsPerShard: most,
    sidecar: { host: '127.0.0.1', port: await startSidecar(t) },
  });
};

for (const listener of ['uws', 'ws'] as const) {
  t.test(listener, async (t) => {
    if (listener === 'uws' && typeof uws === 'string') {
      t.pass('cases of uWebSockets.js', { skip: `no build of it loads here: ${uws}` });
      return;
    }
    const column = listener === 'uws' && typeof uws !== 'string' && !uws.needsSharedCork ? 'newer' : listener;
    const rig = await start(t, listener);
    let users = 0;
    for (const area of areas) {
      await t.test(area.title, async (t) => {
        const play = area.afterUpgrade ? playFrames : playRequest;
        const outcomes = area.cases.map((one) => abreast(() => play(rig, one, `user-${++users}`)));
        for (const [index, one] of area.cases.entries()) {
          t.equal(await outcomes[index], outcomeOf(one, column), one.name);
        }
      });
    }
  });
}

t.test('docs/evidence/listeners.md lists all cases with their outcomes', async (t) => {
  const page = readFileSync(join(packageDirectory(), 'docs', 'evidence', 'listeners.md'), 'utf8');
  t.equal(page.slice(page.indexOf('## Cases')), tableOf());
});
