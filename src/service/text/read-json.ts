import { fixedLimits } from '../../config/limits.js';

/** What became of a text: its value, or why it has none. */
export type ReadJson =
  | { readonly value: unknown }
  | { readonly refused: 'json_invalid' | 'json_too_many_values' };

type Holder = Record<string, unknown>;

const isHolder = (value: unknown): value is Holder => typeof value === 'object' && value !== null;

/** Drops keys that could change a prototype, as Fastify's parser does. */
const dropPrototypes = (holder: Holder): void => {
  if (Object.hasOwn(holder, '__proto__')) Reflect.deleteProperty(holder, '__proto__');
  const { constructor: own } = holder;
  if (Object.hasOwn(holder, 'constructor') && isHolder(own) && Object.hasOwn(own, 'prototype')) {
    Reflect.deleteProperty(holder, 'constructor');
  }
};

/** Whether a value holds more values than `most`, with all that they hold. */
const isLarger = (root: unknown, most: number): boolean => {
  const holders = isHolder(root) ? [root] : [];
  let count = 1;
  for (let holder = holders.pop(); holder !== undefined; holder = holders.pop()) {
    dropPrototypes(holder);
    const values = Object.values(holder);
    count += values.length;
    if (count > most) return true;
    for (const value of values) if (isHolder(value)) holders.push(value);
  }
  return false;
};

/**
 * Reads JSON that may be long. It is refused when it holds more values than `jsonValues`: the time to hand a value to another thread, and
 * to check it, grows with their number.
 * @param bytes in UTF-8.
 */
export const readJson = (bytes: Uint8Array): ReadJson => {
  let value: unknown;
  try {
    value = JSON.parse(new TextDecoder().decode(bytes));
  } catch {
    return { refused: 'json_invalid' };
  }
  return isLarger(value, fixedLimits.jsonValues.value) ? { refused: 'json_too_many_values' } : { value };
};
