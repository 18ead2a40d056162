/** The whole product without `NATS_URL` loads no NATS code. With `NATS_URL`, the same check finds NATS code. */
import { chmodSync, readdirSync, readFileSync } from 'node:fs';
import t from 'tap';
import { openFolder } from '../support/folder.js';
import { withoutNats } from '../support/servers/find-nats.js';
import { startNats } from '../support/servers/nats.js';
import { serviceOnTestDatabase } from '../support/service.js';

/** Runs the product once, with all its processes and threads. @returns the NATS files that V8 executed. */
const natsFilesOf = async (
  t: { teardown(action: () => unknown): unknown },
  settings: NodeJS.ProcessEnv,
): Promise<{ nats: string[]; all: number }> => {
  const reports = openFolder(t);
  // If root starts the product, engine and sidecar change to an unprivileged user, who must be able to write the
  // reports.
  chmodSync(reports, 0o777);
  const service = await serviceOnTestDatabase(t, {
    COCHLEA_STT: 'discard',
    NODE_V8_COVERAGE: reports,
    ...settings,
  });
  await service.stop();
  const urls = readdirSync(reports).flatMap((name) => {
    const { result } = JSON.parse(readFileSync(`${reports}/${name}`, 'utf8')) as {
      result: { url: string }[];
    };
    return result.map(({ url }) => url).filter((url) => url.startsWith('file:'));
  });
  return {
    nats: [...new Set(urls)].filter((url) => /@nats-io|\/src\/bus\/nats\//.test(url)),
    all: urls.length,
  };
};

t.test('without NATS_URL', { timeout: 180_000 }, async (t) => {
  const { nats, all } = await natsFilesOf(t, { NATS_URL: '' });
  t.ok(all > 1000, `${all} executed files are seen`);
  t.same(nats, []);
});

t.test('with NATS_URL', { skip: withoutNats, timeout: 180_000 }, async (t) => {
  const { nats } = await natsFilesOf(t, { NATS_URL: (await startNats(t)).url });
  t.ok(nats.some((url) => url.includes('@nats-io/transport-node')));
});
