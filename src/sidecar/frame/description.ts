import { z } from 'zod';
import {
  createDocument,
  type ZodOpenApiComponentsObject,
  type ZodOpenApiOperationObject,
  type ZodOpenApiPathsObject,
} from 'zod-openapi';
import { type ErrorCode, errorRegistry } from '../../errors/index.js';
import { scopeSentences } from '../../issuer/index.js';
import { consoleHeader, sessionCookie } from '../access/index.js';
import { ratePolicies } from '../limits/index.js';
import { movingFields, warningHeader } from '../schemas/index.js';
import { policiesOf, type Route, successStatus, tags } from './route.js';
import { errorsOf } from './route-errors.js';

const errorResponse = z
  .looseObject({
    detail: z.union([z.string(), z.array(z.unknown()), z.looseObject({})]),
  })
  .meta({
    id: 'ErrorResponse',
    description: 'What went wrong. An error with status 422 has a list of findings.',
  });

const validationError = z
  .object({
    loc: z
      .array(z.union([z.string(), z.int32()]))
      .meta({ description: 'Part of the request (`body`, `query`, `path`, `header`) and the field in it.' }),
    msg: z.string(),
    type: z.string(),
  })
  .meta({ id: 'ValidationError' });

const httpValidationError = z
  .object({ detail: z.array(validationError) })
  .meta({ id: 'HTTPValidationError' });

const rateHeaders = z.object({
  'X-RateLimit-Policy': z
    .string()
    .optional()
    .meta({ description: 'The rate limit with the fewest requests left.' }),
  'X-RateLimit-Limit': z.int32().optional().meta({ description: 'Requests allowed in the window.' }),
  'X-RateLimit-Remaining': z.int32().optional().meta({ description: 'Requests left in the window.' }),
  'X-RateLimit-Reset': z.int32().optional().meta({ description: 'Seconds until the window ends.' }),
});

const retryHeader = z.object({
  'Retry-After': z.int32().optional().meta({ description: 'Seconds to wait.' }),
});

const json = (schema: z.ZodType, example?: unknown) => ({
  'application/json': { schema, ...(example !== undefined && { example }) },
});

const meaning = (code: ErrorCode): string => {
  const message = errorRegistry[code].message.replace(/^\{\w+\}( \{\w+\})*$/, '');
  return message === '' ? `\`${code}\`` : `\`${code}\`: ${message}`;
};

const bodyOf = (
  status: number,
  codes: readonly ErrorCode[],
  failureBody: z.ZodType | undefined,
): z.ZodType => {
  if (status === 422) return httpValidationError;
  const failures = codes.filter((code) => code.startsWith('stt_'));
  if (failureBody === undefined || failures.length === 0) return errorResponse;
  // Some errors occur before a transcription has a result, so they have the ordinary error body.
  return failures.length === codes.length ? failureBody : z.union([failureBody, errorResponse]);
};

const errorAnswer = (status: number, codes: readonly ErrorCode[], failureBody?: z.ZodType) => ({
  description: codes.map(meaning).join('; '),
  content: json(bodyOf(status, codes, failureBody)),
  ...(status === 429 && { headers: rateHeaders.extend(retryHeader.shape) }),
  ...(status === 503 && { headers: retryHeader }),
});

const fileOf = (description: string) =>
  z.string().meta({ description, override: { type: 'string', format: 'binary' } });

/** Describes the media types of a file, without their parameters. */
const fileContent = (file: NonNullable<Route['file']>) =>
  Object.fromEntries(
    Object.entries(file).map(([type, content]) => [
      type.split(';')[0]!,
      { schema: typeof content === 'string' ? z.string().meta({ description: content }) : content },
    ]),
  );

const securityOf = ({ access }: Route): Record<string, string[]>[] => {
  const token = { firebaseBearer: [] };
  switch (access.kind) {
    case 'open':
    case 'entry':
      return [];
    case 'session':
      return [{ consoleSession: [] }];
    case 'developer':
      return [{ developerApiKey: [] }, ...(access.idToken ? [token] : [])];
    case 'assistant':
      return [{ mcpApiKey: [] }, { assistantToken: access.scope === null ? [] : [access.scope] }];
    default:
      return [token];
  }
};

const descriptionOf = (route: Route): string => {
  const { scope } = route.access;
  const limits = policiesOf(route).map((name) => {
    const { allowed, seconds } = ratePolicies[name];
    return `\`${name}\` (${allowed} in ${seconds} s)`;
  });
  return [
    route.description,
    scope === null ? undefined : `A key needs the scope \`${scope}\`.`,
    limits.length === 0 ? undefined : `Rate limits: ${limits.join(', ')}.`,
  ]
    .filter((part) => part !== undefined)
    .join('\n\n');
};

/**
 * Returns the operations that take the id of a record that `route` creates. They become links of the route's answer
 * in the API's description.
 */
const linksOf = (route: Route, routes: readonly Route[]) =>
  Object.fromEntries(
    routes
      .filter(({ resource }) => resource?.createdBy === route.operationId)
      .map(({ operationId, resource }) => [
        operationId,
        {
          operationId,
          parameters: { [resource!.parameter ?? 'id']: `$response.body#/${resource!.field ?? 'id'}` },
        },
      ]),
  );

