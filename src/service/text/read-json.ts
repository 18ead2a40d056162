import { fixedLimits } from '../../config/limits/index.js';

/** Outcome of reading a text: its value, or the reason for its refusal. */
export type ReadJson =
  | { readonly value: unknown }
  | { readonly refused: 'json_invalid' | 'json_too_many_values' | 'json_too_deep' };

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

/** Why the size or depth of a value is refused; null if it is allowed. */
const excessOf = (root: unknown): 'json_too_many_values' | 'json_too_deep' | null => {
  let level = isHolder(root) ? [root] : [];
  let count = 1;
  for (let depth = 1; level.length > 0; depth++) {
    if (depth > fixedLimits.jsonDepth.value) return 'json_too_deep';
    const next: Holder[] = [];
    for (const holder of level) {
      dropPrototypes(holder);
      const values = Object.values(holder);
      count += values.length;
      if (count > fixedLimits.jsonValues.value) return 'json_too_many_values';
      for (const value of values) if (isHolder(value)) next.push(value);
    }
    level = next;
  }
  return null;
};

/**
 * Reads JSON that may be long. Refuses more values than `jsonValues`: the time to transfer a value to another thread and to check it grows
 * with their number. Also refuses nesting deeper than `jsonDepth`, which no thread could transfer.
 * @param bytes in UTF-8.
 */
export const readJson = (bytes: Uint8Array): ReadJson => {
  let value: unknown;
  try {
    value = JSON.parse(new TextDecoder().decode(bytes));
  } catch {
    return { refused: 'json_invalid' };
  }
  const refused = excessOf(value);
  return refused === null ? { value } : { refused };
};
