/** What a scope of an assistant allows, as the consent page says it. */
export const scopeSentences: Readonly<Record<string, string>> = {
  'memories.read': 'Read facts that are known about you, your profile and your posts',
  'memories.write': 'Add, change and delete facts about you',
  'conversations.read': 'Read your conversations and daily summaries',
  'action_items.read': 'Read your tasks',
  'action_items.write': 'Add, change, complete and delete your tasks',
  'goals.read': 'Read your goals',
  'chat.read': 'Read your chat messages',
  'screen_activity.read': 'Read what was on your screen',
  'people.read': 'Read the names of people you know',
};

/** The sentence of a scope; its name where there is none. */
export const sentenceOf = (scope: string): string => scopeSentences[scope] ?? scope;
