/** Tests which binaries of installed packages are removed after an installation. */
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import t, { type Test } from 'tap';
import { packageDirectory } from '../../src/config/process/data-dir.js';

interface Options {
  os?: string;
  arch?: string;
  abis?: string[];
}

const { unusedFiles, removeUnusedFiles } = (await import(
  pathToFileURL(join(packageDirectory(), 'src', 'app', 'setup', 'unused-files.mjs')).href
)) as {
  unusedFiles(root: string, options?: Options): string[];
  removeUnusedFiles(root: string, options?: Options): number;
};

const binaries = Object.fromEntries(
  ['linux_x64_115', 'linux_x64_137', 'linux_x64_141', 'linux_arm64_137', 'darwin_arm64_137'].map((name) => [
    `uws_${name}.node`,
    'x',
  ]),
);

/** Makes a checkout with packages laid out like the real ones. */
const checkout = (t: Test): string =>
  t.testdir({
    node_modules: {
      'onnxruntime-node': {
        bin: {
          'napi-v6': {
            linux: { x64: { 'a.node': 'x', 'libonnxruntime.so.1': 'x' }, arm64: { 'a.node': 'x' } },
            darwin: { arm64: { 'a.node': 'x' } },
            win32: { x64: { 'DirectML.dll': 'x' } },
          },
        },
        dist: { 'index.js': 'x' },
      },
      'uWebSockets.js': { binaries: { 'uws_linux_x64_93.node': 'x', 'uws_linux_x64_115.node': 'x' } },
      '@btc-vision': { 'uwebsockets.js': { ...binaries, 'uws.js': 'x' } },
      '@evan': { opus: { node: { 'index.js': 'x', 'x64-linux.node': 'x', 'arm64-darwin.node': 'x' } } },
    },
  });

const left = (root: string): string[] =>
  readdirSync(join(root, 'node_modules'), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => entry.name)
    .sort();

t.test('removes files of other systems and processors, and keeps files of every accepted Node', async (t) => {
  const root = checkout(t);
  t.equal(removeUnusedFiles(root, { os: 'linux', arch: 'x64' }), 8, 'bytes');
  t.same(left(root), [
    'a.node',
    'index.js',
    'index.js',
    'libonnxruntime.so.1',
    'uws.js',
    'uws_linux_x64_115.node',
    'uws_linux_x64_115.node',
    'uws_linux_x64_137.node',
    'x64-linux.node',
  ]);
  t.same(unusedFiles(root, { os: 'linux', arch: 'x64' }), [], 'nothing is left to do');
});

t.test('an image keeps the binaries of one Node version', async (t) => {
  const root = checkout(t);
  removeUnusedFiles(root, { os: 'darwin', arch: 'arm64', abis: ['137'] });
  t.same(left(root), [
    'a.node',
    'arm64-darwin.node',
    'index.js',
    'index.js',
    'uws.js',
    'uws_darwin_arm64_137.node',
  ]);
});

t.test('removes nothing from a checkout without packages', async (t) => {
  t.equal(removeUnusedFiles(t.testdir({})), 0);
});

t.test('keeps the files that this machine loads', async (t) => {
  const unused = unusedFiles(packageDirectory());
  const own = join('onnxruntime-node', 'bin', 'napi-v6', process.platform, process.arch);
  t.ok(
    existsSync(join(packageDirectory(), 'node_modules', own)),
    'the layout of the package is the known one',
  );
  t.notOk(unused.some((path) => path.includes(own)));
  const listener = `uws_${process.platform}_${process.arch}_${process.versions.modules}.node`;
  t.notOk(unused.some((path) => path.endsWith(listener)));
});
