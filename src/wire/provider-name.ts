/** Every provider that a policy may name, in the default order of the policy. */
export const providerNames = ['provider_b', 'provider_a', 'deepgram', 'local'] as const;

export type ProviderName = (typeof providerNames)[number];

/** Other names for providers that settings and clients may use. */
const aliases: Readonly<Record<string, ProviderName>> = {
  parakeet: 'provider_a',
  'modulate-velma-2': 'provider_b',
};

/** The provider that a setting or a client names, in capitals or not; undefined when there is none of that name. */
export const providerNamed = (given: string): ProviderName | undefined => {
  const word = given.trim().toLowerCase();
  return Object.hasOwn(aliases, word) ? aliases[word] : providerNames.find((name) => name === word);
};
