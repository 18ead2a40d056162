import { fixedLimits } from '../../config/limits/index.js';

/** Outcome of reading a text: its value, or the reason for its refusal. */
export type ReadJson =
  | { readonly value: unknown }
  | { readonly refused: 'json_invalid' | 'json_too_many_values' | 'json_too_deep' };

type Holder = Record<string, unknown>;

const isHolder = (value: unknown): value is Holder => typeof value === 'object' && value !== null;

/** Drops keys that could change a prototype. Fastify's parser also drops them. */
const dropPrototypes = (holder: Holder): void => {
  if (Object.hasOwn(holder, '__proto__')) Reflect.deleteProperty(holder, '__proto__');
  const { constructor: own } = holder;
  if (Object.hasOwn(holder, 'constructor') && isHolder(own) && Object.hasOwn(own, 'prototype')) {
    Reflect.deleteProperty(holder, 'constructor');
  }
};

/** Returns the reason why the size or depth of a value is refused; null if the value is allowed. */
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
 * Parses JSON that may be long. Refuses more than `jsonValues` values, because their number determines the time to transfer and check them.
 * Also refuses nesting deeper than `jsonDepth`, which could not be transferred to another thread.
 * @param bytes JSON text in UTF-8.
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
