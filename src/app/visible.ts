/** Characters that steer a terminal instead of being shown; those that join letters of some scripts stay. */
const steering = /(?![\u200c\u200d])[\p{Cc}\p{Cf}]/gu;

/** What others said or named, as it may be written to a terminal: one line, in which no character steers it. */
export const visible = (text: string): string => text.replaceAll(steering, ' ');
