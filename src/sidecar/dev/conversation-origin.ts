import { z } from 'zod';
import { suppliedBounds } from '../../service/conversations/index.js';
import { givenLanguage } from '../../wire/index.js';
import { dateTime, number, trimmed } from '../schemas/index.js';

/** Returns the schema of a text with at most `most` code points. Blank text is allowed. */
export const bounded = (most: number) => trimmed(0, most);

const geolocation = z
  .object({
    latitude: number,
    longitude: number,
    address: bounded(suppliedBounds.place).nullish(),
    google_place_id: bounded(suppliedBounds.place).nullish(),
    location_type: bounded(suppliedBounds.place).nullish(),
  })
  .meta({ id: 'GeolocationInput', description: 'Impossible coordinates are dropped.' });

/** Fields of a supplied conversation in addition to its content. */
export const originFields = {
  started_at: dateTime.nullish(),
  finished_at: dateTime.nullish(),
  language: z
    .string()
    .trim()
    .max(suppliedBounds.language)
    .regex(givenLanguage, 'Input should be a language code such as en')
    .nullish()
    .meta({ description: '`en` when absent or empty; `multi` or `auto` for automatic detection.' }),
  geolocation: geolocation.nullish(),
  client_session_id: trimmed(1, suppliedBounds.id)
    .nullish()
    .meta({ description: 'A request repeated with the same value makes only one conversation.' }),
  client_device_id: bounded(suppliedBounds.id).nullish(),
  client_platform: bounded(suppliedBounds.platform).nullish(),
};

/** Names of the session field. Older clients use the names after the first. The first name with a value counts. */
const sessionNames = ['client_session_id', 'client_conversation_id', 'session_id', 'client_id'];

/** Renames the session field of a body to the first of `sessionNames`. */
export const withSession = (body: unknown): unknown => {
  if (typeof body !== 'object' || body === null || Array.isArray(body)) return body;
  const given = body as Record<string, unknown>;
  const name = sessionNames.find((candidate) => given[candidate] !== undefined && given[candidate] !== null);
  return { ...given, client_session_id: name === undefined ? null : given[name] };
};
