import { coreOptions, coreWarning, loadCore } from '../../audio/index.js';
import type { Settings } from '../../config/index.js';

/**
 * Loads the audio core as a shard does, then frees the core.
 * @returns a description of the core.
 * @throws CochleaError `core_unavailable`.
 */
export const probeCore = async (settings: Settings): Promise<string> => {
  const memory = new Uint8Array(new SharedArrayBuffer(65_536));
  const options = coreOptions(settings, { maxStreams: 1, memory });
  const core = await loadCore(settings.core, options);
  const { name, isa, codecs } = core.capabilities;
  core.destroy();
  const warning = coreWarning();
  return `${name} (${isa}): ${codecs.join(', ')}${warning ? `; ${warning}` : ''}`;
};
