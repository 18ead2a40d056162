/**
 * Layout of the ring between the front (producer, main thread) and a shard (consumer, its worker).
 *
 * A SharedArrayBuffer holds a header of int32 words and a data area whose size is a power of two. Positions are uint32 byte
 * counts that wrap; `position & (size - 1)` is the offset in the data area. A record never crosses the end of the area: when
 * it does not fit before the end, a padding record fills the rest. Records start on 8-byte boundaries:
 *
 *   u32 length of the payload in bytes   u8 kind   u8 flags   u16 us of arrival   u32 slot   u32 arrival (ms, wraps)
 */
export const headerBytes = 192;

/** Int32 words of the header; producer and consumer words lie on different cache lines. */
export const HeaderWord = {
  /** Written by the producer: end of the records that may be read. */
  head: 0,
  /** Written by the consumer: end of the records that may be overwritten. */
  tail: 16,
  /** Written by the consumer: how often its loop has run. It shares the cache line of `tail`. */
  beats: 17,
  /** 1 while the consumer waits; the producer notifies only then. The consumer waits on this word. */
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
  /** Payload: JSON `CloseNotice`: the socket is gone. */
  close: 4,
  /** Without payload. The shard must finish all its sessions; no record follows. */
  drain: 5,
  /** Payload: `LostFrames`. Audio of the slot that found no space here, between the record before and the one after. */
  gap: 6,
} as const;
export type RecordKind = (typeof RecordKind)[keyof typeof RecordKind];
