import { z } from 'zod';
import { suppliedBounds } from '../../service/conversations/index.js';
import {
  deleteProfile,
  getProfile,
  getUserSettings,
  putProfile,
  updateUserSettings,
} from '../../service/records/index.js';
import { givenLanguage, keywordBounds } from '../../wire/index.js';
import { profileRecord, userLanguageBounds, userSettingsRecord } from '../../wire/records/index.js';
import { ownData } from '../access/index.js';
import { type Route, type RouteContext, route } from '../frame/index.js';
import { changeBody, creationShape, shownShape, trimmed } from '../schemas/index.js';

const language = z
  .string()
  .trim()
  .max(suppliedBounds.language)
  .regex(givenLanguage, 'Input should be a language code such as en');

const languages = z
  .array(
    z
      .string()
      .trim()
      .min(1)
      .max(userLanguageBounds.code)
      .regex(givenLanguage, 'Input should be a language code such as en'),
  )
  .max(userLanguageBounds.languages);

/** Unlike in other lists, a word may be blank, because the service drops blank words. */
const words = z.array(trimmed(0, keywordBounds.length)).max(keywordBounds.words);

const settingsPatch = changeBody(userSettingsRecord, { language, languages, custom_words: words });
const settingsAnswer = z.object(shownShape(userSettingsRecord, 'developer')).meta({ id: 'UserSettings' });

const exampleSettings = {
  name: 'Ann Example',
  language: 'en',
  languages: ['en', 'fr'],
  single_language_mode: false,
  time_zone: 'Europe/Berlin',
  voice_recognition: true,
  merge_devices: false,
  custom_words: ['Nadia Okafor', 'Kubernetes'],
};

const profileBody = z.object(creationShape(profileRecord));
const profileAnswer = z.object(shownShape(profileRecord, 'developer')).meta({ id: 'UserProfile' });

const exampleProfile = {
  profile_text: 'Gardener who reads a lot.',
  generated_at: '2026-03-01T10:00:00Z',
  data_sources_used: ['memories'],
};

const settings = {
  tag: 'User',
  url: '/v1/users/settings',
  errors: ['record_not_found'],
  answer: settingsAnswer,
} as const;
const profile = { tag: 'User', url: '/v1/users/profile' } as const;

/** Returns the routes for a user's settings, and for the profile that the user's own applications store. */
export const settingsRoutes = ({ sql }: RouteContext): readonly Route[] => [
  route({
    ...settings,
    ...ownData.read,
    method: 'GET',
    operationId: 'getUserSettings',
    summary:
      'Name, language, spoken languages, single-language mode, time zone, voice recognition, merged devices and custom words of the user',
    example: { answer: exampleSettings },
    handle: ({ caller }) => getUserSettings(sql, caller.uid),
  }),

  route({
    ...settings,
    ...ownData.write,
    method: 'PATCH',
    operationId: 'updateUserSettings',
    summary: 'Change settings. Absent fields are not changed; null resets to the default',
    body: settingsPatch,
    example: { body: { language: 'en', time_zone: 'Europe/Berlin' }, answer: exampleSettings },
    handle: ({ caller, body }) => updateUserSettings(sql, caller.uid, body),
  }),

  route({
    ...profile,
    ...ownData.write,
    method: 'PUT',
    operationId: 'putUserProfile',
    summary: 'Write the profile of the user. It replaces an earlier profile',
    body: profileBody,
    answer: profileAnswer,
    example: { body: exampleProfile, answer: exampleProfile },
    handle: ({ caller, body }) => putProfile(sql, caller.uid, body),
  }),

  route({
    ...profile,
    ...ownData.read,
    method: 'GET',
    operationId: 'getUserProfile',
    summary: 'The profile of the user',
    errors: ['record_not_found'],
    answer: profileAnswer,
    example: { answer: exampleProfile },
    handle: ({ caller }) => getProfile(sql, caller.uid),
  }),

  route({
    ...profile,
    ...ownData.write,
    method: 'DELETE',
    operationId: 'deleteUserProfile',
    summary: 'Delete the profile of the user',
    handle: ({ caller }) => deleteProfile(sql, caller.uid),
  }),
];
