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
import { firstParty } from '../access/index.js';
import { deletion, type Route, type RouteContext, route } from '../frame/index.js';
import {
  creationKey,
  idempotencyHeaders,
  idPath,
  pageHeaders,
  pageQuery,
  sendPage,
  sessionField,
  trimmed,
} from '../schemas/index.js';

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
const resource = { createdBy: 'createPerson', foreign: 404 } as const;

const listPeopleRoute = ({ sql }: RouteContext): Route =>
  route({
    method: 'GET',
    url: '/v1/users/people',
    operationId: 'listPeople',
    tag: 'People',
    summary: 'People, those known longest first',
    access: firstParty,
    limits: ['own:read'],
    query: z.object(pageQuery(100, personBounds.page)),
    answer: z.array(personAnswer),
    answerHeaders: pageHeaders,
    example: { answer: [example] },
    handle: async ({ caller, query, reply }) => sendPage(reply, await listPeople(sql, caller.uid, query)),
  });

const createPersonRoute = ({ sql }: RouteContext): Route =>
  route({
    method: 'POST',
    url: '/v1/users/people',
    operationId: 'createPerson',
    tag: 'People',
    summary: 'Add a person',
    access: firstParty,
    limits: ['own:write'],
    errors: ['records_full', 'idempotency_conflict', 'idempotency_gone'],
    headers: idempotencyHeaders,
    body: newPerson,
    answer: personAnswer,
    example: { body: { name: 'Ben' }, answer: example },
    handle: ({ caller, headers, body }) =>
      createPerson(sql, caller.uid, { name: body.name }, creationKey(headers, body)),
  });

const getPersonRoute = ({ sql }: RouteContext): Route =>
  route({
    method: 'GET',
    url: '/v1/users/people/{id}',
    operationId: 'getPerson',
    tag: 'People',
    summary: 'One person',
    access: firstParty,
    limits: ['own:read'],
    errors: ['record_not_found'],
    resource,
    path: idPath,
    answer: personAnswer,
    example: { answer: example },
    handle: ({ caller, path }) => getPerson(sql, caller.uid, path.id),
  });

const updatePersonRoute = ({ sql }: RouteContext): Route =>
  route({
    method: 'PATCH',
    url: '/v1/users/people/{id}',
    operationId: 'updatePerson',
    tag: 'People',
    summary: 'Rename a person',
    access: firstParty,
    limits: ['own:write'],
    errors: ['record_not_found'],
    resource,
    path: idPath,
    body: z.object({ name }),
    answer: personAnswer,
    example: { body: { name: 'Benjamin' }, answer: { ...example, name: 'Benjamin' } },
    handle: ({ caller, path, body }) => updatePerson(sql, caller.uid, path.id, body),
  });

const deletePersonRoute = ({ sql }: RouteContext): Route =>
  deletion({
    url: '/v1/users/people/{id}',
    operationId: 'deletePerson',
    tag: 'People',
    summary: 'Delete a person; what the person said stays',
    access: firstParty,
    limits: ['own:write'],
    errors: ['record_not_found'],
    resource,
    remove: ({ caller, path }) => deletePerson(sql, caller.uid, path.id),
  });

const deletePersonVoiceRoute = ({ sql }: RouteContext): Route =>
  deletion({
    url: '/v1/users/people/{id}/voice',
    operationId: 'deletePersonVoice',
    tag: 'People',
    summary: 'Delete what is kept of the voice of a person; the person stays',
    access: firstParty,
    limits: ['own:write'],
    errors: ['record_not_found'],
    resource,
    remove: ({ caller, path }) => deletePersonVoice(sql, caller.uid, path.id),
  });

/** People whom a user knows; segments with the id of one are shown with that name. */
export const peopleRoutes = (context: RouteContext): readonly Route[] => [
  listPeopleRoute(context),
  createPersonRoute(context),
  getPersonRoute(context),
  updatePersonRoute(context),
  deletePersonRoute(context),
  deletePersonVoiceRoute(context),
];
