import { CochleaError, reasonOf } from '../errors/index.js';
import { loadAddon } from './addon.js';
import type { AudioCore, CoreOptions } from './interface/index.js';
import { createNativeCore } from './native.js';

let warning: string | undefined;

/**
 * Makes the audio core of the calling thread.
 * @param preference `native` and `portable` force one; `auto` takes the native core where it loads and otherwise the
 * portable one, which leaves a line in `coreWarning`.
 * @param load finds the addon; another one only in tests
 * @throws CochleaError core_unavailable when the core asked for cannot be made.
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
  // Loaded only where it serves: it brings an inference runtime and an Opus decoder of its own.
  const { createPortableCore } = await import('./portable/core.js');
  return createPortableCore(options);
}

const nativeFailure = (error: unknown): CochleaError =>
  new CochleaError(
    'core_unavailable',
    { why: reasonOf(error), how: 'Build it again: "npm run build:native"' },
    { cause: error },
  );

/** What is to be said of the core that serves, in one line: that `auto` fell back to the portable one, and why, or that it is a test build. */
export function coreWarning(): string | undefined {
  return warning;
}
