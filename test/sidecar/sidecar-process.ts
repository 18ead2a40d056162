import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { freePort } from '../../bench/fleet/targets/free-port.js';
import { until } from '../support/until.js';

const command = fileURLToPath(new URL('../../src/app/cochlea.js', import.meta.url));

export interface SidecarProcess {
  readonly base: string;
  /** Resolves when `/health/ready` answers 200. @throws Error if the process has ended. */
  ready(): Promise<void>;
  /** Kills the sidecar with SIGKILL, and resolves when its process has ended. */
  kill(): Promise<void>;
}

/** Starts `cochlea sidecar` in a process of its own. The end of the test kills it. */
export const startSidecarProcess = async (
  t: { teardown(action: () => unknown): unknown },
  environment: Readonly<Record<string, string>>,
): Promise<SidecarProcess> => {
  const port = await freePort();
  const base = `http://127.0.0.1:${port}`;
  const child: ChildProcess = spawn(process.execPath, [command, 'sidecar'], {
    env: { ...process.env, ...environment, SIDECAR_PORT: String(port) },
    stdio: 'ignore',
  });
  const ended = once(child, 'exit');
  const kill = async (): Promise<void> => {
    child.kill('SIGKILL');
    await ended;
  };
  t.teardown(kill);
  const ready = async (): Promise<void> => {
    await until(async () => {
      if (child.exitCode !== null) throw new Error(`the sidecar ended with ${child.exitCode}`);
      const answer = await fetch(`${base}/health/ready`).catch(() => null);
      return answer?.status === 200;
    }, 'the sidecar is ready');
  };
  return { base, ready, kill };
};
