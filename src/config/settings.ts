import type { z } from 'zod';
import { accountsSettings } from './settings/accounts.js';
import { addressesSettings } from './settings/addresses.js';
import { conversationsSettings } from './settings/conversations.js';
import { databaseSettings } from './settings/database.js';
import { frontSettings } from './settings/front.js';
import { gateSettings } from './settings/gate.js';
import { hostedProvidersSettings } from './settings/hosted-providers.js';
import { identitySettings } from './settings/identity.js';
import { languageModelSettings } from './settings/language-model.js';
import { photoSettings } from './settings/photos.js';
import { placesSettings } from './settings/places.js';
import { processesSettings } from './settings/processes.js';
import { recordingsSettings } from './settings/recordings.js';
import { retainedSettings } from './settings/retained.js';
import { searchSettings } from './settings/search.js';
import { shardsSettings } from './settings/shards.js';
import { sidecarSettings } from './settings/sidecar.js';
import { speechToTextSettings } from './settings/speech-to-text.js';
import { translationSettings } from './settings/translation.js';
import { voiceMessageSettings } from './settings/voice-messages.js';

export type { Setting } from './settings/setting.js';

/**
 * Every setting of the product, in the order in which they are printed. `deploy/cochlea.env.sample` is generated from this
 * table and a test keeps it equal.
 */
export const settings = {
  ...addressesSettings,
  ...placesSettings,
  ...processesSettings,
  ...identitySettings,
  ...accountsSettings,
  ...databaseSettings,
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
