import type { ZodType } from 'zod';
import type { JsonParts } from '../../service/parts/index.js';

/** An answer that is JSON text in parts, which are read as its client takes them. */
export class JsonInParts {
  readonly parts: JsonParts;

  constructor(parts: JsonParts) {
    this.parts = parts;
  }
}

/**
 * The same parts. In place of the last one it breaks off where a schema refuses what they are together. For tests.
 * @param name of the operation, for the error.
 */
export async function* checkedParts(parts: JsonParts, schema: ZodType, name: string): JsonParts {
  const gathered: Buffer[] = [];
  let last: Buffer | undefined;
  for await (const part of parts) {
    if (last !== undefined) yield last;
    last = part;
    gathered.push(part);
  }
  const checked = schema.safeParse(JSON.parse(Buffer.concat(gathered).toString()));
  if (!checked.success) throw new Error(`${name}: ${checked.error.message}`);
  if (last !== undefined) yield last;
}
