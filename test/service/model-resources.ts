/** A user's records with a common interface. The test of `model.test.ts` compares each kind with a model in memory. */

import { deleteConversation } from '../../src/service/conversations/stored-conversations.js';
import { createFromSegments } from '../../src/service/conversations/supplied-conversations.js';
import { createFromText } from '../../src/service/conversations/text-conversations.js';
import {
  createActionItems,
  deleteActionItem,
  listActionItems,
  updateActionItem,
} from '../../src/service/records/action-items.js';
import { createFolder, deleteFolder, listFolders, updateFolder } from '../../src/service/records/folders.js';
import { createGoal, deleteGoal, listGoals, updateGoal } from '../../src/service/records/goals.js';
import {
  createMemories,
  deleteMemory,
  listMemories,
  updateMemory,
} from '../../src/service/records/memories.js';
import {
  chatMessages,
  dailySummaries,
  posts,
  screenActivity,
} from '../../src/service/records/own-records.js';
import { createPerson, deletePerson, listPeople, updatePerson } from '../../src/service/records/people.js';
import type { Paged, PageRequest } from '../../src/service/rules/paging.js';
import { rulesHere } from '../../src/service/text/text-rules.js';
import type { Sql } from '../../src/store/client/database.js';
import { listConversations, updateConversation } from '../support/texts/conversations.js';

/**
 * Operations that every kind of record has. A row has an id, a text and, for some kinds, a flag that hides it. `list`
 * returns the visible rows.
 */
export interface Resource {
  create(sql: Sql, uid: string, text: string, key: string | null): Promise<{ readonly id: string }>;
  change(sql: Sql, uid: string, id: string, text: string): Promise<unknown>;
  /** Whether updating an unknown id creates a row of the user with that id. */
  readonly writesUnknown?: true;
  /** Changes a row so that the list omits it, or shows it again. Absent if the list always shows all rows. */
  hide?(sql: Sql, uid: string, id: string, hidden: boolean): Promise<unknown>;
  remove(sql: Sql, uid: string, id: string): Promise<void>;
  /** Whether the list has no pages and returns all rows. */
  readonly pageless?: true;
  list(
    sql: Sql,
    uid: string,
    page: PageRequest,
  ): Promise<Paged<{ readonly id: string; readonly text: string }>>;
}

const named = <Item extends { readonly id: string }>(
  { items, next }: { readonly items: readonly Item[]; readonly next: string | null },
  text: (item: Item) => string,
) => ({ items: items.map((item) => ({ id: item.id, text: text(item) })), next });

const listTitles: Resource['list'] = async (sql, uid, page) =>
  named(
    await listConversations(sql, uid, { ...page, transcript: false }),
    ({ structured }) => structured.title,
  );

/** Returns the resource of conversations, which are found by their given title. */
const titled = (
  make: (sql: Sql, uid: string, text: string, session: string | null) => Promise<{ id: string }>,
): Resource => ({
  create: async (sql, uid, text, session) => {
    const made = await make(sql, uid, text, session);
    await updateConversation(sql, uid, made.id, { title: text });
    return made;
  },
  change: (sql, uid, id, title) => updateConversation(sql, uid, id, { title }),
  hide: (sql, uid, id, discarded) => updateConversation(sql, uid, id, { discarded }),
  remove: deleteConversation,
  list: listTitles,
});

/** Converts a text to day N since the beginning of 1970, for records with their day as id. */
const dayFrom = (text: string): string =>
  new Date(Number(/\d+/.exec(text)![0]) * 86_400_000).toISOString().slice(0, 10);

