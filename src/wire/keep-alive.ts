/** Maximum number of bytes in a keep-alive message, as `docs/protocol.md` promises. */
export const keepAliveBytes = 2;

/**
 * Maximum gap before a small Opus packet, in packet durations. After a longer gap the packet may be a keep-alive
 * message and does not count as audio.
 */
export const pacePackets = 3;

/**
 * Number of ms without audio after which small Opus packets never count as audio. No device or application delays audio
 * packets for this long.
 */
export const longestBurst = 2000;

/** Maximum duration of an Opus packet in ms. Source: RFC 6716, section 3.1. */
export const longestPacket = 120;
