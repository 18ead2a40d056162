import { type SpeechModelName, speechModelNames } from '../wire/index.js';

const family = 'transcriber_model_utterances_total';
export type ModelCounter = `${typeof family}{model="${SpeechModelName}"}`;

/** Counters of utterances by the local model that decoded them, with their help texts. */
export const modelMetrics = Object.fromEntries(
  speechModelNames.map((model) => [
    `${family}{model="${model}"}`,
    'Utterances of open streams with a result of the local transcriber, by speech model.',
  ]),
) as Readonly<Record<ModelCounter, string>>;

/** Returns the counter of a local model; undefined for a model outside the manifest. */
export const modelCounter = (name: string): ModelCounter | undefined => {
  const known = speechModelNames.find((model) => model === name);
  return known && `${family}{model="${known}"}`;
};
