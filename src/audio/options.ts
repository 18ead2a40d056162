import type { Settings } from '../config/index.js';
import { endSteps } from '../config/settings/index.js';
import { usualGate } from '../wire/index.js';
import type { CoreOptions } from './interface/index.js';

/** Returns core options from the settings. */
export const coreOptions = (
  settings: Settings,
  own: Pick<CoreOptions, 'maxStreams' | 'memory'>,
): CoreOptions => ({
  gate: {
    ...usualGate,
    onset: settings.vadOnset,
    off: settings.vadOff,
    preRoll: settings.vadPreRoll,
    endSilence: settings.vadEndSilence,
    longSilence: settings.vadLongSilence,
    endSchedule: endSteps(settings.vadEndSchedule) ?? [],
    ...(settings.interimWords || settings.speakerDiarization === 'on'
      ? { open: { silence: settings.interimPause, step: settings.interimStep } }
      : {}),
    minSpeech: settings.vadMinSpeech,
    maxUtterance: settings.vadMaxUtterance,
  },
  budget: { pace: settings.audioPace, backlog: settings.audioBacklog },
  rests: settings.skipSilence,
  frameQueueDuration: settings.frameQueueDuration,
  turnWindows: settings.turnWindows,
  turnDeadline: settings.turnDeadline,
  ...own,
});
