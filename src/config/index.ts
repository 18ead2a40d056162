/**
 * Settings of a process, read from its environment variables, and values derived from settings: addresses, connections,
 * keys in files, number of shards.
 */
export { connectionLine, connectionPlan } from './connections.js';
export { isLoopback, schemeOf } from './exposure.js';
export { type LoadedSettings, loadSettings, settingsSample } from './load-settings.js';
export { publicAddress, withoutSlash } from './public-address.js';
export { readKey } from './read-key.js';
export { type SettingName, type Settings, settings } from './settings.js';
export { shardCount } from './shard-count.js';
