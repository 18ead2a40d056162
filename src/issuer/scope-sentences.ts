import type { McpScope } from '../identity/index.js';

/** Kinds of a user's data with their names on the consent page. */
export const dataKinds = {
  facts: 'facts that are known about you',
  profile: 'your profile with your name and e-mail address',
  posts: 'your posts',
  speech: 'what was said in your conversations',
  speakers: 'who said it',
  summaries: 'summaries of conversations with their events',
  days: 'your daily summaries',
  tasks: 'your tasks',
  goals: 'your goals',
  chat: 'your chat messages',
  screen: 'what was on your screen',
  people: 'the names of people you know',
} as const;

export type DataKind = keyof typeof dataKinds;

interface ScopeMeaning {
  /** Verbs for the sentence: what an assistant may do with the data. */
  readonly does: string;
  /** All kinds of the user's data that answers to a credential with only this scope contain. */
  readonly opens: readonly [DataKind, ...DataKind[]];
}

/** Meaning of each assistant scope. */
export const scopeMeanings: Readonly<Record<McpScope, ScopeMeaning>> = {
  'memories.read': { does: 'Read', opens: ['facts', 'posts', 'profile'] },
  'memories.write': { does: 'Add, change and delete', opens: ['facts'] },
  'conversations.read': { does: 'Read', opens: ['speech', 'speakers', 'days', 'summaries'] },
  'action_items.read': { does: 'Read', opens: ['tasks'] },
  'action_items.write': { does: 'Add, change, complete and delete', opens: ['tasks'] },
  'goals.read': { does: 'Read', opens: ['goals'] },
  'chat.read': { does: 'Read', opens: ['chat'] },
  'people.read': { does: 'Read', opens: ['people'] },
  'screen_activity.read': { does: 'Read', opens: ['screen'] },
};

const enumeration = new Intl.ListFormat('en-GB', { type: 'conjunction' });

/** Sentence on the consent page for each assistant scope. */
export const scopeSentences: Readonly<Record<string, string>> = Object.fromEntries(
  Object.entries(scopeMeanings).map(([scope, { does, opens }]) => [
    scope,
    `${does} ${enumeration.format(opens.map((kind) => dataKinds[kind]))}`,
  ]),
);

/** Returns the sentence for a scope; the scope's name if there is no sentence. */
export const sentenceOf = (scope: string): string =>
  Object.hasOwn(scopeSentences, scope) ? scopeSentences[scope]! : scope;
