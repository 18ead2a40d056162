import { providerNames } from '../wire/index.js';

/** Providers with metrics: all providers that `STT_SERVICE_MODELS` may name, and the benchmark provider. */
const labelled = [...providerNames, 'discard'] as const;
export type LabelledProvider = (typeof labelled)[number];

/** Reasons why a provider connection fails or ends. */
export const providerDeathReasons = [
  /** The provider refused the connection or was unreachable. */
  'refused',
  'connect_timeout',
  /** The provider has no capacity for another stream. */
  'capacity_full',
  'connection_lost',
  'send_failed',
  /** The local transcriber cannot be reached over its socket. */
  'socket_unavailable',
  /** The provider reported a failure. */
  'provider_error',
  'quota_exceeded',
  /** The provider sent an unreadable message. */
  'bad_message',
  /** The provider received speech but sent nothing for `STT_ANSWER_TIMEOUT`. */
  'no_answer',
  /** The provider cannot work with its configuration. */
  'unusable',
] as const;

const counters = {
  provider_connects_total: 'Streams connected to a provider.',
  provider_finals_total: 'Final words that a streaming provider sent.',
  provider_malformed_total: 'Unreadable messages of a streaming provider that were skipped.',
} as const;

const gauges = {
  provider_breaker_state:
    'Circuit breaker of a provider: 0 closed, 1 half open, 2 open. The worst value of all shards.',
} as const;

const histograms = {
  provider_connect_seconds: 'From the attempt to connect a stream to the connection that serves it.',
  provider_first_word_seconds:
    'From the announcement of speech to the first words of a streaming provider, including provisional words.',
  provider_final_words_seconds:
    'From the end of an utterance, as reported by the gate, to final words up to this end.',
} as const;

type Labelled<Family extends string> = `${Family}{provider="${LabelledProvider}"}`;
export type ProviderCounter = Labelled<keyof typeof counters>;
export type ProviderGauge = Labelled<keyof typeof gauges>;
export type ProviderHistogram = Labelled<keyof typeof histograms>;
type DeathCounter =
  `provider_deaths_total{provider="${LabelledProvider}",reason="${(typeof providerDeathReasons)[number]}"}`;
export type ProviderMetric = ProviderCounter | ProviderGauge | DeathCounter;

const withLabels = <Family extends string>(families: Readonly<Record<Family, string>>): [string, string][] =>
  Object.entries<string>(families).flatMap(([family, help]): [string, string][] =>
    labelled.map((provider) => [`${family}{provider="${provider}"}`, help]),
  );

const deaths = labelled.flatMap((provider) =>
  providerDeathReasons.map((reason): [string, string] => [
    `provider_deaths_total{provider="${provider}",reason="${reason}"}`,
    'Connections to a provider that failed or ended unexpectedly, by reason.',
  ]),
);

/** All counters and gauges of providers with their labels in Prometheus syntax, and their help texts. */
export const providerMetrics = Object.fromEntries([
  ...withLabels(counters),
  ...withLabels(gauges),
  ...deaths,
]) as Readonly<Record<ProviderMetric, string>>;

export const providerHistograms = Object.fromEntries(withLabels(histograms)) as Readonly<
  Record<ProviderHistogram, string>
>;

/** Gauges for which the value of the process is the largest value of the rows. */
export const largestProviderGauges = Object.keys(providerMetrics).filter((name) =>
  name.startsWith('provider_breaker_state{'),
) as ProviderGauge[];

/** Returns the label of a provider. An unknown name gets the label `local`. */
export const providerLabel = (name: string): LabelledProvider =>
  labelled.find((known) => known === name) ?? 'local';

/** Splits a metric name into its family and its labels. */
export const splitLabels = (
  name: string,
): { readonly family: string; readonly labels: Record<string, string> } => {
  const [family = name, rest = ''] = name.split(/[{}]/);
  const labels = Object.fromEntries(
    [...rest.matchAll(/(\w+)="([^"]*)"/g)].map(([, key, value]) => [key!, value!]),
  );
  return { family, labels };
};
