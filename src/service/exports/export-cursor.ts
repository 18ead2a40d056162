import { z } from 'zod';
import type { Position } from '../../store/client/index.js';
import { cursorsOf, time, uuid } from '../rules/index.js';

/** The kinds of records in an export of all records, in the order of the export. */
export const exportKinds = ['conversation', 'person', 'memory', 'task', 'goal', 'folder'] as const;
export type ExportKind = (typeof exportKinds)[number];

/** The place at which an export continues. */
export type ExportPlace =
  | { readonly kind: 'conversation'; readonly after: Position | null }
  | {
      readonly kind: Exclude<ExportKind, 'conversation'>;
      /** Cursor of the page in the list of this kind; undefined for the first page. */
      readonly page: string | undefined;
      /** Number of rows of the page that were already exported. */
      readonly skipped: number;
    }
  | { readonly kind: 'end' };

const listKind = z.enum(exportKinds).exclude(['conversation']);
const shape = z.union([
  z.tuple([z.literal('conversation'), time, uuid]),
  z.tuple([listKind, z.string().max(600), z.string().regex(/^\d{1,4}$/)]),
  z.tuple([z.literal('end')]),
]);
const cursors = cursorsOf('export', shape, 'after');

/** Returns the cursor that continues an export at a place. */
export const cursorOf = (place: ExportPlace): string => {
  if (place.kind === 'end') return cursors.encode(['end'])!;
  if (place.kind === 'conversation') return cursors.encode(['conversation', ...(place.after ?? [])])!;
  return cursors.encode([place.kind, place.page ?? '', String(place.skipped)])!;
};

/**
 * Returns the place in the export that a cursor names. Without a cursor, returns the beginning of the export.
 * @throws CochleaError `validation_failed` for a cursor that does not come from an export.
 */
export const placeOf = (cursor: string | undefined): ExportPlace => {
  const { after } = cursors.page({ limit: 1, cursor });
  if (after === null) return { kind: 'conversation', after: null };
  const [kind, ...rest] = after as [ExportPlace['kind'], ...string[]];
  if (kind === 'end') return { kind };
  if (kind === 'conversation') return { kind, after: rest };
  return { kind, page: rest[0] || undefined, skipped: Number(rest[1]) };
};
