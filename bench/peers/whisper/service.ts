import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { endChild } from '../../fleet/child-process.js';

export interface WhisperService {
  readonly pid: number;
  stop(): Promise<void>;
}

/** Maximum ms for the service to stop. */
const stopTimeout = 10_000;

/**
 * Starts the product's transcription service. faster-whisper replaces the decoders of the product.
 * @param env settings: the data folder of the engines that use the service, and the number of decoder processes.
 * @param cpus CPUs that the service may use, in the syntax of `taskset`; any when absent.
 * @throws Error when the service ends before it listens.
 */
export const startWhisperService = async (
  env: Readonly<Record<string, string>>,
  cpus?: string,
): Promise<WhisperService> => {
  const words = [process.execPath, fileURLToPath(new URL('./service-program.js', import.meta.url))];
  const [program, ...args] = cpus === undefined ? words : ['taskset', '-c', cpus, ...words];
  const child = spawn(program!, args, {
    env: { ...process.env, LOG_LEVEL: 'warn', ...env },
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  });
  const ended = once(child, 'exit').then(() => {
    throw new Error('the service with faster-whisper ended before it listened');
  });
  await Promise.race([once(child, 'message'), ended]);
  ended.catch(() => undefined);
  return { pid: child.pid!, stop: () => endChild(child, stopTimeout) };
};
