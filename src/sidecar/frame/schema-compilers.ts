import type { FastifySchemaCompiler, FastifyServerOptions } from 'fastify';
import type { ZodType } from 'zod';
import { requestInvalid } from '../request-invalid.js';

const validatorOf: FastifySchemaCompiler<ZodType> =
  ({ schema, httpPart }) =>
  (data: unknown) => {
    const parsed = schema.safeParse(data);
    return parsed.success
      ? { value: parsed.data }
      : { error: requestInvalid(httpPart ?? 'body', parsed.error.issues, data) };
  };

/**
 * What Fastify checks requests with, and writes answers with. It has to be given when the application is made: Fastify would
 * load ajv and a compiler of serializers before, which nothing here uses. Routes have zod schemas for requests, and none for answers.
 */
export const schemaController: NonNullable<FastifyServerOptions['schemaController']> = {
  compilersFactory: {
    // Fastify's type knows schemas of ajv only.
    buildValidator: (() => validatorOf) as never,
    buildSerializer: () => () => JSON.stringify,
  },
};
