/**
 * Arguments and options of commands, the request fields that they set, and the call of a command's action with a
 * session.
 */
export { type Acting, actingWith } from './acting.js';
export {
  anyNumber,
  type CreateOptions,
  collected,
  dateArgument,
  type ListOptions,
  recordId,
  sinceArgument,
  wholeNumber,
  withCreateOptions,
  withListOptions,
  withYes,
} from './arguments.js';
export { argumentOf, fieldSettings } from './field-settings.js';
export {
  categoriesSetting,
  type Fields,
  fieldsSet,
  type GivenOptions,
  periodSettings,
  type Setting,
  setting,
  withSettings,
} from './settings.js';
