import { validate as isUuid } from 'uuid';
import { storableText } from '../../common/index.js';
import type { TranslatedSegment } from '../../wire/index.js';
import type { Sql } from '../client/index.js';

/**
 * Writes translations of segments that are no longer in a shard's memory. Each translation replaces the segment's
 * earlier translation into the same language. The revisions of segments do not change, so updates by other writers are
 * not refused. Segments with a changed text and deleted segments are skipped.
 * @returns the number of written translations.
 */
export const storeTranslations = async (
  sql: Sql,
  uid: string,
  conversationId: string,
  segments: readonly TranslatedSegment[],
): Promise<number> => {
  if (!isUuid(conversationId)) return 0;
  const rows = segments.map(({ id, source, translation }) => ({
    id: storableText(id),
    source: storableText(source),
    lang: translation.lang,
    translated: storableText(translation.text),
  }));
  const written = await sql`
    update segments as s set translations = coalesce((
        select jsonb_agg(other) from jsonb_array_elements(s.translations) as other where other->>'lang' <> row.lang), '[]')
      || jsonb_build_array(jsonb_build_object('lang', row.lang, 'text', row.translated))
    from jsonb_to_recordset(${sql.json(rows)}) as row (id text, source text, lang text, translated text),
      conversations as c
    where c.id = ${conversationId} and c.uid = ${uid} and c.deleted_at is null and s.conversation_id = c.id
      and s.id = row.id and s.text = row.source and not s.deleted
    returning s.id`;
  return written.length;
};
