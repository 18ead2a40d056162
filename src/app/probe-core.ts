import type { CoreOptions } from '../audio/core.js';
import { coreWarning, loadCore } from '../audio/load.js';
import type { Settings } from '../config/index.js';

/**
 * Loads the audio core as a shard would, and lets it go again.
 * @returns what it is, in words.
 * @throws CochleaError `core_unavailable`.
 */
export const probeCore = async (settings: Settings): Promise<string> => {
  const options: CoreOptions = {
    gate: {
      onset: settings.vadOnset,
      off: settings.vadOff,
      preRoll: settings.vadPreRoll,
      endSilence: settings.vadEndSilence,
      minSpeech: settings.vadMinSpeech,
      maxUtterance: settings.vadMaxUtterance,
    },
    slabDuration: settings.slabDuration,
    turnWindows: settings.turnWindows,
    turnDeadline: settings.turnDeadline,
    maxStreams: 1,
    memory: new Uint8Array(new SharedArrayBuffer(65_536)),
  };
  const core = await loadCore(settings.core, options);
  const { name, isa, codecs } = core.capabilities;
  core.destroy();
  const warning = coreWarning();
  return `${name} (${isa}): ${codecs.join(', ')}${warning ? `; ${warning}` : ''}`;
};
