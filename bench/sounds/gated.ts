import { loadAddon } from '../../src/audio/addon.js';
import { coreOptions } from '../../src/audio/index.js';
import { batchStride, CoreEvent, eventStride, type Utterance } from '../../src/audio/interface/core.js';
import { createNativeCore } from '../../src/audio/native.js';
import { loadSettings } from '../../src/config/load-settings.js';
import { rate } from './signals.js';

/** Ms of audio that are pushed at once. */
const pass = 100;

/**
 * Returns the utterances that the gate finds with its default settings. Each has the detector's mean probability.
 * @param pcm mono samples at 16 kHz; only read.
 */
export const utterancesOf = (pcm: Int16Array): Pick<Utterance, 'pcm' | 'probability'>[] => {
  const { addon, weights } = loadAddon();
  const frame = (pass * rate) / 1000;
  const memory = new Uint8Array(frame * Int16Array.BYTES_PER_ELEMENT);
  const core = createNativeCore(
    addon,
    weights,
    coreOptions(loadSettings({}).values, { maxStreams: 1, memory }),
  );
  const found: Utterance[] = [];
  const visit = (count: number): void => {
    for (let event = 0; event < count; event++) {
      if (core.events[event * eventStride + 1] !== CoreEvent.utterance) continue;
      const utterance = core.takeUtterance(0);
      if (utterance) found.push(utterance);
    }
  };
  core.open(0, { codec: 'pcm16', sampleRate: rate, channels: 1 });
  let now = 0;
  for (let at = 0; at < pcm.length; at += frame) {
    const part = pcm.subarray(at, at + frame);
    memory.set(new Uint8Array(part.buffer, part.byteOffset, part.byteLength));
    const batch = new Uint32Array(batchStride);
    batch.set([0, 0, part.byteLength, now]);
    core.push(batch, 1, now);
    now += pass;
    for (let count = core.turn(now, true); count > 0; count = core.turn(now, true)) visit(count);
  }
  for (let count = core.flush(0, now); count > 0; count = core.turn(now, true)) visit(count);
  core.close(0);
  core.destroy();
  return found;
};
