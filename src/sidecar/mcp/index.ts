/** The tool server for assistants: transports, sessions, and the same tools as REST. */
export { grantRoutes } from './grants.js';
export { assistantProfileRoutes } from './profile.js';
export { assistantRestRoutes } from './rest.js';
export { toolServerRoutes } from './transport.js';