export const resources: Readonly<Record<string, Resource>> = {
  memories: {
    create: async (sql, uid, content, key) =>
      (await createMemories(sql, uid, 'developer', [{ content }], key))[0]!,
    change: (sql, uid, id, content) => updateMemory(sql, uid, 'developer', id, { content }),
    hide: (sql, uid, id, hidden) =>
      updateMemory(sql, uid, 'developer', id, { category: hidden ? 'work' : 'habits' }),
    remove: deleteMemory,
    list: async (sql, uid, page) =>
      named(
        await listMemories(sql, uid, 'developer', { ...page, categories: ['habits', 'system', 'other'] }),
        ({ content }) => content,
      ),
  },
  'action items': {
    create: async (sql, uid, description, key) =>
      (await createActionItems(sql, uid, [{ description }], key))[0]!,
    change: (sql, uid, id, description) => updateActionItem(sql, uid, id, { description }),
    hide: (sql, uid, id, completed) => updateActionItem(sql, uid, id, { completed }),
    remove: deleteActionItem,
    list: async (sql, uid, page) =>
      named(await listActionItems(sql, uid, { ...page, completed: false }), ({ description }) => description),
  },
  'conversations from texts': titled((sql, uid, text, session) =>
    createFromText(sql, rulesHere, uid, { text, client_session_id: session }),
  ),
  'conversations from segments': titled((sql, uid, text, session) => {
    const said = { text: `We discussed the budget of the garden: ${text}.`, start: 0, end: 3, is_user: true };
    return createFromSegments(sql, rulesHere, uid, {
      transcript_segments: [said],
      client_session_id: session,
    });
  }),
  folders: {
    create: (sql, uid, name, key) => createFolder(sql, uid, { name }, key),
    change: (sql, uid, id, name) => updateFolder(sql, uid, id, { name }),
    remove: deleteFolder,
    pageless: true,
    list: async (sql, uid) => {
      const own = (await listFolders(sql, uid)).filter(({ is_system }) => !is_system);
      return named({ items: own, next: null }, ({ name }) => name);
    },
  },
  people: {
    create: (sql, uid, name, key) => createPerson(sql, uid, { name }, key),
    change: (sql, uid, id, name) => updatePerson(sql, uid, id, { name }),
    remove: deletePerson,
    list: async (sql, uid, page) => named(await listPeople(sql, uid, page), ({ name }) => name),
  },
  posts: {
    create: async (sql, uid, text, key) => (await posts.write(sql, uid, [{ kind: 'tweet', text }], key))[0]!,
    change: (sql, uid, id, text) => posts.write(sql, uid, [{ id, kind: 'tweet', text }]),
    writesUnknown: true,
    remove: posts.remove,
    list: async (sql, uid, page) => named(await posts.list(sql, uid, page), ({ text }) => text),
  },
  'screen activity': {
    create: async (sql, uid, appName, key) =>
      (await screenActivity.write(sql, uid, [{ app_name: appName }], key))[0]!,
    change: (sql, uid, id, appName) => screenActivity.write(sql, uid, [{ id, app_name: appName }]),
    writesUnknown: true,
    remove: screenActivity.remove,
    list: async (sql, uid, page) =>
      named(await screenActivity.list(sql, uid, page), ({ app_name }) => app_name),
  },
  'daily summaries': {
    create: async (sql, uid, headline, key) =>
      (await dailySummaries.write(sql, uid, [{ id: dayFrom(headline), headline, overview: 'o' }], key))[0]!,
    change: (sql, uid, id, headline) => dailySummaries.write(sql, uid, [{ id, headline, overview: 'o' }]),
    writesUnknown: true,
    remove: dailySummaries.remove,
    list: async (sql, uid, page) =>
      named(await dailySummaries.list(sql, uid, page), ({ headline }) => headline),
  },
  'chat messages': {
    create: async (sql, uid, text, key) =>
      (await chatMessages.write(sql, uid, [{ sender: 'human', type: 'text', text }], key))[0]!,
    change: (sql, uid, id, text) =>
      chatMessages.write(sql, uid, [{ id, sender: 'human', type: 'text', text }]),
    writesUnknown: true,
    remove: chatMessages.remove,
    list: async (sql, uid, page) => named(await chatMessages.list(sql, uid, page), ({ text }) => text),
  },
  goals: {
    // The goals start inactive. An active goal could pause other goals.
    create: (sql, uid, title, key) => createGoal(sql, uid, { title, status: 'paused' }, key),
    change: (sql, uid, id, title) => updateGoal(sql, uid, id, { title }),
    hide: (sql, uid, id, hidden) => updateGoal(sql, uid, id, { status: hidden ? 'achieved' : 'paused' }),
    remove: deleteGoal,
    list: async (sql, uid, page) => {
      const part = await listGoals(sql, uid, { ...page, inactive: true });
      return named(part, ({ title }) => title);
    },
  },
};

/** Whether lists omit hidden rows. Hidden goals stay in the list of all goals. */
export const hides = (resource: string): boolean => resource !== 'goals';
