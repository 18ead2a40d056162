/** All providers that the setting `STT_SERVICE_MODELS` may contain, in the default order of this setting. */
export const providerNames = ['provider_b', 'provider_a', 'deepgram', 'local'] as const;

export type ProviderName = (typeof providerNames)[number];

/** Aliases of providers in settings and requests. */
const aliases: Readonly<Record<string, ProviderName>> = {
  parakeet: 'provider_a',
  'modulate-velma-2': 'provider_b',
};

/** Returns the provider with a name or alias, in upper or lower case; undefined if unknown. */
export const providerNamed = (given: string): ProviderName | undefined => {
  const word = given.trim().toLowerCase();
  return Object.hasOwn(aliases, word) ? aliases[word] : providerNames.find((name) => name === word);
};
