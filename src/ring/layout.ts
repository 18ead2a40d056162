/**
 * Layout of the ring between the front (producer, main thread) and a shard (consumer, its worker).
 *
 * A SharedArrayBuffer contains a header of int32 words and a data area. The size of the data area is a power of two. Positions are uint32
 * byte counts that wrap; `position & (size - 1)` is the offset in the data area. A record never crosses the end of the area. If it does
 * not fit before the end, a padding record fills the rest. Records start on 8-byte boundaries. Layout of a record:
 *
 *   u32 length of the payload in bytes   u8 kind   u8 flags   u16 us of arrival   u32 slot   u32 arrival (ms, wraps)
 */
export const headerBytes = 192;

/**
 * Indexes of the header's int32 words. Words written by the producer and words written by the consumer are on
 * different cache lines.
 */
export const HeaderWord = {
  /** Position of the end of the readable records. Written by the producer. */
  head: 0,
  /** Position of the end of the released records, which may be overwritten. Written by the consumer. */
  tail: 16,
  /** Number of passes of the consumer's loop. Written by the consumer, on the cache line of `tail`. */
  beats: 17,
  /** 1 while the consumer waits on this word. The producer notifies only then. */
  sleeping: 32,
} as const;

export const recordHeaderBytes = 16;
export const recordAlignment = 8;

export const RecordKind = {
  padding: 0,
  /** Payload: JSON `OpenRequest`. */
  open: 1,
  /** Payload: one binary message of the client, with audio. */
  audio: 2,
  /** Payload: one text message, UTF-8. */
  text: 3,
  /** Payload: JSON `CloseNotice`. The client's socket is closed. */
  close: 4,
  /** No payload. The shard must finish all its sessions. This is the last record. */
  drain: 5,
  /** Payload: `LostFrames`. At this point the ring had no space for audio of the slot. */
  gap: 6,
} as const;
export type RecordKind = (typeof RecordKind)[keyof typeof RecordKind];
