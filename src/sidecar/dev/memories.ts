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
import { deletion, type Route, type RouteContext, recordHeads, route } from '../frame/index.js';
import { creationKey, sendPage } from '../schemas/index.js';
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
const heads = recordHeads({
  url: '/v1/dev/user/memories',
  tag: 'Memories',
  one: 'Memory',
  many: 'Memories',
  read: { access: developerKey('memories:read'), limits: ['dev:memories_read'] },
  write: { access: developerKey('memories:write'), limits: ['dev:memories'] },
  answer: memoryAnswer,
});

const listMemoriesRoute = ({ sql }: RouteContext): Route =>
  route({
    ...heads.list,
    summary: 'Memories: manual ones first, then by group of categories, then the newest',
    errors: ['bad_request'],
    query: memoriesQuery,
    inParts: true,
    example: { query: { limit: '10', categories: 'habits,work' }, answer: [exampleMemory] },
    handle: async ({ caller, query, reply }) =>
      sendPage(reply, await listMemories(sql, caller.uid, surface, query)),
  });

const createMemoryRoute = ({ sql }: RouteContext, capacity: ReturnType<typeof memoryCapacity>): Route =>
  route({
    ...heads.create,
    summary: 'Create a memory',
    body: memoryBody,
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
    ...heads.createBatch,
    summary: 'Create several memories, all or none',
    limits: ['dev:memories_batch'],
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
    ...heads.get,
    summary: 'One memory',
    example: { answer: exampleMemory },
    handle: ({ caller, path }) => getMemory(sql, caller.uid, surface, path.id),
  });

const updateMemoryRoute = ({ sql }: RouteContext): Route =>
  route({
    ...heads.update,
    summary: 'Change a memory; absent fields stay as they are',
    errors: ['record_not_found', 'locked'],
    body: memoryPatch,
    example: { body: { content: 'Prefers the late train' }, answer: { ...exampleMemory, edited: true } },
    handle: ({ caller, path, body: patch }) => updateMemory(sql, caller.uid, surface, path.id, patch),
  });

const deleteMemoryRoute = ({ sql }: RouteContext): Route =>
  deletion({
    ...heads.remove,
    summary: 'Delete a memory permanently',
    errors: ['record_not_found', 'locked'],
    remove: ({ caller, path }) => deleteMemory(sql, caller.uid, path.id),
  });

/** Returns the routes of the developer API for memories. */
export const memoryRoutes = (context: RouteContext, capacity = memoryCapacity()): readonly Route[] => [
  listMemoriesRoute(context),
  createMemoryRoute(context, capacity),
  createMemoriesBatchRoute(context),
  getMemoryRoute(context),
  updateMemoryRoute(context),
  deleteMemoryRoute(context),
];
