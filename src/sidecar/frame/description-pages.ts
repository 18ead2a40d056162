import swagger from '@fastify/swagger';
import swaggerUi from '@fastify/swagger-ui';
import type { FastifyInstance } from 'fastify';
import type { Settings } from '../../config/index.js';
import { publicAddress } from '../../identity/index.js';
import { describeApi } from './description.js';
import type { Route } from './route.js';

/**
 * Serves the OpenAPI document at `/openapi.json`, and a page that shows it at `/docs`. The page loads nothing from elsewhere and
 * works under a policy that forbids inline scripts.
 */
export const installDescription = async (
  app: FastifyInstance,
  routes: readonly Route[],
  settings: Settings,
): Promise<void> => {
  const document = describeApi(routes, publicAddress(settings));
  await app.register(swagger, {
    mode: 'static',
    specification: { document: document as never },
  });
  const text = JSON.stringify(document);
  app.get('/openapi.json', { exposeHeadRoute: true }, (_request, reply) =>
    reply.header('content-type', 'application/json; charset=utf-8').send(text),
  );
  await app.register(swaggerUi, {
    routePrefix: '/docs',
    staticCSP:
      "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; frame-ancestors 'none'; base-uri 'none'; form-action 'none'",
    uiConfig: { deepLinking: true, supportedSubmitMethods: ['get', 'post', 'put', 'patch', 'delete'] },
  });
};
