import { CochleaError, reasonOf } from '../errors/index.js';
import { loadAddon } from './addon.js';
import type { AudioCore, CoreOptions } from './interface/index.js';
import { createNativeCore } from './native.js';

let warning: string | undefined;

/**
 * Creates the audio core of the calling thread.
 * @param preference `native` and `portable` require that core. `auto` uses the native core if it loads, otherwise the
 *   portable core, and `coreWarning` then returns a warning.
 * @param load loads the addon. Tests pass another function.
 * @throws CochleaError core_unavailable when the requested core cannot be created.
 */
export async function loadCore(
  preference: 'auto' | 'native' | 'portable',
  options: CoreOptions,
  load: typeof loadAddon = loadAddon,
): Promise<AudioCore> {
  if (preference !== 'portable') {
    try {
      const { addon, weights } = load();
      if (addon.testBuild !== undefined) warning = `This is a test build of the core: ${addon.testBuild}.`;
      return createNativeCore(addon, weights, options);
    } catch (error) {
      const known = error instanceof CochleaError ? error : nativeFailure(error);
      if (preference === 'native') throw known;
      warning = `${known.message}; the portable core serves instead, at several times the cost. ${known.remedy}`;
    }
  }
  // Imports the module only when it is used, because it loads an inference runtime and a second Opus decoder.
  const { createPortableCore } = await import('./portable/core.js');
  return createPortableCore(options);
}

const nativeFailure = (error: unknown): CochleaError =>
  new CochleaError(
    'core_unavailable',
    { why: reasonOf(error), how: 'Build it again: "npm run build:native"' },
    { cause: error },
  );

/**
 * Returns a one-line warning about the core in use: that it is a test build, or why `auto` chose the portable core.
 * Undefined if there is nothing to report.
 */
export function coreWarning(): string | undefined {
  return warning;
}
