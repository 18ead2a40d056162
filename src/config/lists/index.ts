/**
 * Settings with lists as values: servers of the bus, OAuth clients, upstream sign-in providers, models of pipeline
 * steps.
 */
export { type BusServer, busNameRule, isBusName, parseBusName, parseBusServers } from './bus-servers.js';
export { describesPhotos, type ModelStep, modelSteps, parseStepModels } from './model-steps.js';
export { type OauthClient, parseOauthClients } from './oauth-clients.js';
export { oauthPresetNames, oauthPresets } from './oauth-presets.js';
export { isLocal, loopbackAddress, privateScheme } from './redirect-addresses.js';
export { parseUpstreamProviders, type UpstreamProvider } from './upstream-providers.js';
