import type { Settings } from '../../config/index.js';

/** Sample rate in Hz of audio sent to providers, the same as the core's output. */
export const providerRate = 16_000;

/** Returns the maximum number of bytes of audio that may wait for a slow provider. */
export const queueBytes = ({ providerQueue }: Pick<Settings, 'providerQueue'>): number =>
  (providerQueue * providerRate * 2) / 1000;

/** Returns the WebSocket address of a stream: the base address with `path` appended. */
export const streamAddress = (base: string, path: string): URL =>
  new URL(`${base.replace(/^http/, 'ws').replace(/\/+$/, '')}/${path}`);

/** Returns `end`, but at least `start`. */
export const atLeast = (start: number, end: number): number => Math.max(start, end);
