import swagger from '@fastify/swagger';
import swaggerUi from '@fastify/swagger-ui';
import type { FastifyInstance } from 'fastify';
import { publicAddress, type Settings } from '../../config/index.js';
import { type ApiDescription, describeApi } from './description.js';
import type { Route } from './route.js';

/**
 * Serves the OpenAPI document at `/openapi.json`, and a page that shows it at `/docs`. The page loads nothing from other hosts, and its
 * policy forbids inline scripts. The document is made on its first request, because most processes never get this request.
 */
export const installDescription = async (
  app: FastifyInstance,
  routes: readonly Route[],
  settings: Settings,
): Promise<void> => {
  // The plugin of the page stores this object. It makes YAML text from the object once and stores that too.
  const document: Partial<ApiDescription> = {};
  const described = (): Partial<ApiDescription> =>
    document.openapi === undefined
      ? Object.assign(document, describeApi(routes, publicAddress(settings)))
      : document;
  let text: string | undefined;
  app.get('/openapi.json', { exposeHeadRoute: true }, (_request, reply) => {
    text ??= JSON.stringify(described());
    return reply.header('content-type', 'application/json; charset=utf-8').send(text);
  });
  await app.register(swagger, { mode: 'static', specification: { document: document as never } });
  await app.register(swaggerUi, {
    routePrefix: '/docs',
    uiHooks: {
      onRequest: (_request, _reply, done) => {
        described();
        done();
      },
    },
    staticCSP:
      "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; frame-ancestors 'none'; base-uri 'none'; form-action 'none'",
    uiConfig: { deepLinking: true, supportedSubmitMethods: ['get', 'post', 'put', 'patch', 'delete'] },
  });
};
