import { loadSettings } from '../../../src/config/load-settings.js';
import { createLogger } from '../../../src/log/logger.js';
import { createProviders } from '../../../src/stt/providers/registry.js';
import type { AudioStream, Provider, ProviderEvent } from '../../../src/stt/shared/provider.js';

/** Returns the first provider that an environment configures. */
export const providerOf = async (environment: Record<string, string>): Promise<Provider | undefined> => {
  const { values } = loadSettings(environment);
  const found = await createProviders(values, [], createLogger('test', 'silent'));
  return [...found.values()][0];
};

/** Environments that configure each hosted provider, given the address of its server. */
export const environments = {
  provider_a: (url: string) => ({ STT_SERVICE_MODELS: 'provider_a', HOSTED_PARAKEET_API_URL: url }),
  provider_b: (url: string) => ({
    STT_SERVICE_MODELS: 'provider_b',
    MODULATE_API_URL: url,
    MODULATE_API_KEY: 'key',
  }),
  deepgram: (url: string) => ({
    STT_SERVICE_MODELS: 'deepgram',
    DEEPGRAM_SELF_HOSTED_ENABLED: 'true',
    DEEPGRAM_SELF_HOSTED_URL: url,
  }),
} as const;
export type HostedName = keyof typeof environments;

/** Connects a stream to a provider and records the events of the stream. */
export const connect = async (
  provider: Provider,
  language = 'en',
): Promise<{ stream: AudioStream; events: ProviderEvent[] }> => {
  const events: ProviderEvent[] = [];
  const { signal } = new AbortController();
  const stream = await provider.connect({
    id: 'stream',
    user: 'user',
    language,
    signal,
    emit: (event) => events.push(event),
  });
  return { stream: stream as AudioStream, events };
};
