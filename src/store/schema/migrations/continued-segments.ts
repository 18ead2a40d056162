/**
 * Lowest epoch of the segments that the holder of a conversation may continue. Holders with a lower epoch may still
 * have words for their own segments in their spill.
 */
export const continuedSegmentsSchema =
  'alter table conversations add column continued_from bigint not null default 0;';
