import type { RecordDeclaration } from './declaration.js';

/** Content of a user's screen at a time. */
export const screenActivityRecord = {
  table: 'screen_activity',
  one: 'screen activity',
  many: 'screen activity',
  fields: {
    id: { type: 'text' },
    app_name: { type: 'text', most: 200, create: 'required' },
    window_title: { type: 'text', nullable: true, most: 500, blank: true, create: 'nullable' },
    ocr_text: { type: 'text', nullable: true, most: 10_000, blank: true, create: 'nullable' },
    created_at: { type: 'timestamptz' },
  },
} as const satisfies RecordDeclaration;
