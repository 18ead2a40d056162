/** Builds the Fastify application of the sidecar: routes, health page, request log. */
export { startSidecar } from './start-sidecar.js';
