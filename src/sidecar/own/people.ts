import { z } from 'zod';
import {
  createPerson,
  deletePerson,
  deletePersonVoice,
  getPerson,
  listPeople,
  updatePerson,
} from '../../service/records/index.js';
import { personBounds } from '../../wire/records/index.js';
import { deletion, type Route, type RouteContext, resourceRoutes, route } from '../frame/index.js';
import { pageHeaders, pageQuery, sendPage, sessionField, trimmed } from '../schemas/index.js';
import { ownData } from './own-data.js';

const name = trimmed(1, personBounds.name);
const newPerson = z.object({ name, ...sessionField });

const personAnswer = z
  .object({
    id: z.string(),
    name: z.string(),
    created_at: z.iso.datetime(),
    updated_at: z.iso.datetime(),
    voice_samples: z
      .int32()
      .meta({ description: 'How many recordings of the voice are kept, by which the person is recognised.' }),
  })
  .meta({ id: 'Person' });

const example = {
  id: '0198a4f3-2e3f-7041-9b52-6c7d8e9f0a12',
  name: 'Ben',
  created_at: '2026-03-01T10:00:00Z',
  updated_at: '2026-03-01T10:00:00Z',
  voice_samples: 0,
};
const people = resourceRoutes({
  ...ownData,
  tag: 'People',
  url: '/v1/users/people',
  one: 'Person',
  answer: personAnswer,
  example,
});

/** People whom a user knows; segments with the id of one are shown with that name. */
export const peopleRoutes = ({ sql }: RouteContext): readonly Route[] => [
  route({
    ...people.reading,
    method: 'GET',
    operationId: 'listPeople',
    summary: 'People, those known longest first',
    query: z.object(pageQuery(100, personBounds.page)),
    answer: z.array(personAnswer),
    answerHeaders: pageHeaders,
    example: { answer: [example] },
    handle: async ({ caller, query, reply }) => sendPage(reply, await listPeople(sql, caller.uid, query)),
  }),

  people.create({
    summary: 'Add a person',
    body: newPerson,
    example: { body: { name: 'Ben' } },
    create: (uid, person, key) => createPerson(sql, uid, person, key),
  }),

  people.get('One person', (uid, id) => getPerson(sql, uid, id)),

  people.update({
    summary: 'Rename a person',
    body: z.object({ name }),
    example: { body: { name: 'Benjamin' }, answer: { ...example, name: 'Benjamin' } },
    update: (uid, id, person) => updatePerson(sql, uid, id, person),
  }),

  people.remove({
    summary: 'Delete a person; what the person said stays',
    remove: (uid, id) => deletePerson(sql, uid, id),
  }),

  deletion({
    ...people.writing,
    ...people.named,
    url: '/v1/users/people/{id}/voice',
    operationId: 'deletePersonVoice',
    summary: 'Delete what is kept of the voice of a person; the person stays',
    remove: ({ caller, path }) => deletePersonVoice(sql, caller.uid, path.id),
  }),
];
