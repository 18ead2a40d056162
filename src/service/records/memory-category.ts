import { developerMemoryCategories, toolMemoryCategories } from '../../wire/records/index.js';

/** An interface that shows memories: the developer API, or the tools. Each surface has its own categories. */
export type MemorySurface = 'developer' | 'tools';

const categoriesOf: Readonly<Record<MemorySurface, readonly string[]>> = {
  developer: developerMemoryCategories,
  tools: toolMemoryCategories,
};

const stored = [...new Set<string>([...developerMemoryCategories, ...toolMemoryCategories])];

/**
 * Returns the category that a surface shows for a stored category: `other` if the surface does not have this category.
 */
export const shownMemoryCategory = (surface: MemorySurface, category: string): string =>
  categoriesOf[surface].includes(category) ? category : 'other';

/** Returns the stored categories that the surface shows under one of the names in `asked`. */
export const storedMemoryCategories = (surface: MemorySurface, asked: readonly string[]): string[] =>
  stored.filter((category) => asked.includes(shownMemoryCategory(surface, category)));

export const isMemoryCategory = (surface: MemorySurface, category: string): boolean =>
  categoriesOf[surface].includes(category);

const attributed =
  /\b(?:according to|(?:advised?|advises|recommend(?:s|ed)?|suggest(?:s|ed)?|argue[sd]?|taught|teaches|wrote|writes|quoted?|explain(?:s|ed)?|claim(?:s|ed)?) (?:that|me|us|to|how|why|the|a)|the (?:key|secret|trick|lesson|point) (?:to|of|is)|studies show|research shows)\b/i;

/**
 * Detects the category of a memory that has none. `interesting`: advice and knowledge attributed to another person. `system`: facts about
 * the user.
 */
export const detectMemoryCategory = (content: string): 'interesting' | 'system' =>
  attributed.test(content) ? 'interesting' : 'system';

/**
 * Categories whose memories come after those of other categories in product order. The order first separates manually
 * added memories from all others, and then applies this rule to both groups.
 */
const boosted = new Set([
  'interesting',
  'core',
  'hobbies',
  'lifestyle',
  'interests',
  'work',
  'skills',
  'learnings',
]);

/**
 * Returns the sort key `MM_CCC_TTTTTTTTTT` of a memory. Its parts state whether the memory was added manually, its
 * category group, and its creation time in seconds. Product order sorts by this key, descending.
 */
export const memoryScoring = (manual: boolean, category: string, createdAt: Date): string => {
  const seconds = Math.floor(createdAt.getTime() / 1000);
  return `${manual ? '01' : '00'}_${boosted.has(category) ? '998' : '999'}_${String(seconds).padStart(10, '0')}`;
};
