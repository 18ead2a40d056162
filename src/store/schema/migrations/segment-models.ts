/** The local speech model that decoded a segment's words. Null for other providers, and for older segments. */
export const segmentModelsSchema = 'alter table segments add column stt_model text;';
