import { type FleetOptions, type LaptopFleet, openLaptopFleet } from '../laptop/index.js';
import { transcriberProgram } from '../oracle/stub-transcriber.js';

/**
 * Settings of the fleet. All wearables have the same address here, so the limits of one address are raised. Diarization
 * and the sentence model are off: they would take most of the processor time, and no word depends on them.
 */
const settings = {
  SPEAKER_DIARIZATION: 'off',
  SENTENCE_MODEL: 'none',
  TRANSCRIBER_MODELS: 'whisper-tiny.en',
  TRANSCRIBER_CONCURRENCY: '1',
  MAX_OPENS_PER_ADDRESS: '100000',
  MAX_UPGRADES_PER_ADDRESS: '10000',
} as const;

/** Brings up a fleet whose transcribers read tokens. Call `down` afterwards. */
export const openTokenFleet = (options: FleetOptions = {}): Promise<LaptopFleet> =>
  openLaptopFleet({
    engines: 3,
    sidecars: 2,
    transcribers: 2,
    transcriberProgram,
    ...options,
    settings: { ...settings, ...options.settings },
  });
