import { fileURLToPath } from 'node:url';
import { checkout } from '../../checkout.js';
import type { VirtualEnvironment } from '../virtual-environment.js';

/** The Python environment of faster-whisper. It runs the product's speech model in the format of faster-whisper. */
export const whisperEnvironment: VirtualEnvironment = {
  name: 'whisper',
  requirements: 'bench/peers/whisper/requirements.txt',
};

export const whisperPython = fileURLToPath(new URL('build/bench/whisper/bin/python', checkout));
export const whisperScript = fileURLToPath(new URL('bench/peers/whisper/recognise.py', checkout));
