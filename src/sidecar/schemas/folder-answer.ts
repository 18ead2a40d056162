import { z } from 'zod';

export const folderAnswer = z
  .object({
    id: z.string(),
    name: z.string(),
    description: z.string().nullable(),
    color: z.string().meta({ description: 'Hex color code.' }),
    icon: z.string(),
    created_at: z.iso.datetime(),
    updated_at: z.iso.datetime(),
    order: z.int().meta({ description: 'Lower comes first.' }),
    is_default: z.boolean(),
    is_system: z.boolean(),
    category_mapping: z.string().nullable(),
    conversation_count: z.int().meta({ description: 'Conversations in it that are not discarded.' }),
  })
  .meta({ id: 'Folder' });

export const exampleFolder = {
  id: '0198a4f3-1d2e-7f30-8a41-5b6c7d8e9f01',
  name: 'Work',
  description: 'Work, business, career and professional topics',
  color: '#3B82F6',
  icon: '💼',
  created_at: '2026-03-01T10:00:00Z',
  updated_at: '2026-03-01T10:00:00Z',
  order: 0,
  is_default: false,
  is_system: true,
  category_mapping: 'work',
  conversation_count: 12,
};
