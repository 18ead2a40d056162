/**
 * Column for the lowest epoch of segments that the current holder of a conversation may extend. Segments with a lower
 * epoch belong to earlier holders, whose spill may still contain words for them.
 */
export const continuedSegmentsSchema =
  'alter table conversations add column continued_from bigint not null default 0;';
