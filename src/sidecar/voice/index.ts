export { voiceRoutes } from './routes.js';
