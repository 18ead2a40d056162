import { loadAddon } from '../../src/audio/addon.js';
import { windowSamples } from '../../src/audio/interface/core.js';

/** All instruction sets for which the core is compiled, the best first. */
export const knownIsas = ['avx512', 'avx2', 'neon', 'scalar'] as const;

/** Returns the instruction sets that this machine and this build of the core support. */
export const machineIsas = (): string[] => {
  const { addon, weights } = loadAddon();
  const silence = new Int16Array(windowSamples);
  return knownIsas.filter((isa) => {
    try {
      addon.probeDetector(weights, silence, 1, isa);
      return true;
    } catch (error) {
      if (error instanceof RangeError) return false;
      throw error;
    }
  });
};
