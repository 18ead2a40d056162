/**
 * Adds a column for the local speech model that decoded a segment's words. It is null for other providers and for older
 * segments.
 */
export const segmentModelsSchema = 'alter table segments add column stt_model text;';
