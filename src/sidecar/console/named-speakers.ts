import { z } from 'zod';
import { namedBounds, nameSpeakerOf, undoNaming } from '../../service/corrections/index.js';
import { personBounds } from '../../wire/records/index.js';
import { type Route, type RouteContext, route } from '../frame/index.js';
import { idPath, trimmed } from '../schemas/index.js';
import { consoleWrites } from './shared-routes.js';

const longestId = 200;
const integer = z.int().min(-2_147_483_648).max(2_147_483_647);
const segmentId = z.string().max(longestId);

const person = z
  .union([z.literal('me'), z.object({ id: z.string() }), z.object({ name: trimmed(1, personBounds.name) })])
  .nullable()
  .meta({
    description:
      'The user (`me`), a person of the user, a name, or null for an unknown person. A new name adds a person.',
  });

const undo = z
  .array(
    z.object({
      is_user: z.boolean(),
      person_id: z.string().max(longestId).nullable(),
      by_user: z.boolean(),
      named_alone: z.boolean(),
      segments: z
        .record(segmentId, z.int().nonnegative())
        .meta({ description: 'Revisions after the change, by the ids of the segments.' }),
    }),
  )
  .max(namedBounds.segments)
  .refine(
    (groups) =>
      groups.reduce((sum, { segments }) => sum + Object.keys(segments).length, 0) <= namedBounds.segments,
    `undo should have at most ${namedBounds.segments} segments`,
  );

const exampleUndo = [
  {
    is_user: false,
    person_id: null,
    by_user: false,
    named_alone: false,
    segments: { 'b9c7a3e0-52e5-4d63-8b0b-7d3f9a1c2d10': 4 },
  },
];

const resource = { createdBy: 'createConversationFromSegments', foreign: 404 } as const;
const errors = ['conversation_not_found', 'locked', 'conversation_unfinished'] as const;

/** Returns the routes that name the speakers of a conversation. */
export const namedSpeakerRoutes = ({ sql }: RouteContext): readonly Route[] => [
  route({
    ...consoleWrites,
    method: 'POST',
    url: '/console/api/conversations/{id}/speakers',
    operationId: 'consoleNameSpeaker',
    tag: 'Conversations',
    summary: 'Name a speaker: all segments, or only some',
    description:
      'Without `segment_ids`, all segments of the speaker change, except those that were named alone. Automatic writes keep the speaker. `undo` and `added_person_id` of the answer are the body of the request that undoes the change.',
    resource,
    errors: [...errors, 'record_not_found', 'records_full'],
    path: idPath,
    body: z.object({
      speaker_id: integer,
      person,
      segment_ids: z.array(segmentId).min(1).max(namedBounds.segments).nullish(),
    }),
    answer: z.object({
      changed: z.int().meta({ description: 'Number of segments that have another speaker now.' }),
      is_user: z.boolean(),
      person_id: z.string().nullable(),
      added_person_id: z.string().nullable().meta({ description: 'The person that this request has added.' }),
      undo,
    }),
    example: {
      body: { speaker_id: 0, person: 'me' },
      answer: { changed: 1, is_user: true, person_id: null, added_person_id: null, undo: exampleUndo },
    },
    handle: async ({ caller, path, body: { speaker_id, person, segment_ids } }) => {
      const given = { speakerId: speaker_id, person, segmentIds: segment_ids ?? null };
      const { undo, ...named } = await nameSpeakerOf(sql, caller.uid, path.id, given);
      return { ...named, undo: [...undo] };
    },
  }),

  route({
    ...consoleWrites,
    method: 'POST',
    url: '/console/api/conversations/{id}/speakers/undo',
    operationId: 'consoleUndoSpeaker',
    tag: 'Conversations',
    summary: 'Undo the naming of a speaker',
    description:
      'Nothing is restored if a segment has changed since. The person that the naming added is removed if nothing else uses the person.',
    resource,
    errors: [...errors, 'segment_changed', 'record_not_found'],
    path: idPath,
    body: z.object({ undo, added_person_id: z.string().max(longestId).nullish() }),
    answer: z.object({ restored: z.int(), person_removed: z.boolean() }),
    example: { body: { undo: [] }, answer: { restored: 1, person_removed: false } },
    bodyLimit: 4_194_304,
    handle: ({ caller, path, body }) =>
      undoNaming(sql, caller.uid, path.id, body.undo, body.added_person_id ?? null),
  }),
];
