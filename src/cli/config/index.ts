/** The configuration file of `cochlea-user`: profiles, base address, keys. */
export { developerKey } from './api-key.js';
export { baseAddress, isExposed } from './base-address.js';
export {
  type Config,
  isProfileName,
  type Profile,
  profileOf,
  usualBase,
  usualProfile,
  withoutCredential,
} from './config.js';
export { changeConfig, readConfig } from './config-file.js';
export { configPath } from './path.js';
