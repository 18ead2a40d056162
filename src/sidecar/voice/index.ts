/** Routes of voice messages and speech profiles. */
export { voiceRoutes } from './routes.js';
