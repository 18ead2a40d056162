/** Tests which core is loaded and the error when none can be. Both builds must compile the same sources. */
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import t from 'tap';
import { loadAddon } from '../../../src/audio/addon.js';
import { coreWarning, loadCore } from '../../../src/audio/load.js';
import { gateOptions, nativeAddon, withoutNative } from '../support.js';

const options = {
  gate: gateOptions,
  frameQueueDuration: 2000,
  turnWindows: 16,
  turnDeadline: 8,
  maxStreams: 4,
  memory: new Uint8Array(1024),
};
const nowhere = () => loadAddon(new URL('file:///nonexistent/'));

void t.test('loadCore chooses the core and reports why the native one is missing', async (t) => {
  t.equal((await loadCore('portable', options)).capabilities.name, 'portable');
  t.equal(coreWarning(), undefined, 'a choice is no reason to warn');

  await t.rejects(loadCore('native', options, nowhere), {
    code: 'core_unavailable',
    message: 'The native core cannot be used: it has not been built',
    remedy: /npm run build:native.*libopus-dev/,
  });
  t.equal(coreWarning(), undefined);

  t.equal((await loadCore('auto', options, nowhere)).capabilities.name, 'portable');
  t.match(
    coreWarning(),
    /^[^\n]*has not been built; the portable core serves instead[^\n]*libopus-dev[^\n]*$/,
  );
});

void t.test('loadCore loads the native core', { skip: withoutNative }, async (t) => {
  for (const preference of ['auto', 'native'] as const) {
    const { capabilities } = await loadCore(preference, options);
    t.match(capabilities, {
      name: 'native',
      synchronous: true,
      concealment: true,
      isa: /^(avx512|avx2|neon|scalar)$/,
    });
    t.match(capabilities.versions.opus, /^libopus/);
  }
});

void t.test(
  'an addon built for a test is used only on request and is reported',
  { skip: withoutNative },
  async (t) => {
    const { addon, weights } = nativeAddon();
    const built = fileURLToPath(new URL('../../../../build/Release/cochlea.node', import.meta.url));
    t.teardown(() => delete process.env.COCHLEA_TEST_ADDON);
    process.env.COCHLEA_TEST_ADDON = built;
    t.throws(() => loadAddon(), { code: 'core_unavailable', message: /was not built for a test/ });
    process.env.COCHLEA_TEST_ADDON = `${built}.missing`;
    t.throws(() => loadAddon(), { code: 'core_unavailable', message: /has not been built/ });

    const slow = { ...addon, testBuild: 'its detector is slow' };
    await loadCore('native', options, () => ({ addon: slow, weights }));
    t.equal(coreWarning(), 'This is a test build of the core: its detector is slow.');
  },
);

void t.test('CMakeLists.txt and binding.gyp list the same sources', async (t) => {
  const sources = (file: string) => {
    const text = readFileSync(new URL(`../../../../${file}`, import.meta.url), 'utf8');
    return [...text.matchAll(/native\/[\w/-]+\.cc\b/g)]
      .map(([path]) => path)
      .filter((path) => !path.endsWith('.test.cc'));
  };
  const [cmake, gyp] = [
    // CMakeLists.txt names the kernels a second time for their compile options, so duplicates are removed.
    [...new Set(sources('CMakeLists.txt'))].sort(),
    sources('binding.gyp').sort(),
  ];
  t.ok(cmake!.length > 10);
  t.same(gyp, cmake);
});
