/** Composes the Fastify app: routes, health, log of requests. */
export { startSidecar } from './start-sidecar.js';
