import type { FastifySchemaCompiler, FastifyServerOptions } from 'fastify';
import type { ZodType } from 'zod';
import { type RequestInvalid, requestInvalid } from '../answers/index.js';
import { noteMoved } from '../schemas/index.js';

/**
 * Checks a part of a request.
 * @param part in the router's terms: body, querystring, params or headers.
 */
export const checkPart = (
  schema: ZodType,
  part: string,
  data: unknown,
): { readonly value: unknown } | { readonly error: RequestInvalid } => {
  const parsed = schema.safeParse(data);
  if (!parsed.success) return { error: requestInvalid(part, parsed.error.issues, data) };
  noteMoved(schema, data, parsed.data);
  return { value: parsed.data };
};

const validatorOf: FastifySchemaCompiler<ZodType> =
  ({ schema, httpPart }) =>
  (data: unknown) =>
    checkPart(schema, httpPart ?? 'body', data);

/**
 * Replaces Fastify's validators and serializers. Must be passed when Fastify is created. Fastify would otherwise load ajv and a serializer
 * compiler, which this sidecar does not use. Routes have zod schemas for requests, and no schemas for answers.
 */
export const schemaController: NonNullable<FastifyServerOptions['schemaController']> = {
  compilersFactory: {
    // Fastify's type knows only ajv schemas.
    buildValidator: (() => validatorOf) as never,
    buildSerializer: () => () => JSON.stringify,
  },
};
