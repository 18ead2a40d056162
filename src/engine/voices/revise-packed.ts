import { type RevisionRule, reviseVoices, scaled } from '../../transcript/index.js';
import type { PackedVoices } from './history.js';

/** Assigns a voice again to each entry of a conversation's history. @returns the voice number of each entry. */
export const revisePacked = (packed: PackedVoices, rule: RevisionRule): Int32Array => {
  const { count, directions, from, to, windows, voices, named, next } = packed;
  const dimensions = directions.length / Math.max(1, count);
  const groups = Array.from({ length: count }, (_, index) => ({
    embedding: scaled(Float32Array.from(directions.subarray(index * dimensions, (index + 1) * dimensions))),
    from: from[index]!,
    to: to[index]!,
    count: windows[index]!,
    voice: voices[index]!,
  }));
  return Int32Array.from(reviseVoices(groups, rule, { named: new Map(named), next }));
};
