import { readFileSync } from 'node:fs';
import type { Settings } from '../../config/index.js';
import { CochleaError, reasonOf } from '../../errors/index.js';

/** Hz of the audio that providers are sent: what the core hands out. */
export const providerRate = 16_000;

/** Bytes of audio that may wait for a provider that reads slowly. */
export const queueBytes = ({ providerQueue }: Pick<Settings, 'providerQueue'>): number =>
  (providerQueue * providerRate * 2) / 1000;

/** Address of a stream: the base, whose path is kept, as a WebSocket, with a path behind it. */
export const streamAddress = (base: string, path: string): URL =>
  new URL(`${base.replace(/^http/, 'ws').replace(/\/+$/, '')}/${path}`);

/**
 * The key of a provider: the setting, or what its file holds, which may end with a line break.
 * @throws CochleaError `file_unreadable`
 */
export const readKey = (key: string, path: string): string => {
  if (path === '') return key;
  try {
    return readFileSync(path, 'utf8').trim();
  } catch (error) {
    throw new CochleaError('file_unreadable', { path, why: reasonOf(error) }, { cause: error });
  }
};

/** An end that does not lie before its start. */
export const atLeast = (start: number, end: number): number => Math.max(start, end);
