import { z } from 'zod';
import { timesOf } from '../../../service/days/index.js';
import {
  createMemories,
  deleteMemory,
  searchMemories,
  selectMemories,
  updateMemory,
} from '../../../service/records/index.js';
import { memorySorts } from '../../../store/records/index.js';
import { memoryRecord, toolMemoryCategories } from '../../../wire/records/index.js';
import {
  choice,
  choices,
  flag,
  flagOr,
  id,
  limit,
  memory,
  offset,
  query,
  recordArguments,
  relevance,
  since,
  success,
  type Tool,
  type ToolContext,
  type ToolGroup,
  tool,
} from '../toolkit/index.js';

const reads = { scopes: ['memories.read'], effect: 'read' } as const;
const created = recordArguments(memoryRecord, 'create', {
  category: (meaning) => choice(toolMemoryCategories, meaning),
});

const getMemoriesTool = ({ sql }: ToolContext): Tool =>
  tool({
    name: 'get_memories',
    title: 'List memories',
    description:
      'Facts, preferences and insights about the user, newest first. Use search_memories to look for something.',
    ...reads,
    input: z.object({
      categories: choices(toolMemoryCategories, 'Only memories of these categories'),
      limit: limit(100, 500),
      offset,
      sort: choice(memorySorts, 'Order of the list; created_desc unless given'),
      reviewed: flag('Only memories that the user reviewed (true) or did not review (false)'),
      manually_added: flag('Only memories that the user added (true) or did not add (false)'),
      updated_after: since('Only memories that were changed after this moment (ISO 8601)'),
      include_activity: flagOr(false, 'Also memories about screen activity'),
      include_sensitive: flagOr(true, 'Also memories that are tagged as sensitive'),
    }),
    output: z.object({
      memories: z.array(memory),
      returned_count: z.number().int(),
      has_more: z.boolean(),
      offset: z.number().int(),
      limit: z.number().int(),
      sort: z.string(),
      include_activity: z.boolean(),
      include_sensitive: z.boolean(),
    }),
    call: async ({ uid, given }) => {
      const { limit, offset, include_activity, include_sensitive } = given;
      const sort = given.sort ?? 'created_desc';
      const { updatedAfter } = await timesOf(sql, uid, { updatedAfter: given.updated_after });
      const { items, more } = await selectMemories(sql, uid, 'tools', {
        categories: given.categories,
        reviewed: given.reviewed,
        manuallyAdded: given.manually_added,
        updatedAfter,
        activity: include_activity,
        sensitive: include_sensitive,
        sort,
        limit,
        offset,
      });
      return {
        memories: items,
        returned_count: items.length,
        has_more: more,
        offset,
        limit,
        sort,
        include_activity,
        include_sensitive,
      };
    },
  });

const searchMemoriesTool = ({ sql, search }: ToolContext): Tool =>
  tool({
    name: 'search_memories',
    title: 'Search memories',
    description: 'Facts about the user that match a query, most relevant first.',
    ...reads,
    input: z.object({ query, limit: limit(10, 20) }),
    output: z.object({ memories: z.array(memory.extend({ relevance_score: relevance })) }),
    call: async ({ uid, given: { query: text, limit } }) => ({
      memories: (await searchMemories(search, sql, uid, 'tools', { text, limit })).items,
    }),
  });

const createMemoryTool = ({ sql }: ToolContext): Tool =>
  tool({
    name: 'create_memory',
    title: 'Remember something',
    description:
      'Stores a fact about the user that is worth remembering for a long time. Search first, so that nothing is stored twice.',
    scopes: ['memories.write'],
    effect: 'add',
    limits: ['memories:create'],
    input: z.object(created),
    output: success.extend({ memory }),
    call: async ({ uid, given }) => {
      const [made] = await createMemories(sql, uid, 'tools', [given]);
      return { success: true, memory: made };
    },
  });

const editMemoryTool = ({ sql }: ToolContext): Tool =>
  tool({
    name: 'edit_memory',
    title: 'Correct a memory',
    description: 'Replaces the content of a memory.',
    scopes: ['memories.write'],
    effect: 'replace',
    limits: ['memories:modify'],
    // `content` is required, because a correction always contains it.
    input: z.object({
      memory_id: id('memory'),
      ...recordArguments(memoryRecord, 'change'),
      content: created.content,
    }),
    output: success,
    call: async ({ uid, given: { memory_id, ...patch } }) => {
      await updateMemory(sql, uid, 'tools', memory_id, patch);
      return { success: true };
    },
  });

const deleteMemoryTool = ({ sql }: ToolContext): Tool =>
  tool({
    name: 'delete_memory',
    title: 'Forget something',
    description: 'Deletes a memory permanently.',
    scopes: ['memories.write'],
    effect: 'delete',
    limits: ['memories:delete'],
    input: z.object({ memory_id: id('memory') }),
    output: success,
    call: async ({ uid, given }) => {
      await deleteMemory(sql, uid, given.memory_id);
      return { success: true };
    },
  });

/** Returns the tools for facts about the user. */
export const memoryTools: ToolGroup = (context) => [
  getMemoriesTool(context),
  searchMemoriesTool(context),
  createMemoryTool(context),
  editMemoryTool(context),
  deleteMemoryTool(context),
];
