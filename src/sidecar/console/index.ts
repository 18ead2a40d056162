/** The interface of the console: sessions of browsers, and the routes of REST that its pages use. */
export { leadToConsole } from './first-address.js';
export { installConsolePages } from './pages.js';
export { consoleRoutes } from './routes.js';
export { signInWay } from './sign-in-ways.js';
