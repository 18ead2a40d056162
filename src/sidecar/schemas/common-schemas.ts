import { z } from 'zod';

/** Schemas that most resources share. */

export const idPath = z.object({ id: z.string() });

/** Returns the body schema of a change. At least one field must be present. @param fields the field names for the error message. */
export const changeOf = <Shape extends z.ZodRawShape>(shape: Shape, fields: string) =>
  z
    .object(shape)
    .refine(
      (change) => Object.values(change).some((value) => value !== undefined),
      `At least one field (${fields}) must be provided`,
    )
    .meta({ minProperties: 1 });

export const successAnswer = z.object({ success: z.literal(true) }).meta({ id: 'Success' });
export const success = { success: true } as const;
