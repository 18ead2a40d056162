/** Settings with lists as values: OAuth clients, upstream providers, steps of a model. */
export { describesPhotos, type ModelStep, modelSteps, parseStepModels } from './model-steps.js';
export { type OauthClient, parseOauthClients } from './oauth-clients.js';
export { oauthPresetNames, oauthPresets } from './oauth-presets.js';
export { isLocal, loopbackAddress, privateScheme } from './redirect-addresses.js';
export { parseUpstreamProviders, type UpstreamProvider } from './upstream-providers.js';
