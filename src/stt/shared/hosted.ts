import type { Settings } from '../../config/index.js';

/** Hz of the audio that providers are sent: what the core hands out. */
export const providerRate = 16_000;

/** Bytes of audio that may wait for a provider that reads slowly. */
export const queueBytes = ({ providerQueue }: Pick<Settings, 'providerQueue'>): number =>
  (providerQueue * providerRate * 2) / 1000;

/** Address of a stream: the base, whose path is kept, as a WebSocket, with a path behind it. */
export const streamAddress = (base: string, path: string): URL =>
  new URL(`${base.replace(/^http/, 'ws').replace(/\/+$/, '')}/${path}`);

/** An end that does not lie before its start. */
export const atLeast = (start: number, end: number): number => Math.max(start, end);