/** Returns the headers of a request: those that the route declares, and the header of pages of the console. */
const headersOf = ({ access, method, headers }: Route) => {
  const isOfConsole = access.kind === 'session' || access.kind === 'entry';
  if (!isOfConsole || method === 'GET') return headers && { header: headers };
  const own = {
    [consoleHeader]: z.literal('1').meta({ description: 'Shows that a page of the console sends this.' }),
  };
  return { header: z.object({ ...headers?.shape, ...own }) };
};

const operationOf = (route: Route, routes: readonly Route[]): ZodOpenApiOperationObject => {
  const status = successStatus(route);
  const links = linksOf(route, routes);
  const moves = [route.query, route.body].some((schema) => schema && movingFields(schema).length > 0);
  const declared = { ...route.answerHeaders, ...(moves && warningHeader) };
  const extra = Object.entries(declared).map(
    ([name, description]) => [name, z.string().optional().meta({ description })] as const,
  );
  const headers = rateHeaders.extend(Object.fromEntries(extra));
  return {
    operationId: route.operationId,
    tags: [route.tag],
    summary: route.summary,
    description: descriptionOf(route),
    security: securityOf(route),
    requestParams: {
      ...(route.path && { path: route.path }),
      ...(route.query && { query: route.query }),
      ...headersOf(route),
    },
    ...(route.body && {
      requestBody: {
        required: !route.body.safeParse(undefined).success,
        content: json(route.body, route.example?.body),
      },
    }),
    ...(route.upload && {
      requestBody: {
        required: true,
        content: {
          'multipart/form-data': {
            schema: z.object({ [route.upload.field]: z.array(fileOf(route.upload.description)).min(1) }),
          },
          ...(route.upload.raw !== undefined && {
            'application/octet-stream': { schema: fileOf(route.upload.raw) },
          }),
        },
      },
    }),
    responses: {
      [status]: {
        description: status === 204 ? 'Done; no body.' : 'Done.',
        ...((route.limits.length > 0 || extra.length > 0) && { headers }),
        ...((route.answer ?? route.events ?? route.file) && {
          content: {
            ...(route.answer && json(route.answer, route.example?.answer)),
            ...(route.file && fileContent(route.file)),
            ...(route.events !== undefined && {
              // Declares no type, because some tools check the complete text against the schema, and others check each event.
              'text/event-stream': { schema: z.unknown().meta({ description: route.events }) },
            }),
          },
        }),
        ...(Object.keys(links).length > 0 && { links }),
      },
      ...Object.fromEntries(
        [...errorsOf(route)].map(([code, errors]) => [code, errorAnswer(code, errors, route.failureBody)]),
      ),
    },
  };
};

export type ApiDescription = ReturnType<typeof createDocument>;

/** How clients reach routes: the title of their description, and the credentials that it names. */
interface DescriptionHead {
  readonly title: string;
  readonly description: string;
  readonly securitySchemes: (address: string) => NonNullable<ZodOpenApiComponentsObject['securitySchemes']>;
}

const publicHead: DescriptionHead = {
  title: 'Cochlea Developer API',
  description: 'Conversations recorded by wearables, with their summaries, memories and tasks.',
  securitySchemes: (address) => ({
    developerApiKey: { type: 'http', scheme: 'bearer', description: 'A developer key.' },
    mcpApiKey: { type: 'http', scheme: 'bearer', description: 'An MCP key.' },
    assistantToken: {
      type: 'oauth2',
      description: 'An access token that a user granted to an assistant.',
      flows: {
        authorizationCode: {
          authorizationUrl: `${address}/authorize`,
          tokenUrl: `${address}/token`,
          refreshUrl: `${address}/token`,
          scopes: { ...scopeSentences },
        },
      },
    },
    firebaseBearer: {
      type: 'http',
      scheme: 'bearer',
      bearerFormat: 'JWT',
      description: 'The ID token of a signed-in user.',
    },
  }),
};

const consoleHead: DescriptionHead = {
  title: 'Interface of the console',
  description:
    'What pages of the console read and change. It changes with the pages; applications use the public API.',
  securitySchemes: () => ({
    consoleSession: {
      type: 'apiKey',
      in: 'cookie',
      name: sessionCookie,
      description: 'The cookie of a session. With https its name begins with `__Host-`.',
    },
  }),
};

/** Creates the OpenAPI document of the public API. @param address base address of the service, without a trailing slash. */
export const describeApi = (routes: readonly Route[], address: string): ApiDescription =>
  describe(routes, address, publicHead);

/** Creates the OpenAPI document of the console's routes, as `describeApi` does for the public API. */
export const describeConsole = (routes: readonly Route[], address: string): ApiDescription =>
  describe(routes, address, consoleHead);

const describe = (
  routes: readonly Route[],
  address: string,
  { title, description, securitySchemes }: DescriptionHead,
): ApiDescription => {
  const paths: ZodOpenApiPathsObject = {};
  for (const route of routes.filter(({ described }) => described !== false)) {
    paths[route.url] = { ...paths[route.url], [route.method.toLowerCase()]: operationOf(route, routes) };
  }
  const used = new Set(routes.map(({ tag }) => tag));
  return createDocument({
    openapi: '3.1.0',
    info: {
      title,
      version: '1.0.0',
      description,
      license: { name: 'MIT', identifier: 'MIT' },
    },
    servers: [{ url: address }],
    tags: Object.entries(tags)
      .filter(([name]) => used.has(name as keyof typeof tags))
      .map(([name, description]) => ({ name, description })),
    paths,
    components: { securitySchemes: securitySchemes(address) },
  });
};
