/** Builds the native core and compiles TypeScript, each only if its inputs have changed. */
import { existsSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { run, SetupFailure, step } from './shell.mjs';
import { contentHash, filesBelow, isFresh, writeStamp } from './stamp.mjs';

const noSpace = (output) => /ENOSPC|no space left on device/i.test(output);

/** Returns the most informative line of a failed tool's output. */
const tellingLine = (output, code) => {
  const lines = output
    .split('\n')
    .map((line) => line.trim())
    .filter(Boolean);
  const telling = [/error TS\d/, /(error|Error): /, /CMake Error|fatal|not found/i].flatMap(
    (wanted) => lines.find((line) => wanted.test(line)) ?? [],
  );
  return (telling[0] ?? `exit code ${code}`).slice(0, 200);
};

/** Returns the progress of the build, 0..1, from a line of make (`[ 56%]`) or ninja (`[9/16]`); undefined for other lines. */
export const buildFraction = (line) => {
  const [, done, all] = /^\[ *(\d+)(?:%|\/(\d+))\]/.exec(line) ?? [];
  return done === undefined ? undefined : Number(done) / Number(all ?? 100);
};

/** Returns the path of the built addon. Undefined if the addon or the detector's weights are missing in `build`. */
export const nativeAddon = (root) => {
  const folder = join(root, 'build', 'Release');
  if (!existsSync(folder) || !existsSync(join(root, 'build', 'silero-v5.bin'))) return undefined;
  const name = readdirSync(folder).find((file) => file.endsWith('.node'));
  return name ? join(folder, name) : undefined;
};

const nativeStamp = (root) => {
  const inputs = filesBelow(
    [
      join(root, 'native'),
      join(root, 'CMakeLists.txt'),
      join(root, 'node_modules', 'node-addon-api', 'package.json'),
    ],
    (file) => !/\.(md|sh|test\.cc|fuzz\.cc|bench\.cc)$/.test(file),
  );
  // The hash omits the release of Node, because Node-API is the same in all supported releases.
  return contentHash(root, inputs, [process.platform, process.arch]);
};

/** Checks whether the native core was built from the current sources. */
export const nativeIsFresh = (root, stamp = nativeStamp(root)) =>
  isFresh(root, 'native', stamp, nativeAddon(root) ?? join(root, 'build', 'Release', 'missing.node'));

/**
 * Builds the native core with cmake-js.
 * @returns undefined if the core is built, otherwise the reason for the failure in one line.
 */
export const buildNative = async (root) => {
  const stamp = nativeStamp(root);
  if (nativeIsFresh(root, stamp)) return undefined;
  const cmakeJs = join(root, 'node_modules', 'cmake-js', 'bin', 'cmake-js');
  return step('Building the native core', async (report) => {
    const compile = () =>
      run(process.execPath, [cmakeJs, 'compile'], {
        cwd: root,
        onLine: (line) => {
          const fraction = buildFraction(line);
          if (fraction !== undefined) report(fraction);
        },
      });
    let result = await compile();
    if (result.code !== 0 && existsSync(join(root, 'build', 'CMakeCache.txt'))) {
      // Copied or interrupted build folders contain invalid paths, so these parts are removed. Files of other tools
      // (the fuzzers' findings) stay.
      for (const part of ['CMakeCache.txt', 'CMakeFiles', 'Release', 'build.ninja', 'Makefile']) {
        rmSync(join(root, 'build', part), { recursive: true, force: true });
      }
      result = await compile();
    }
    if (result.code === 0 && nativeAddon(root)) {
      writeStamp(root, 'native', stamp);
      return undefined;
    }
    if (noSpace(result.output))
      throw new SetupFailure(`No space left on ${root}. Free some space and run the same command again.`);
    return `the build failed: ${tellingLine(result.output, result.code)}; run "npm run build:native" to see its whole output`;
  });
};

const typescriptStamp = (root) => {
  const inputs = filesBelow(
    [
      join(root, 'src'),
      join(root, 'test'),
      join(root, 'bench'),
      join(root, 'tsconfig.json'),
      join(root, 'node_modules', '.package-lock.json'),
    ],
    (file) => /\.(ts|json)$/.test(file),
  );
  return contentHash(root, inputs);
};

const compiledEntry = (root) => join(root, 'dist', 'src', 'app', 'cochlea.js');

/** Checks whether `dist` was compiled from the current sources. */
export const typescriptIsFresh = (root, stamp = typescriptStamp(root)) =>
  isFresh(root, 'typescript', stamp, compiledEntry(root));

/** Compiles TypeScript into `dist`. */
export const compile = async (root) => {
  const stamp = typescriptStamp(root);
  const entry = compiledEntry(root);
  if (typescriptIsFresh(root, stamp)) return;
  // The compiler skips files that its record lists as written. If the output is missing, the record is wrong and must
  // be removed.
  if (!existsSync(entry)) rmSync(join(root, 'dist', '.tsbuildinfo'), { force: true });
  const tsc = join(root, 'node_modules', 'typescript', 'bin', 'tsc');
  await step('Compiling', async () => {
    const result = await run(process.execPath, [tsc, '-p', join(root, 'tsconfig.json')], { cwd: root });
    if (result.code === 0) {
      writeStamp(root, 'typescript', stamp);
      return;
    }
    if (noSpace(result.output))
      throw new SetupFailure(`No space left on ${root}. Free some space and run the same command again.`);
    throw new SetupFailure(
      `TypeScript does not compile: ${tellingLine(result.output, result.code)}. Run "npm run build" to see every error.`,
    );
  });
};
