import { createRequire } from 'node:module';
import { yieldProcessor } from '../config/priority.js';
import { CochleaError, reasonOf } from '../errors/index.js';
import { findModel, recogniserConfig, requireModel } from '../models/index.js';
import { cleanTranscript } from './clean-transcript.js';
import { type ChildAnswer, type ChildRequest, sampleRate } from './transcriber-messages.js';

/**
 * Entry of the transcriber process. The runtime can abort the process it lives in, so it has one of its own: it is
 * given a model to load, then utterances, and answers each. It ends when the engine lets go of the channel.
 */

interface OfflineStream {
  acceptWaveform(wave: { samples: Float32Array; sampleRate: number }): void;
}
interface OfflineRecognizer {
  createStream(): OfflineStream;
  decodeAsync(stream: OfflineStream): Promise<{ text: string }>;
}
interface SherpaOnnx {
  OfflineRecognizer: { createAsync(config: Record<string, unknown>): Promise<OfflineRecognizer> };
}

/** Below about 80 samples the runtime reads past the end; anything this short is padded with silence. */
const fewestSamples = 1600;
/** Over 30 s Whisper drops audio without a word. */
const mostSamples = 29 * sampleRate;

yieldProcessor();

let recognizer: OfflineRecognizer | undefined;

const answer = (message: ChildAnswer): void => {
  // The channel closes while an answer is under way when the engine stops; nobody waits for it then.
  process.send?.(message, () => {});
};

const load = async (name: string, modelsDir: string): Promise<void> => {
  try {
    // A missing or wrong file aborts the runtime or makes it talk nonsense, so nothing is loaded unverified.
    const files = await requireModel(name, modelsDir);
    const sherpa = createRequire(import.meta.url)('sherpa-onnx-node') as SherpaOnnx;
    recognizer = await sherpa.OfflineRecognizer.createAsync(recogniserConfig(findModel(name), files));
    answer({ kind: 'ready' });
  } catch (thrown) {
    const error =
      thrown instanceof CochleaError
        ? thrown
        : new CochleaError('setting_invalid', { name: 'STT_LOCAL_MODEL', why: reasonOf(thrown) });
    answer({ kind: 'unusable', error: error.toJSON() });
  }
};

/** Samples in -1..1. The runtime misreads an Int16Array, so the conversion is ours. */
const toFloat = (pcm: Int16Array): Float32Array => {
  const samples = new Float32Array(Math.max(pcm.length, fewestSamples));
  for (let index = 0; index < pcm.length; index++) samples[index] = pcm[index]! / 32_768;
  return samples;
};

/** Cuts what is too long into equal parts the model can take. */
const parts = (pcm: Int16Array): Int16Array[] => {
  const count = Math.max(1, Math.ceil(pcm.length / mostSamples));
  const length = Math.ceil(pcm.length / count);
  return Array.from({ length: count }, (_, index) => pcm.subarray(index * length, (index + 1) * length));
};

const decode = async (job: number, pcm: Int16Array): Promise<void> => {
  const began = performance.now();
  const elapsed = (): number => Math.round(performance.now() - began);
  try {
    if (!recognizer) throw new Error('no model is loaded');
    const texts: string[] = [];
    for (const part of parts(pcm)) {
      const stream = recognizer.createStream();
      stream.acceptWaveform({ samples: toFloat(part), sampleRate });
      texts.push((await recognizer.decodeAsync(stream)).text);
    }
    answer({ kind: 'decoded', job, text: cleanTranscript(texts.join(' ')), decoded: elapsed() });
  } catch {
    answer({ kind: 'decoded', job, decoded: elapsed() });
  }
};

process.on('message', (message: ChildRequest) => {
  if (message.kind === 'load') void load(message.model, message.modelsDir);
  else void decode(message.job, message.pcm);
});

// A decode cannot be interrupted, and leaving in the middle of one through exit handlers aborts loudly: just go.
process.on('disconnect', () => process.kill(process.pid, 'SIGKILL'));
