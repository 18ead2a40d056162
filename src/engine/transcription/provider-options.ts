import type { Settings } from '../../config/index.js';
import { type MetricsRow, providerLabel } from '../../metrics/index.js';
import { ProviderHealth, type ProviderNews } from '../../stt/providers/index.js';
import type { ProviderRules } from './options.js';

/** The settings that determine how a shard uses providers. */
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

/** Exchanges reports about providers between the shards of a process. */
export type ShardNews = Pick<ProviderNews, 'tell' | 'listen'>;

/**
 * Ms of silence that are kept in addition to the time that the gate needs to announce speech. The reason: the last
 * piece of audio may end after the announcement.
 */
const announceMargin = 500;

/** Values of the metric for each state of a circuit breaker. */
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

/** Creates the circuit breakers of a shard. They also use the reports of the other shards of the process. */
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
