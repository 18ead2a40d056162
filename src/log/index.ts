/** The loggers of processes and worker threads. */
export { countLogLosses, createLogger, type Logger } from './logger.js';
