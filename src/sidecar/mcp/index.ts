/** The tool server: transports, sessions, REST form. */
export { grantRoutes } from './grants.js';
export { assistantProfileRoutes } from './profile.js';
export { assistantRestRoutes } from './rest.js';
export { toolServerRoutes } from './transport.js';
