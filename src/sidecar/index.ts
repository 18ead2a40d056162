/** Builds the Fastify app: routes, health and the request log. */
export { startSidecar } from './start-sidecar.js';
