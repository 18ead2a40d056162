/**
 * Layout of the ring between the front (producer, main thread) and a shard (consumer, its worker).
 *
 * A SharedArrayBuffer contains a header of int32 words and a data area. The size of the data area is a power of two. Positions are uint32
 * byte counts that wrap; `position & (size - 1)` is the offset in the data area. A record never crosses the end of the area. If it does
 * not fit before the end, a padding record fills the rest. Records start on 8-byte boundaries:
 *
 *   u32 length of the payload in bytes   u8 kind   u8 flags   u16 us of arrival   u32 slot   u32 arrival (ms, wraps)
 */
export const headerBytes = 192;

/** Int32 words of the header. Words of the producer and of the consumer are on different cache lines. */
export const HeaderWord = {
  /** End of the readable records. The producer writes it. */
  head: 0,
  /** End of the released records, which may be overwritten. The consumer writes it. */
  tail: 16,
  /** Number of runs of the consumer's loop. The consumer writes it, on the cache line of `tail`. */
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
  /** Payload: one binary message. */
  audio: 2,
  /** Payload: one text message, UTF-8. */
  text: 3,
  /** Payload: JSON `CloseNotice`. The socket is closed. */
  close: 4,
  /** No payload. The shard must finish all its sessions; no record follows. */
  drain: 5,
  /** Payload: `LostFrames`. At this point audio of the slot found no space in the ring. */
  gap: 6,
} as const;
export type RecordKind = (typeof RecordKind)[keyof typeof RecordKind];
