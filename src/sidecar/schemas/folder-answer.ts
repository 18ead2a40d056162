import { z } from 'zod';
import { folderRecord } from '../../wire/records/index.js';
import { exampleOf, shownShape } from './record-schemas.js';

export const folderAnswer = z.object(shownShape(folderRecord, 'developer')).meta({ id: 'Folder' });

export const exampleFolder = exampleOf(folderRecord, {
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
});
