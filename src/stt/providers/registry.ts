import { pathToFileURL } from 'node:url';
import type { Settings } from '../../config/index.js';
import type { Logger } from '../../log/index.js';
import type { ProviderName } from '../../wire/index.js';
import type { Provider } from '../shared/index.js';
import type { BatchService } from './batch-recogniser.js';
import { createDeepgram } from './deepgram-provider.js';
import { batchProviderB, createProviderB } from './modulate-provider.js';
import { batchProviderA, createProviderA } from './parakeet-provider.js';

/** What makes a provider that needs nothing but settings. Each gives null where the settings do not set the provider up. */
interface HostedService {
  readonly stream: (settings: Settings) => Provider | null;
  /** Its route for whole files, where it has one. */
  readonly batch?: (settings: Settings) => BatchService | null;
}

/** Policy, time-outs, circuit breaker, failover, retained audio and metrics are the same for all. */
const hosted: Readonly<Record<Exclude<ProviderName, 'local'>, HostedService>> = {
  provider_b: { stream: createProviderB, batch: batchProviderB },
  provider_a: { stream: createProviderA, batch: batchProviderA },
  deepgram: { stream: createDeepgram },
};

/**
 * The batch route of a provider; null where it has none, or is not set up.
 * @throws CochleaError file_unreadable for the file of a key.
 */
export const batchServiceOf = (name: ProviderName, settings: Settings): BatchService | null =>
  name === 'local' ? null : (hosted[name].batch?.(settings) ?? null);

/**
 * Variable of the environment with the path of a module that has providers for tests and benchmarks. Not a setting: a process
 * that has it says so.
 */
const testModule = 'COCHLEA_TEST_PROVIDERS';

interface TestModule {
  readonly providers: () => readonly Provider[];
}

/**
 * The providers of a shard, by name: those of the policy that the settings set up. A name of the policy without configuration
 * is left out.
 * @param given providers that need more than settings, such as the local one.
 */
export const createProviders = async (
  settings: Settings,
  given: readonly Provider[],
  log: Logger,
): Promise<ReadonlyMap<string, Provider>> => {
  const found = new Map<string, Provider>(given.map((provider) => [provider.name, provider]));
  for (const name of settings.stt === 'discard' ? [] : settings.sttModels) {
    const provider = name === 'local' ? null : hosted[name].stream(settings);
    if (provider !== null) found.set(name, provider);
  }
  const path = process.env[testModule];
  if (path !== undefined) {
    log.warn({ path }, `providers for tests are used, because ${testModule} is set`);
    const { providers } = (await import(pathToFileURL(path).href)) as TestModule;
    for (const provider of providers()) found.set(provider.name, provider);
  }
  const missing = settings.sttModels.filter((name) => !found.has(name));
  if (missing.length > 0) log.info({ providers: missing }, 'providers of the policy that are not set up');
  return found;
};
