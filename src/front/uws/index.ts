/** The listener that uses the library uWebSockets.js. */
export { createUwsApp } from './app.js';
export { describeRefused, isLoaded, loadUws, type RefusedBuild, type UwsBuild, uwsBuilds } from './build.js';
