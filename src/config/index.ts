/** Settings of a process, read from its environment. */
export { connectionLine, connectionPlan } from './connections.js';
export { isLoopback, schemeOf } from './exposure.js';
export { type LoadedSettings, loadSettings, settingsSample } from './load-settings.js';
export { type SettingName, type Settings, settings } from './settings.js';
export { shardCount } from './shard-count.js';
