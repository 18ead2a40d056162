import { spawn } from 'node:child_process';
import type { ProviderName } from '../../../src/wire/provider-name.js';
import { checkout } from '../../checkout.js';
import { endChild, lineOf } from '../child-process.js';
import type { Target } from '../target.js';
import { startEngine } from './engine-target.js';

/** Seconds of audio between two results of a stub. */
const wordsEvery = 5;
/** Maximum ms in which a stub must start to listen, and in which it must end. */
const stubTimeout = 10_000;

/**
 * Settings that make the product use a provider's stub, by provider. The parameter is the stub's address
 * (`ws://HOST:PORT`).
 */
const settingsOf = {
  provider_b: (url) => ({
    MODULATE_API_KEY: 'bench',
    MODULATE_API_URL: `${url}/api/velma-2-stt-streaming`,
  }),
  provider_a: (url) => ({ HOSTED_PARAKEET_API_URL: url }),
  deepgram: (url) => ({ DEEPGRAM_SELF_HOSTED_ENABLED: 'true', DEEPGRAM_SELF_HOSTED_URL: url }),
} as const satisfies Partial<Record<ProviderName, (url: string) => Readonly<Record<string, string>>>>;

export type HostedProvider = keyof typeof settingsOf;
/** Hosted providers that have a stub. */
export const hostedProviders = Object.keys(settingsOf) as HostedProvider[];

/**
 * Starts Cochlea with the product's client of a hosted provider. Also starts a stub of that provider in its own
 * process, which is not measured. The stubs belong to the tests, so this needs a checkout.
 * @param cpus CPUs that the engine may run on; any when absent.
 * @param settings settings of the engine in addition to those of the provider.
 */
export const startHosted = async (
  provider: HostedProvider,
  cpus?: string,
  settings: Readonly<Record<string, string>> = {},
): Promise<Target> => {
  const program = new URL('dist/test/support/hosted-stub/server-process.js', checkout).pathname;
  const stub = spawn(process.execPath, [program, provider, String(wordsEvery)], {
    stdio: ['ignore', 'pipe', 'inherit'],
    detached: true,
  });
  try {
    const [, url] = await lineOf(stub, /^ready (\S+)$/, stubTimeout);
    const target = await startEngine({
      ...(cpus === undefined ? {} : { cpus }),
      name: `cochlea-${provider}`,
      env: {
        COCHLEA_STT: 'provider',
        STT_SERVICE_MODELS: provider,
        ...settingsOf[provider](url!),
        ...settings,
      },
    });
    return {
      ...target,
      stt: provider,
      stop: async () => {
        await target.stop();
        await endChild(stub, stubTimeout);
      },
    };
  } catch (error) {
    await endChild(stub, stubTimeout);
    throw error;
  }
};
