import { z } from 'zod';
import { publicAddress } from '../../../config/index.js';
import { CochleaError } from '../../../errors/index.js';
import type { McpScope } from '../../../identity/index.js';
import { readWholeConversation, searchCards } from '../../../service/conversations/index.js';
import {
  getActionItem,
  getMemory,
  searchActionItems,
  searchMemories,
} from '../../../service/records/index.js';
import { id, notice, query, type Tool, type ToolContext, type ToolGroup, tool } from '../toolkit/index.js';

/** Kinds of records that connectors search, with the scope for reading each. */
const kinds = {
  memory: 'memories.read',
  conversation: 'conversations.read',
  action_item: 'action_items.read',
} as const satisfies Record<string, McpScope>;

type Kind = keyof typeof kinds;
const names = Object.keys(kinds) as [Kind, ...Kind[]];
const scopes = Object.values(kinds) as [McpScope, ...McpScope[]];

/** Maximum number of results of each kind. */
const perKind = 5;

const result = z.object({ id: z.string(), title: z.string(), text: z.string(), url: z.string() });

interface Hit {
  readonly kind: Kind;
  readonly id: string;
  readonly title: string;
  readonly text: string;
  readonly relevance: number;
}

const titleOf = (text: string): string =>
  text.length > 80 ? `${text.slice(0, 79).toWellFormed()}\u2026` : text;

/** Returns the address where a record can be read. */
const urlOf = ({ settings }: ToolContext, kind: Kind, id: string): string =>
  kind === 'conversation'
    ? `${publicAddress(settings)}/v1/mcp/conversations/${id}`
    : `${publicAddress(settings)}/v1/mcp/${kind === 'memory' ? 'memories' : 'action-items'}#${id}`;

/** Searches the records of each kind. */
const hits: Readonly<Record<Kind, (context: ToolContext, uid: string, text: string) => Promise<Hit[]>>> = {
  memory: async ({ sql, search }, uid, text) =>
    (await searchMemories(search, sql, uid, 'tools', { text, limit: perKind })).items.map((row) => ({
      kind: 'memory',
      id: row.id,
      title: titleOf(row.content),
      text: row.content,
      relevance: row.relevance_score,
    })),
  conversation: async ({ sql, search }, uid, text) =>
    (await searchCards(search, sql, uid, { text, limit: perKind }, false)).map((row) => ({
      kind: 'conversation',
      id: row.id,
      title: row.structured.title,
      text: row.structured.overview,
      relevance: row.relevance_score,
    })),
  action_item: async ({ sql, search }, uid, text) =>
    (
      await searchActionItems(search, sql, uid, { text, limit: perKind, locked: true, surface: 'tools' })
    ).items.map((row) => ({
      kind: 'action_item',
      id: row.id,
      title: titleOf(row.description),
      text: row.description,
      relevance: row.relevance_score,
    })),
};

/** Reads a record of each kind. */
const documents: Readonly<
  Record<
    Kind,
    (
      context: ToolContext,
      uid: string,
      id: string,
    ) => Promise<{ title: string; text: string; metadata: object }>
  >
> = {
  memory: async ({ sql }, uid, id) => {
    const { content, ...metadata } = await getMemory(sql, uid, 'tools', id, 'refused');
    return { title: titleOf(content), text: content, metadata };
  },
  conversation: async ({ sql }, uid, id) => {
    const { transcript_segments, structured, ...metadata } = await readWholeConversation(sql, uid, id, false);
    const said = transcript_segments.map(({ speaker_name, text }) => `${speaker_name}: ${text}`);
    return {
      title: structured.title,
      text: [structured.overview, ...said].join('\n'),
      metadata: { ...metadata, category: structured.category },
    };
  },
  action_item: async ({ sql }, uid, id) => {
    const { description, ...metadata } = await getActionItem(sql, uid, id, 'refused', 'tools');
    return { title: titleOf(description), text: description, metadata };
  },
};

const searchTool = (context: ToolContext): Tool =>
  tool({
    name: 'search',
    title: 'Search everything',
    description: 'Memories, conversations and tasks that answer a question. fetch reads one of the results.',
    scopes,
    effect: 'read',
    input: z.object({ query }),
    output: z.object({ results: z.array(result) }),
    call: async ({ uid, scopes: allowed, given }) => {
      const usable = names.filter((kind) => allowed.includes(kinds[kind]));
      const found: Hit[] = [];
      // Searches one kind after the other, because a request has only one database connection (see `FairTurns`).
      for (const kind of usable) found.push(...(await hits[kind](context, uid, given.query)));
      const results = found
        .sort((one, other) => other.relevance - one.relevance)
        .map(({ kind, id, title, text }) => ({
          id: `${kind}:${id}`,
          title,
          text,
          url: urlOf(context, kind, id),
        }));
      return { results };
    },
  });

const fetchTool = (context: ToolContext): Tool =>
  tool({
    name: 'fetch',
    title: 'Read a result',
    description: 'Reads one search result completely.',
    scopes,
    effect: 'read',
    input: z.object({ id: id('search result') }),
    output: result.extend({ metadata: z.looseObject({ notice: z.string() }) }),
    call: async ({ uid, scopes: allowed, given }) => {
      const [kind, own = ''] = given.id.split(/:(.*)/s) as [Kind, string?];
      if (!names.includes(kind)) throw new CochleaError('record_not_found', { kind: 'Result' });
      const scope = kinds[kind];
      if (!allowed.includes(scope)) {
        throw new CochleaError('scope_missing', { scope });
      }
      const { title, text, metadata } = await documents[kind](context, uid, own);
      return { id: given.id, title, text, url: urlOf(context, kind, own), metadata: { ...metadata, notice } };
    },
  });

/** Two tools, `search` and `fetch`. Assistants recognise a searchable source by the names and shapes of these tools. */
export const connectorTools: ToolGroup = (context) => [searchTool(context), fetchTool(context)];
