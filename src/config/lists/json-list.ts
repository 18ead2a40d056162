import type { z } from 'zod';

/**
 * Reads a setting that contains a JSON list. An empty text is an empty list.
 * @param schema schema of the list.
 * @param key property that identifies an item. Two items with the same value are refused.
 * @param items plural name of the items for errors.
 * @throws Error that names the fault without quoting the value.
 */
export const parseJsonList = <Item>(
  text: string,
  schema: z.ZodType<Item[]>,
  key: keyof Item & string,
  items: string,
): readonly Item[] => {
  if (text === '') return [];
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw new Error('is not JSON');
  }
  const { data, error } = schema.safeParse(value);
  if (data === undefined) {
    const { path, message } = error.issues[0]!;
    throw new Error(`${path.join('.') || 'the list'}: ${message}`);
  }
  if (new Set(data.map((item) => item[key])).size < data.length) {
    throw new Error(`two ${items} have the same ${key}`);
  }
  return data;
};
