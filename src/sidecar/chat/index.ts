/** The routes of chat, which send the answer as a stream of events. */
export { chatParts, recordReading } from './chat-parts.js';
export { chatEvents } from './chat-schema.js';
export { departureOf } from './departure.js';
export { answerEvents, type ChatEventSink } from './event-answer.js';
export { chatRoutes } from './routes.js';
