import type { ZodType } from 'zod';
import type { JsonParts } from '../../service/parts/index.js';

/**
 * A JSON answer that is sent in parts. Parts are read from the database while the client receives the answer, one part
 * ahead.
 */
export class JsonInParts {
  constructor(readonly parts: JsonParts) {}
}

/**
 * Yields `parts` unchanged and checks the complete JSON. If the schema refuses the JSON, throws in place of the last
 * part. For tests.
 * @param name operation id for the error.
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
