import { spawn } from 'node:child_process';
import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { checkout } from '../../checkout.js';
import { endChild, lineOf } from '../child-process.js';
import type { Target } from '../target.js';
import { startEngine } from './engine-target.js';

/** Seconds of audio between two results of the stub. */
const wordsEvery = 5;
/** Maximum ms in which the stub must start to listen, and in which it must end. */
const stubTimeout = 10_000;

const inCheckout = (file: string): string =>
  new URL(`dist/test/support/stub-provider/${file}`, checkout).pathname;

/**
 * Starts Cochlea with a provider that receives all audio of every stream. The provider is a stub in its own process,
 * which is not measured. The stub belongs to the tests, so this needs a checkout.
 */
export const startContinuous = async (
  options: { readonly cpus?: string | undefined; readonly name?: string } = {},
): Promise<Target> => {
  const folder = await mkdtemp(join(tmpdir(), 'cochlea-stub-'));
  // If root runs the bench, the engine changes to a different user, who must be able to reach the socket.
  await chmod(folder, 0o755);
  const socket = join(folder, 'stub.sock');
  const stub = spawn(process.execPath, [inCheckout('server.js'), socket, String(wordsEvery)], {
    stdio: ['ignore', 'pipe', 'inherit'],
    detached: true,
  });
  const stopStub = async (): Promise<void> => {
    await endChild(stub, stubTimeout);
    await rm(folder, { recursive: true, force: true });
  };
  try {
    await lineOf(stub, /^ready$/, stubTimeout);
    const { cpus, name = 'cochlea-continuous' } = options;
    const target = await startEngine({
      ...(cpus === undefined ? {} : { cpus }),
      name,
      env: {
        COCHLEA_STT: 'provider',
        STT_SERVICE_MODELS: 'provider_b',
        COCHLEA_TEST_PROVIDERS: inCheckout('module.js'),
        COCHLEA_STUBS: `provider_b=${socket}`,
      },
    });
    return {
      ...target,
      stt: 'continuous',
      stop: async () => {
        await target.stop();
        await stopStub();
      },
    };
  } catch (error) {
    await stopStub();
    throw error;
  }
};
