import { z } from 'zod';
import { developerMemoryCategories, memoryBounds } from '../../wire/records/index.js';
import { changeOf, commaList, pageQuery, sessionField, trimmed } from '../schemas/index.js';

const content = trimmed(1, memoryBounds.content);
const category = z.enum(developerMemoryCategories);
const visibility = z.enum(['public', 'private']);
const memoryTags = z.array(trimmed(1, memoryBounds.tag)).max(memoryBounds.tags);

const newMemory = z.object({
  content,
  category: category.nullish().meta({ description: 'Found from the content when absent.' }),
  visibility: visibility.default('private'),
  tags: memoryTags.default([]),
});

export const memoryBody = newMemory.extend(sessionField);

export const memoriesBody = z.object({
  memories: z.array(newMemory).max(memoryBounds.batch),
  ...sessionField,
});

export const memoryPatch = changeOf(
  {
    content: content.optional(),
    category: category.optional(),
    visibility: visibility.optional(),
    tags: memoryTags.optional(),
  },
  'content, visibility, tags, or category',
);

export const memoriesQuery = z.object({
  ...pageQuery(25, memoryBounds.page),
  categories: commaList.optional().meta({ description: 'Separated by commas; one of them has to match.' }),
});

export const memoryAnswer = z
  .object({
    id: z.string(),
    content: z.string().meta({ description: 'Of a locked memory the first 70 characters.' }),
    category: z.string(),
    visibility,
    tags: z.array(z.string()),
    created_at: z.iso.datetime(),
    updated_at: z.iso.datetime(),
    manually_added: z.boolean(),
    reviewed: z.boolean(),
    user_review: z.boolean().nullable(),
    edited: z.boolean(),
    scoring: z.string().meta({ description: 'Sort key of the list, largest first.' }),
  })
  .meta({ id: 'DeveloperMemory' });

export const memoriesAnswer = z
  .object({ memories: z.array(memoryAnswer), created_count: z.int() })
  .meta({ id: 'CreatedMemories' });

export const exampleMemory = {
  id: '0198a4f2-7f2b-7c3e-9a41-2d1c5b6e7f80',
  content: 'Prefers the early train',
  category: 'habits',
  visibility: 'private' as const,
  tags: ['travel'],
  created_at: '2026-03-01T10:00:00Z',
  updated_at: '2026-03-01T10:00:00Z',
  manually_added: true,
  reviewed: true,
  user_review: true,
  edited: false,
  scoring: '01_999_1772359200',
};
