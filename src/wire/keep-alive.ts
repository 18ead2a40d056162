/** Most bytes of a message that the contract calls a keep-alive. */
export const keepAliveBytes = 2;

/** Packets that may be missing before a small one of an Opus stream, until small ones are no audio any more. */
export const pacePackets = 3;

/** Ms without audio from which on small packets of an Opus stream are no audio, however many come: longer than any bridge holds packets back. */
export const longestBurst = 2000;

/** Longest duration of an Opus packet, ms. Source: RFC 6716, section 3.1. */
export const longestPacket = 120;
