/** Maximum bytes of a keep-alive message in the contract. */
export const keepAliveBytes = 2;

/** Maximum missing packets before a small Opus packet that still counts as audio. */
export const pacePackets = 3;

/** Ms without audio after which small Opus packets are not audio, however many arrive. No bridge delays packets for so long. */
export const longestBurst = 2000;

/** Maximum duration of an Opus packet in ms. Source: RFC 6716, section 3.1. */
export const longestPacket = 120;
