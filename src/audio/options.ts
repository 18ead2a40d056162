import type { Settings } from '../config/index.js';
import type { CoreOptions } from './core.js';

/** The options of a core as the settings ask for them. */
export const coreOptions = (
  settings: Settings,
  own: Pick<CoreOptions, 'maxStreams' | 'memory'>,
): CoreOptions => ({
  gate: {
    onset: settings.vadOnset,
    off: settings.vadOff,
    preRoll: settings.vadPreRoll,
    endSilence: settings.vadEndSilence,
    minSpeech: settings.vadMinSpeech,
    maxUtterance: settings.vadMaxUtterance,
  },
  budget: { pace: settings.audioPace, backlog: settings.audioBacklog },
  frameQueueDuration: settings.frameQueueDuration,
  turnWindows: settings.turnWindows,
  turnDeadline: settings.turnDeadline,
  ...own,
});
