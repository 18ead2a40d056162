import { providerNames } from '../wire/index.js';

/** Providers that metrics name: all of the policy, and the one of benchmarks. */
const labelled = [...providerNames, 'discard'] as const;
export type LabelledProvider = (typeof labelled)[number];

/** Why a connection to a provider fails or ends. */
export const providerDeathReasons = [
  /** It refused the connection, or could not be reached. */
  'refused',
  'connect_timeout',
  /** It has no place for another stream now. */
  'capacity_full',
  'connection_lost',
  'send_failed',
  'socket_unavailable',
  /** It said that it failed. */
  'provider_error',
  'quota_exceeded',
  /** It said what cannot be read. */
  'bad_message',
  /** It took audio with speech and told nothing for `STT_ANSWER_TIMEOUT`. */
  'no_answer',
  /** It cannot be used as it is configured. */
  'unusable',
] as const;

const counters = {
  provider_connects_total: 'Streams connected to a provider.',
  provider_finals_total: 'Final words that a provider of audio told.',
  provider_malformed_total: 'Messages of a provider of audio that could not be read and were skipped.',
} as const;

const gauges = {
  provider_breaker_state:
    'Circuit breaker of a provider: 0 closed, 1 half open, 2 open. The worst of the shards.',
} as const;

const histograms = {
  provider_connect_seconds: 'From the attempt to connect a stream to the connection that serves it.',
  provider_first_word_seconds:
    'From the announcement of speech to the first words of a provider of audio, provisional ones included.',
  provider_final_words_seconds:
    'From the end of an utterance, as the gate told it, to final words that reach it.',
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
    'Connections to a provider that failed or ended by themselves, by reason.',
  ]),
);

/** Every counter and gauge of providers with its labels, as the Prometheus page writes it, and its help. */
export const providerMetrics = Object.fromEntries([
  ...withLabels(counters),
  ...withLabels(gauges),
  ...deaths,
]) as Readonly<Record<ProviderMetric, string>>;

export const providerHistograms = Object.fromEntries(withLabels(histograms)) as Readonly<
  Record<ProviderHistogram, string>
>;

/** Gauges whose value over a process is the largest of its rows. */
export const largestProviderGauges = Object.keys(providerMetrics).filter((name) =>
  name.startsWith('provider_breaker_state{'),
) as ProviderGauge[];

/** The label of a provider, whatever its name. */
export const providerLabel = (name: string): LabelledProvider =>
  labelled.find((known) => known === name) ?? 'local';

/** A metric's name without its labels, and its labels. */
export const splitLabels = (
  name: string,
): { readonly family: string; readonly labels: Record<string, string> } => {
  const [family = name, rest = ''] = name.split(/[{}]/);
  const labels = Object.fromEntries(
    [...rest.matchAll(/(\w+)="([^"]*)"/g)].map(([, key, value]) => [key!, value!]),
  );
  return { family, labels };
};
