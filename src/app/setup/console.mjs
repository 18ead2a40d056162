/** Bundles the pages of the console into `dist/console`: files with hashed names, each also compressed, and the page that loads them. */
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { brotliCompressSync, gzipSync } from 'node:zlib';
import { SetupFailure, step } from './shell.mjs';
import { contentHash, filesBelow, isFresh, writeStamp } from './stamp.mjs';

const sources = (root) => join(root, 'src', 'console');
const output = (root) => join(root, 'dist', 'console');
const page = (root) => join(output(root), 'index.html');

const consoleStamp = (root) =>
  contentHash(
    root,
    filesBelow([
      sources(root),
      join(root, 'src', 'app', 'setup', 'console.mjs'),
      join(root, 'node_modules', '.package-lock.json'),
    ]),
  );

/** Checks whether the pages were bundled from the current sources. */
export const consoleIsFresh = (root, stamp = consoleStamp(root)) =>
  isFresh(root, 'console', stamp, page(root));

const pageText = (script, style) => `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<title>Cochlea</title>
<link rel="icon" href="data:,">
<link rel="stylesheet" href="${style}">
<script type="module" src="${script}"></script>
</head>
<body>
<div id="app"></div>
<noscript><p>The console needs JavaScript.</p></noscript>
</body>
</html>
`;

/**
 * Lets style sheets import `tokens` and `base` of `src/console/style`. They are texts in TypeScript, because the sidecar uses
 * them for the sign-in pages, too.
 */
const sharedStyle = (build, root) => ({
  name: 'shared style',
  setup: ({ onResolve, onLoad }) => {
    onResolve({ filter: /^(tokens|base)$/ }, ({ path }) => ({ path, namespace: 'style' }));
    onLoad({ filter: /./, namespace: 'style' }, async ({ path }) => {
      const source = join(root, 'src', 'console', 'style', `${path}.ts`);
      const { outputFiles } = await build({ entryPoints: [source], write: false, format: 'esm' });
      const module = await import(
        `data:text/javascript;base64,${Buffer.from(outputFiles[0].text).toString('base64')}`
      );
      return { contents: module[path], loader: 'css' };
    });
  },
});

/** Returns the address of a bundled file. */
const address = (file) => `/console/files/${basename(file)}`;

/** Bundles the pages. @throws Error of esbuild that names the fault */
const bundle = async (root) => {
  const { build } = await import('esbuild');
  const files = join(output(root), 'files');
  const common = {
    absWorkingDir: root,
    bundle: true,
    minify: true,
    format: 'esm',
    target: ['chrome110', 'firefox115', 'safari16.4'],
    outdir: files,
    entryNames: '[name]-[hash]',
    chunkNames: '[name]-[hash]',
    metafile: true,
    legalComments: 'none',
    logLevel: 'silent',
  };
  rmSync(output(root), { recursive: true, force: true });
  const entry = (...path) => join('src', 'console', ...path);
  const outputOf = ({ metafile: { outputs } }, source) =>
    Object.keys(outputs).find((file) => outputs[file].entryPoint === source.replaceAll('\\', '/'));
  const worklet = entry('live', 'worklet.ts');
  const built = await build({ ...common, entryPoints: [worklet] });
  const [script, style] = [entry('pages', 'index.ts'), entry('pages', 'style.css')];
  const pages = await build({
    ...common,
    entryPoints: [script, style],
    splitting: true,
    jsx: 'automatic',
    jsxImportSource: 'preact',
    plugins: [sharedStyle(build, root)],
    define: { WORKLET: JSON.stringify(address(outputOf(built, worklet))) },
  });
  for (const name of readdirSync(files)) {
    const content = readFileSync(join(files, name));
    writeFileSync(join(files, `${name}.br`), brotliCompressSync(content));
    writeFileSync(join(files, `${name}.gz`), gzipSync(content, { level: 9 }));
  }
  mkdirSync(output(root), { recursive: true });
  writeFileSync(page(root), pageText(address(outputOf(pages, script)), address(outputOf(pages, style))));
};

/** Bundles the pages of the console, unless nothing has changed. */
export const bundleConsole = async (root) => {
  const stamp = consoleStamp(root);
  if (consoleIsFresh(root, stamp)) return;
  await step('Bundling the console', async () => {
    try {
      await bundle(root);
    } catch (error) {
      throw new SetupFailure(
        `The console cannot be bundled: ${error.message.split('\n').slice(0, 3).join(' ')}`,
      );
    }
    writeStamp(root, 'console', stamp);
  });
};

const root = join(dirname(fileURLToPath(import.meta.url)), '..', '..', '..');
if (
  process.argv[1] &&
  existsSync(process.argv[1]) &&
  realpathSync(process.argv[1]) === fileURLToPath(import.meta.url)
)
  await bundle(root);
