import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { transcriptionSocket } from '../../src/app/services/join-transcription.js';
import { endChild } from '../fleet/child-process.js';

/** The program that runs in place of `cochlea transcriber`. */
export const transcriberProgram = fileURLToPath(new URL('./transcriber-program.js', import.meta.url));

export interface StubTranscriber {
  readonly child: ChildProcess;
  stop(): Promise<void>;
}

/** Maximum ms for the service to start, and to end. */
const startTimeout = 60_000;
const endTimeout = 10_000;

/**
 * Starts a transcription service that answers tokens. Engines and sidecar use it with `TRANSCRIBER_START=join`.
 * @param dataDir data folder of the engine. The service puts its socket there.
 * @param env further settings. The first model of `TRANSCRIBER_MODELS` must be installed, but is not loaded.
 * @throws Error if the service ends, or does not listen in time.
 */
export const startStubTranscriber = async (
  dataDir: string,
  env: NodeJS.ProcessEnv = process.env,
): Promise<StubTranscriber> => {
  const child = spawn(process.execPath, [transcriberProgram], {
    env: { ...env, COCHLEA_DATA_DIR: dataDir },
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  const stop = (): Promise<void> => endChild(child, endTimeout);
  const socket = transcriptionSocket(dataDir);
  for (const end = performance.now() + startTimeout; !existsSync(socket); await pause(20)) {
    if (child.exitCode === null && child.signalCode === null && performance.now() < end) continue;
    await stop();
    throw new Error(`no transcription service at ${socket}`);
  }
  return { child, stop };
};
