/** Routes of voice messages and speech profiles. */
export { checkAudioLeft, withWorkCharged } from './charged-files.js';
export { voiceRoutes } from './routes.js';
