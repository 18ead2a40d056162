import { pathToFileURL } from 'node:url';
import type { Settings } from '../../config/index.js';
import type { Logger } from '../../log/index.js';
import type { ProviderName } from '../../wire/index.js';
import type { Provider } from '../shared/index.js';
import type { BatchService } from './batch-recogniser.js';
import { createDeepgram } from './deepgram-provider.js';
import { batchProviderB, createProviderB } from './modulate-provider.js';
import { batchProviderA, createProviderA } from './parakeet-provider.js';

/**
 * Factories of a provider that needs nothing but settings. Each returns null if the settings do not configure the
 * provider.
 */
interface HostedService {
  readonly stream: (settings: Settings) => Provider | null;
  /** Creates the provider's route for complete files; absent if the provider has no such route. */
  readonly batch?: (settings: Settings) => BatchService | null;
}

/**
 * Remote providers by name. The rules for selection, timeouts, circuit breakers, failover, retained audio and
 * metrics are the same for all.
 */
const hosted: Readonly<Record<Exclude<ProviderName, 'local'>, HostedService>> = {
  provider_b: { stream: createProviderB, batch: batchProviderB },
  provider_a: { stream: createProviderA, batch: batchProviderA },
  deepgram: { stream: createDeepgram },
};

/**
 * Returns the batch route of a provider; null if it has none or is not configured.
 * @throws CochleaError file_unreadable when the file of a key cannot be read.
 */
export const batchServiceOf = (name: ProviderName, settings: Settings): BatchService | null =>
  name === 'local' ? null : (hosted[name].batch?.(settings) ?? null);

/**
 * Name of the environment variable with the path of a module that exports providers for tests and benchmarks. It is
 * not a setting. A process that uses it logs a warning.
 */
const testModule = 'COCHLEA_TEST_PROVIDERS';

interface TestModule {
  readonly providers: () => readonly Provider[];
}

/**
 * Creates the providers of a shard, by name: all configured providers in `sttModels`. Other providers are left out.
 * @param given providers that need more than settings, such as the local provider.
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
    log.warn({ path }, `test providers are used, because ${testModule} is set`);
    const { providers } = (await import(pathToFileURL(path).href)) as TestModule;
    for (const provider of providers()) found.set(provider.name, provider);
  }
  const missing = settings.sttModels.filter((name) => !found.has(name));
  if (missing.length > 0) log.info({ providers: missing }, 'some providers of the policy are not configured');
  return found;
};
