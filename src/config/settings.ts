import type { z } from 'zod';
import {
  accountsSettings,
  addressesSettings,
  busSettings,
  conversationsSettings,
  databaseSettings,
  frontSettings,
  gateSettings,
  hostedProvidersSettings,
  identitySettings,
  languageModelSettings,
  photoSettings,
  placesSettings,
  processesSettings,
  recordingsSettings,
  retainedSettings,
  searchSettings,
  shardsSettings,
  sidecarSettings,
  speechToTextSettings,
  translationSettings,
  voiceMessageSettings,
} from './settings/index.js';

/**
 * All settings of the product, in the order in which commands print them. `deploy/cochlea.env.sample` is generated from
 * this table, and a test compares the file with the table.
 */
export const settings = {
  ...addressesSettings,
  ...placesSettings,
  ...processesSettings,
  ...identitySettings,
  ...accountsSettings,
  ...databaseSettings,
  ...busSettings,
  ...frontSettings,
  ...shardsSettings,
  ...gateSettings,
  ...speechToTextSettings,
  ...hostedProvidersSettings,
  ...retainedSettings,
  ...recordingsSettings,
  ...photoSettings,
  ...voiceMessageSettings,
  ...conversationsSettings,
  ...languageModelSettings,
  ...translationSettings,
  ...searchSettings,
  ...sidecarSettings,
} as const;

export type SettingName = keyof typeof settings;
export type Settings = { readonly [Name in SettingName]: z.output<(typeof settings)[Name]['schema']> };
