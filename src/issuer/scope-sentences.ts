import type { DeveloperScope, McpScope } from '../identity/index.js';

/** Kinds of a user's data, with the name of each kind on the consent page and on the page of keys. */
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
  place: 'where it was said',
  folders: 'your folders',
  photos: 'photos',
} as const;

export type DataKind = keyof typeof dataKinds;

interface ScopeMeaning {
  /** Verbs for the sentence that says what a program may do with the data. */
  readonly does: string;
  /** All kinds of the user's data to which a credential with only this scope gives access. */
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

/** Meaning of each scope of developer keys. */
export const developerScopeMeanings: Readonly<Record<DeveloperScope, ScopeMeaning>> = {
  'conversations:read': {
    does: 'Read',
    opens: ['speech', 'speakers', 'summaries', 'place', 'folders', 'photos'],
  },
  'conversations:write': {
    does: 'Add, change and delete conversations, and read',
    opens: ['summaries', 'place', 'folders'],
  },
  'memories:read': { does: 'Read', opens: ['facts'] },
  'memories:write': { does: 'Add, change and delete', opens: ['facts'] },
  'action_items:read': { does: 'Read', opens: ['tasks'] },
  'action_items:write': { does: 'Add, change and delete', opens: ['tasks'] },
  'goals:read': { does: 'Read', opens: ['goals'] },
  'goals:write': { does: 'Add, change and delete', opens: ['goals'] },
};

const enumeration = new Intl.ListFormat('en-GB', { type: 'conjunction' });

const sentencesOf = (meanings: Readonly<Record<string, ScopeMeaning>>): Readonly<Record<string, string>> =>
  Object.fromEntries(
    Object.entries(meanings).map(([scope, { does, opens }]) => [
      scope,
      `${does} ${enumeration.format(opens.map((kind) => dataKinds[kind]))}`,
    ]),
  );

/** Sentence for each assistant scope, on the consent page and on the page of keys. */
export const scopeSentences = sentencesOf(scopeMeanings);
/** Sentence for each scope of developer keys. */
export const developerScopeSentences = sentencesOf(developerScopeMeanings);

/** Returns the sentence for a scope; the scope's name if there is no sentence. */
export const sentenceOf = (scope: string): string =>
  Object.hasOwn(scopeSentences, scope) ? scopeSentences[scope]! : scope;
