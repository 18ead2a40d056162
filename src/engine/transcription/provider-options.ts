import type { Settings } from '../../config/index.js';
import { type MetricsRow, providerLabel } from '../../metrics/index.js';
import { ProviderHealth, type ProviderNews } from '../../stt/providers/index.js';
import type { ProviderRules } from './options.js';

/** The settings that say how a shard deals with providers. */
export type ProviderSettings = Pick<
  Settings,
  | 'vadPreRoll'
  | 'vadMinSpeech'
  | 'vadMaxUtterance'
  | 'interimWords'
  | 'interimSettled'
  | 'interimWhole'
  | 'sttConnectTimeout'
  | 'sttAnswerTimeout'
  | 'sttFailovers'
  | 'sttBreakerFailures'
  | 'sttBreakerPause'
>;

/** What the shards of a process tell each other about providers. */
export type ShardNews = Pick<ProviderNews, 'tell' | 'listen'>;

/** Silence kept beyond what the gate needs to announce speech: pieces of audio end that much later, in ms. */
const announceMargin = 500;

/** States of a circuit breaker as the metric has them. */
const breakerStates = { closed: 0, 'half-open': 1, open: 2 } as const;

export const providerRules = (settings: ProviderSettings): ProviderRules => ({
  connectTimeout: settings.sttConnectTimeout,
  answerTimeout: settings.sttAnswerTimeout,
  failovers: settings.sttFailovers,
  idle: settings.vadPreRoll + settings.vadMinSpeech + announceMargin,
  longestRun: settings.vadMaxUtterance,
  interimWords: settings.interimWords,
  interimSettled: settings.interimSettled,
  interimWhole: settings.interimWhole,
});

/** The circuit breakers of a shard, which learn what the other shards of the process tell. */
export const providerHealth = (
  settings: ProviderSettings,
  news: ShardNews | undefined,
  metrics: MetricsRow,
): ProviderHealth => {
  const health = new ProviderHealth({
    failures: settings.sttBreakerFailures,
    pause: settings.sttBreakerPause,
    onState: (provider, state) =>
      metrics.set(`provider_breaker_state{provider="${providerLabel(provider)}"}`, breakerStates[state]),
    tell: (report) => news?.tell(report),
  });
  news?.listen((report) => health.learn(report));
  return health;
};
