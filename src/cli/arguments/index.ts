/** Arguments and options of the commands, the fields they set, and the session of a command. */
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
