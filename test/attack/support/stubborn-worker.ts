/** A thread for text tasks. Some of its tasks never end. */
import type { TextTask } from '../../../src/service/text/text-worker.js';

export const runTextTask = async ({ input }: TextTask): Promise<unknown> => {
  if ('texts' in input && input.texts.includes('endless')) for (;;);
  return [];
};
