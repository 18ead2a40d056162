import swagger from '@fastify/swagger';
import swaggerUi from '@fastify/swagger-ui';
import type { FastifyInstance } from 'fastify';
import { publicAddress, type Settings } from '../../config/index.js';
import { type ApiDescription, describeApi } from './description.js';
import type { Route } from './route.js';

/**
 * Serves the OpenAPI document at `/openapi.json`, and a page that shows it at `/docs`. The page loads nothing from elsewhere and
 * works under a policy that forbids inline scripts. The document is made for the first request that asks for it: most starts of a
 * sidecar are not followed by one.
 */
export const installDescription = async (
  app: FastifyInstance,
  routes: readonly Route[],
  settings: Settings,
): Promise<void> => {
  // The plugin of the page keeps this object, and the text in YAML that it makes of it once.
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
