import { CochleaError } from '../../errors/index.js';
import { joinKeywords } from '../../wire/index.js';

/** Lowest PCM rate in Hz that the audio core accepts. */
const lowestRate = 8000;
/** Highest PCM rate in Hz that the audio core accepts. */
const highestRate = 48_000;
const usualRate = 16_000;
/** Maximum number of characters of a language code that are passed to the sidecar. The sidecar refuses invalid codes. */
const longestLanguage = 35;

const refuse = (name: string, why: string): never => {
  throw new CochleaError('query_invalid', { name, why });
};

/**
 * Converts the query of a voice socket's address to the query of the request to the sidecar. Ignores unknown
 * parameters. Of a repeated parameter the last value counts, except for `keywords`, whose words are joined.
 * @param query the part after `?`, with its percent-encoding.
 * @throws CochleaError query_invalid naming the parameter.
 */
export const voiceQuery = (query: string): string => {
  const parameters = new URLSearchParams(query);
  const given = new Map(parameters);
  const codec = given.get('codec') ?? given.get('encoding') ?? 'linear16';
  if (codec.toLowerCase() !== 'linear16') refuse('codec', 'it must be linear16');
  if ((given.get('channels') ?? '1').trim() !== '1') refuse('channels', 'it must be 1');
  const rate = (given.get('sample_rate') ?? String(usualRate)).trim();
  const isRate = /^\d{4,5}$/.test(rate) && Number(rate) >= lowestRate && Number(rate) <= highestRate;
  if (!isRate) refuse('sample_rate', `it must be ${lowestRate} to ${highestRate}`);
  const asked = new URLSearchParams({ sample_rate: rate });
  const language = given.get('language');
  if (language !== undefined) asked.set('language', language.slice(0, longestLanguage));
  const keywords = joinKeywords(parameters.getAll('keywords').join(',').split(','));
  if (keywords.length > 0) asked.set('keywords', keywords.join(','));
  return asked.toString();
};
