import { z } from 'zod';
import type { FromSegments } from '../../service/index.js';
import { boolean, dateTime, integer, number, trimmed } from '../fields.js';

const mostSegments = 500;

const segment = z
  .object({
    text: z.string(),
    start: number,
    end: number,
    speaker: z.string().nullish(),
    speaker_id: integer.nullish(),
    is_user: boolean.default(false),
    person_id: z.string().nullish(),
  })
  .meta({ id: 'TranscriptSegmentInput' });

const geolocation = z
  .object({
    latitude: number,
    longitude: number,
    address: z.string().nullish(),
    google_place_id: z.string().nullish(),
    location_type: z.string().nullish(),
  })
  .meta({ id: 'GeolocationInput', description: 'Impossible coordinates are dropped.' });

/** Names of the session's field; older clients use others. The first that is present counts. */
const sessionNames = ['client_session_id', 'client_conversation_id', 'session_id', 'client_id'];

const withSession = (body: unknown): unknown => {
  if (typeof body !== 'object' || body === null || Array.isArray(body)) return body;
  const given = body as Record<string, unknown>;
  const name = sessionNames.find((candidate) => given[candidate] !== undefined && given[candidate] !== null);
  return { ...given, client_session_id: name === undefined ? null : given[name] };
};

/** Converts the body of from-segments (CreateConversationFromTranscriptRequest) to the service's request. */
export const fromSegmentsBody = z.preprocess(
  withSession,
  z
    .object({
      transcript_segments: z.array(segment).min(1).max(mostSegments),
      source: z.string().nullish(),
      started_at: dateTime.nullish(),
      finished_at: dateTime.nullish(),
      language: z.string().nullish(),
      geolocation: geolocation.nullish(),
      client_session_id: trimmed(1, 200).nullish(),
      client_device_id: z.string().nullish(),
      client_platform: z.string().nullish(),
    })
    .meta({ id: 'CreateConversationFromTranscriptRequest' })
    .transform(
      (body): FromSegments => ({
        segments: body.transcript_segments.map((given) => ({
          text: given.text,
          start: given.start,
          end: given.end,
          speaker: given.speaker,
          speakerId: given.speaker_id,
          isUser: given.is_user,
          personId: given.person_id,
        })),
        source: body.source,
        startedAt: body.started_at,
        finishedAt: body.finished_at,
        language: body.language,
        geolocation: body.geolocation && {
          latitude: body.geolocation.latitude,
          longitude: body.geolocation.longitude,
          address: body.geolocation.address ?? null,
          google_place_id: body.geolocation.google_place_id ?? null,
          location_type: body.geolocation.location_type ?? null,
        },
        clientSessionId: body.client_session_id,
        clientDeviceId: body.client_device_id,
        clientPlatform: body.client_platform,
      }),
    ),
);
