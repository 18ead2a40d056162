import { fileURLToPath } from 'node:url';
import type { VirtualEnvironment } from '../virtual-environment.js';

// Seen from the compiled file, whose sources lie beside the folder of compiled ones.
const checkout = new URL('../../../../', import.meta.url);

/** faster-whisper, and the weights of the product's own speech model in the form that it takes. */
export const whisperEnvironment: VirtualEnvironment = {
  name: 'whisper',
  requirements: 'bench/peers/whisper/requirements.txt',
};

export const whisperPython = fileURLToPath(new URL('build/bench/whisper/bin/python', checkout));
export const whisperScript = fileURLToPath(new URL('bench/peers/whisper/recognise.py', checkout));
