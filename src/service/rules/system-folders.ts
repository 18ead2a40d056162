import type { SystemFolder } from '../../store/records/index.js';

/** The folders that every user has, in order. */
export const systemFolders: readonly SystemFolder[] = [
  {
    name: 'Work',
    icon: '💼',
    color: '#3B82F6',
    category_mapping: 'work',
    description: 'Work, business, career and professional topics',
  },
  {
    name: 'Personal',
    icon: '👤',
    color: '#10B981',
    category_mapping: 'personal',
    description: 'Own life, family, health, hobbies and learning',
  },
  {
    name: 'Social',
    icon: '👥',
    color: '#8B5CF6',
    category_mapping: 'social',
    description: 'Friends, gatherings, entertainment and small talk',
  },
];

const groups: Readonly<Record<string, string>> = {
  work: 'work business entrepreneurship technology finance economics legal education science architecture design',
  personal:
    'personal health family parenting romantic spiritual inspiration travel sports philosophy psychology literature history',
  social: 'social entertainment music politics news weather environment real',
};

const folderOfCategory = new Map(
  Object.entries(groups).flatMap(([mapping, categories]) =>
    categories.split(' ').map((category) => [category, mapping] as const),
  ),
);

/** Returns the `category_mapping` of the system folder for a category; null if the category has no system folder. */
export const folderMappingOf = (category: string): string | null => folderOfCategory.get(category) ?? null;
