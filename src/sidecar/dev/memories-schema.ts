import { z } from 'zod';
import { developerMemoryCategories, memoryBounds, memoryRecord } from '../../wire/records/index.js';
import {
  changeBody,
  commaList,
  creationShape,
  exampleOf,
  pageQuery,
  sessionField,
  shownShape,
} from '../schemas/index.js';

const category = z.enum(developerMemoryCategories);
const newMemory = z.object(creationShape(memoryRecord, { category }));

export const memoryBody = newMemory.extend(sessionField);

export const memoriesBody = z.object({
  memories: z.array(newMemory).max(memoryBounds.batch),
  ...sessionField,
});

export const memoryPatch = changeBody(memoryRecord, { category });

export const memoriesQuery = z.object({
  ...pageQuery(25, memoryBounds.page),
  categories: commaList.optional().meta({ description: 'Separated by commas. At least one must match.' }),
});

export const memoryAnswer = z.object(shownShape(memoryRecord, 'developer')).meta({ id: 'DeveloperMemory' });

export const memoriesAnswer = z
  .object({ memories: z.array(memoryAnswer), created_count: z.int() })
  .meta({ id: 'CreatedMemories' });

export const exampleMemory = exampleOf(memoryRecord, {
  id: '0198a4f2-7f2b-7c3e-9a41-2d1c5b6e7f80',
  content: 'Prefers the early train',
  category: 'habits',
  visibility: 'private',
  tags: ['travel'],
  created_at: '2026-03-01T10:00:00Z',
  updated_at: '2026-03-01T10:00:00Z',
  manually_added: true,
  reviewed: true,
  user_review: true,
  edited: false,
  scoring: '01_999_1772359200',
});
