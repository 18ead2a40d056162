/** The logger. */
export { countLogLosses, createLogger, type Logger } from './logger.js';
