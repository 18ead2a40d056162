import { z } from 'zod';
import {
  createMemories,
  deleteMemory,
  getMemory,
  listMemories,
  memoryCapacity,
  memoryCreation,
  updateMemory,
} from '../../service/records/index.js';
import { developerKey } from '../access/index.js';
import { deletion, type Route, type RouteContext, route } from '../frame/index.js';
import { creationKey, idempotencyHeaders, idPath, pageHeaders, sendPage } from '../schemas/index.js';
import {
  exampleMemory,
  memoriesAnswer,
  memoriesBody,
  memoriesQuery,
  memoryAnswer,
  memoryBody,
  memoryPatch,
} from './memories-schema.js';

const surface = 'developer';
const body = { content: 'Prefers the early train', category: 'habits', tags: ['travel'] };
const resource = { createdBy: 'createMemory', foreign: 404 } as const;

const listMemoriesRoute = ({ sql }: RouteContext): Route =>
  route({
    method: 'GET',
    url: '/v1/dev/user/memories',
    operationId: 'listMemories',
    tag: 'Memories',
    summary: 'Memories: manual ones first, then by group of categories, then the newest',
    access: developerKey('memories:read'),
    limits: ['dev:memories_read'],
    errors: ['bad_request'],
    query: memoriesQuery,
    answer: z.array(memoryAnswer),
    inParts: true,
    answerHeaders: pageHeaders,
    example: { query: { limit: '10', categories: 'habits,work' }, answer: [exampleMemory] },
    handle: async ({ caller, query, reply }) =>
      sendPage(reply, await listMemories(sql, caller.uid, surface, query)),
  });

const createMemoryRoute = ({ sql }: RouteContext, capacity: ReturnType<typeof memoryCapacity>): Route =>
  route({
    method: 'POST',
    url: '/v1/dev/user/memories',
    operationId: 'createMemory',
    tag: 'Memories',
    summary: 'Create a memory',
    access: developerKey('memories:write'),
    limits: ['dev:memories'],
    errors: ['records_full', 'idempotency_conflict', 'idempotency_gone'],
    headers: idempotencyHeaders,
    body: memoryBody,
    answer: memoryAnswer,
    example: { body, answer: exampleMemory },
    admits: true,
    handle: async ({ headers, body: { client_session_id, ...memory }, admit }) => {
      const key = creationKey(headers, { client_session_id });
      const { result } = await admit(
        (uid) => (key === null ? memoryCreation(uid, surface, memory, capacity) : null),
        ({ uid }) => createMemories(sql, uid, surface, [memory], key).then(([created]) => created!),
      );
      return result;
    },
  });

const createMemoriesBatchRoute = ({ sql }: RouteContext): Route =>
  route({
    method: 'POST',
    url: '/v1/dev/user/memories/batch',
    operationId: 'createMemoriesBatch',
    tag: 'Memories',
    summary: 'Create several memories, all of them or none',
    access: developerKey('memories:write'),
    limits: ['dev:memories_batch'],
    errors: ['records_full', 'idempotency_conflict', 'idempotency_gone'],
    headers: idempotencyHeaders,
    body: memoriesBody,
    answer: memoriesAnswer,
    example: {
      body: { memories: [body] },
      answer: { memories: [exampleMemory], created_count: 1 },
    },
    handle: async ({ caller, headers, body: given }) => {
      const key = creationKey(headers, given);
      const memories = await createMemories(sql, caller.uid, surface, given.memories, key);
      return { memories, created_count: memories.length };
    },
  });

const getMemoryRoute = ({ sql }: RouteContext): Route =>
  route({
    method: 'GET',
    url: '/v1/dev/user/memories/{id}',
    operationId: 'getMemory',
    tag: 'Memories',
    summary: 'One memory',
    access: developerKey('memories:read'),
    limits: ['dev:memories_read'],
    errors: ['record_not_found'],
    resource,
    path: idPath,
    answer: memoryAnswer,
    example: { answer: exampleMemory },
    handle: ({ caller, path }) => getMemory(sql, caller.uid, surface, path.id),
  });

const updateMemoryRoute = ({ sql }: RouteContext): Route =>
  route({
    method: 'PATCH',
    url: '/v1/dev/user/memories/{id}',
    operationId: 'updateMemory',
    tag: 'Memories',
    summary: 'Change a memory; absent fields stay as they are',
    access: developerKey('memories:write'),
    limits: ['dev:memories'],
    errors: ['record_not_found', 'locked'],
    resource,
    path: idPath,
    body: memoryPatch,
    answer: memoryAnswer,
    example: { body: { content: 'Prefers the late train' }, answer: { ...exampleMemory, edited: true } },
    handle: ({ caller, path, body: patch }) => updateMemory(sql, caller.uid, surface, path.id, patch),
  });

const deleteMemoryRoute = ({ sql }: RouteContext): Route =>
  deletion({
    url: '/v1/dev/user/memories/{id}',
    operationId: 'deleteMemory',
    tag: 'Memories',
    summary: 'Delete a memory for good',
    access: developerKey('memories:write'),
    limits: ['dev:memories'],
    errors: ['record_not_found', 'locked'],
    resource,
    remove: ({ caller, path }) => deleteMemory(sql, caller.uid, path.id),
  });

/** Memories of the developer API. */
export const memoryRoutes = (context: RouteContext, capacity = memoryCapacity()): readonly Route[] => [
  listMemoriesRoute(context),
  createMemoryRoute(context, capacity),
  createMemoriesBatchRoute(context),
  getMemoryRoute(context),
  updateMemoryRoute(context),
  deleteMemoryRoute(context),
];
