import { z } from 'zod';
import { suppliedBounds } from '../../service/conversations/index.js';
import {
  deleteProfile,
  getProfile,
  getUserSettings,
  profileBounds,
  putProfile,
  updateUserSettings,
  userBounds,
} from '../../service/records/index.js';
import { givenLanguage } from '../../wire/index.js';
import { firstParty } from '../access/index.js';
import { type Route, type RouteContext, route } from '../frame/index.js';
import { boolean, changeOf, dateTime, trimmed } from '../schemas/index.js';

const language = z
  .string()
  .trim()
  .max(suppliedBounds.language)
  .regex(givenLanguage, 'Input should be a language code such as en')
  .nullable();

const settingsPatch = changeOf(
  {
    name: trimmed(0, userBounds.name).nullable().optional(),
    language: language.optional(),
    single_language_mode: boolean.optional(),
    time_zone: trimmed(1, userBounds.timeZone)
      .nullable()
      .optional()
      .meta({ description: 'An IANA name such as `Europe/Berlin`.' }),
    voice_recognition: boolean.optional().meta({
      description:
        'false: no voice is compared, learned or enrolled; what is kept stays until it is deleted.',
    }),
    merge_devices: boolean.optional().meta({
      description:
        'true: conversations that two devices record at one place and time become one, with the words of the better stream.',
    }),
  },
  'name, language, single_language_mode, time_zone, voice_recognition, or merge_devices',
);

const settingsAnswer = z
  .object({
    name: z.string().nullable(),
    language: z.string().nullable(),
    single_language_mode: z.boolean(),
    time_zone: z.string(),
    voice_recognition: z.boolean(),
    merge_devices: z.boolean(),
  })
  .meta({ id: 'UserSettings' });

const exampleSettings = {
  name: 'Ann Example',
  language: 'en',
  single_language_mode: false,
  time_zone: 'Europe/Berlin',
  voice_recognition: true,
  merge_devices: false,
};

const profileBody = z.object({
  profile_text: trimmed(1, profileBounds.text),
  data_sources_used: z.array(trimmed(1, profileBounds.source)).max(profileBounds.sources).default([]),
  generated_at: dateTime.nullish().meta({ description: 'Now when absent.' }),
});

const profileAnswer = z
  .object({
    profile_text: z.string(),
    generated_at: z.iso.datetime(),
    data_sources_used: z.array(z.string()),
  })
  .meta({ id: 'UserProfile' });

const exampleProfile = {
  profile_text: 'Gardener who reads a lot.',
  generated_at: '2026-03-01T10:00:00Z',
  data_sources_used: ['memories'],
};

const getUserSettingsRoute = ({ sql }: RouteContext): Route =>
  route({
    method: 'GET',
    url: '/v1/users/settings',
    operationId: 'getUserSettings',
    tag: 'User',
    summary:
      'Name, language, single-language mode, time zone, voice recognition and merged devices of the user',
    access: firstParty,
    limits: ['own:read'],
    errors: ['record_not_found'],
    answer: settingsAnswer,
    example: { answer: exampleSettings },
    handle: ({ caller }) => getUserSettings(sql, caller.uid),
  });

const updateUserSettingsRoute = ({ sql }: RouteContext): Route =>
  route({
    method: 'PATCH',
    url: '/v1/users/settings',
    operationId: 'updateUserSettings',
    tag: 'User',
    summary: 'Change settings; absent fields stay as they are, null gives the default',
    access: firstParty,
    limits: ['own:write'],
    errors: ['record_not_found'],
    body: settingsPatch,
    answer: settingsAnswer,
    example: { body: { language: 'en', time_zone: 'Europe/Berlin' }, answer: exampleSettings },
    handle: ({ caller, body }) =>
      updateUserSettings(sql, caller.uid, {
        name: body.name,
        language: body.language,
        singleLanguageMode: body.single_language_mode,
        timeZone: body.time_zone,
        voiceRecognition: body.voice_recognition,
        mergeDevices: body.merge_devices,
      }),
  });

const putUserProfileRoute = ({ sql }: RouteContext): Route =>
  route({
    method: 'PUT',
    url: '/v1/users/profile',
    operationId: 'putUserProfile',
    tag: 'User',
    summary: 'Write the profile of the user in place of an earlier one',
    access: firstParty,
    limits: ['own:write'],
    body: profileBody,
    answer: profileAnswer,
    example: { body: exampleProfile, answer: exampleProfile },
    handle: ({ caller, body }) =>
      putProfile(sql, caller.uid, {
        text: body.profile_text,
        sources: body.data_sources_used,
        generatedAt: body.generated_at,
      }),
  });

const getUserProfileRoute = ({ sql }: RouteContext): Route =>
  route({
    method: 'GET',
    url: '/v1/users/profile',
    operationId: 'getUserProfile',
    tag: 'User',
    summary: 'The profile of the user',
    access: firstParty,
    limits: ['own:read'],
    errors: ['record_not_found'],
    answer: profileAnswer,
    example: { answer: exampleProfile },
    handle: ({ caller }) => getProfile(sql, caller.uid),
  });

const deleteUserProfileRoute = ({ sql }: RouteContext): Route =>
  route({
    method: 'DELETE',
    url: '/v1/users/profile',
    operationId: 'deleteUserProfile',
    tag: 'User',
    summary: 'Delete the profile of the user',
    access: firstParty,
    limits: ['own:write'],
    handle: ({ caller }) => deleteProfile(sql, caller.uid),
  });

/** What a user has set, and the profile that the own applications of a user keep. */
export const settingsRoutes = (context: RouteContext): readonly Route[] => [
  getUserSettingsRoute(context),
  updateUserSettingsRoute(context),
  putUserProfileRoute(context),
  getUserProfileRoute(context),
  deleteUserProfileRoute(context),
];
