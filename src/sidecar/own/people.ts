import { z } from 'zod';
import {
  createPerson,
  deletePerson,
  deletePersonVoice,
  getPerson,
  listPeople,
  updatePerson,
} from '../../service/records/index.js';
import { personBounds, personRecord } from '../../wire/records/index.js';
import { ownData } from '../access/index.js';
import { deletion, type Route, type RouteContext, recordHeads, route } from '../frame/index.js';
import {
  creationKey,
  creationShape,
  pageQuery,
  sendPage,
  sessionField,
  shownShape,
} from '../schemas/index.js';

/** Body of a request that changes a person. Like the body for a new person (`newPerson`), it must contain the name. */
const person = z.object(creationShape(personRecord));
const newPerson = person.extend(sessionField);
const personAnswer = z
  .object(shownShape(personRecord, 'developer', { voice_samples: z.int32() }))
  .meta({ id: 'Person' });

const example = {
  id: '0198a4f3-2e3f-7041-9b52-6c7d8e9f0a12',
  name: 'Ben',
  created_at: '2026-03-01T10:00:00Z',
  updated_at: '2026-03-01T10:00:00Z',
  voice_samples: 0,
};
const heads = recordHeads({
  ...ownData,
  tag: 'People',
  url: '/v1/users/people',
  one: 'Person',
  many: 'People',
  answer: personAnswer,
});

/** Returns the routes for the people that a user knows. Segments with a person's id show the person's name. */
export const peopleRoutes = ({ sql }: RouteContext): readonly Route[] => [
  route({
    ...heads.list,
    summary: 'People, oldest record first',
    query: z.object(pageQuery(100, personBounds.page)),
    example: { answer: [example] },
    handle: async ({ caller, query, reply }) => sendPage(reply, await listPeople(sql, caller.uid, query)),
  }),

  route({
    ...heads.create,
    summary: 'Add a person',
    body: newPerson,
    example: { body: { name: 'Ben' }, answer: example },
    handle: ({ caller, headers, body: { client_session_id, ...given } }) =>
      createPerson(sql, caller.uid, given, creationKey(headers, { client_session_id })),
  }),

  route({
    ...heads.get,
    summary: 'One person',
    example: { answer: example },
    handle: ({ caller, path }) => getPerson(sql, caller.uid, path.id),
  }),

  route({
    ...heads.update,
    summary: 'Rename a person',
    body: person,
    example: { body: { name: 'Benjamin' }, answer: { ...example, name: 'Benjamin' } },
    handle: ({ caller, path, body: given }) => updatePerson(sql, caller.uid, path.id, given),
  }),

  deletion({
    ...heads.remove,
    summary: "Delete a person. The person's speech stays in transcripts",
    remove: ({ caller, path }) => deletePerson(sql, caller.uid, path.id),
  }),

  deletion({
    ...heads.remove,
    url: '/v1/users/people/{id}/voice',
    operationId: 'deletePersonVoice',
    summary: 'Delete the voice data of a person. The person stays',
    remove: ({ caller, path }) => deletePersonVoice(sql, caller.uid, path.id),
  }),
];
