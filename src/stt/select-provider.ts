import type { Provider } from './provider.js';

/** Names by which policy lists and clients call a provider, beside its own. */
const aliases: Readonly<Record<string, string>> = {
  parakeet: 'provider_a',
  'modulate-velma-2': 'provider_b',
};

const providerName = (token: string): string => aliases[token.toLowerCase()] ?? token.toLowerCase();

/**
 * The base of a language code: what stands before `-` or `_`, in lower case. A missing language is English; `multi`
 * (recognise whatever is spoken) is a language of its own.
 */
export const baseLanguage = (language: string): string =>
  language.split(/[-_]/, 1)[0]!.trim().toLowerCase() || 'en';

/**
 * Picks the provider of a stream: the first of the deployment's list that is available and supports the language.
 * @param order the policy, as set in `STT_SERVICE_MODELS`.
 * @param wanted the client's `stt_service`: moves a provider the policy lists to the front, and is otherwise ignored; it
 *   never makes a provider serve a language it does not support.
 * @returns null when none fits: the stream is refused rather than transcribed in the wrong language.
 */
export const selectProvider = (
  order: readonly string[],
  available: ReadonlyMap<string, Provider>,
  language: string,
  wanted: string | null,
): Provider | null => {
  const policy = order.map(providerName);
  const first = wanted === null ? undefined : providerName(wanted);
  const walk = first !== undefined && policy.includes(first) ? [first, ...policy] : policy;
  const base = baseLanguage(language);
  for (const name of walk) {
    const provider = available.get(name);
    if (provider?.capabilities.supports(base)) return provider;
  }
  return null;
};
