import { automaticLanguage, providerNamed } from '../../wire/index.js';
import type { Provider } from '../shared/index.js';

/**
 * Returns the base of a language code: the part before `-` or `_`, in lower case. A missing language means English.
 * `multi` (any language) counts as a separate language. A text that only begins like a code, such as `multi-DE` or `-en`,
 * has no base. It is returned in lower case, and no provider supports it.
 */
export const baseLanguage = (language: string): string => {
  const whole = language.trim().toLowerCase() || 'en';
  const base = whole.split(/[-_]/, 1)[0]!.trim();
  return base === '' || base === automaticLanguage ? whole : base;
};

/**
 * Selects the provider of a stream: the first provider in `order` that is available and supports the language.
 * @param order the list of `STT_SERVICE_MODELS`.
 * @param wanted the client's `stt_service`. If the list contains it, it is tried first. Otherwise it is ignored.
 * Even a wanted provider must support the language.
 * @returns null if no provider fits. The stream is then refused rather than transcribed in the wrong language.
 */
export const selectProvider = (
  order: readonly string[],
  available: ReadonlyMap<string, Provider>,
  language: string,
  wanted: string | null,
): Provider | null => {
  const policy = order.map((name) => providerNamed(name) ?? name);
  const first = wanted === null ? undefined : providerNamed(wanted);
  const walk = first !== undefined && policy.includes(first) ? [first, ...policy] : policy;
  const base = baseLanguage(language);
  for (const name of walk) {
    const provider = available.get(name);
    if (provider?.capabilities.supports(base)) return provider;
  }
  return null;
};
