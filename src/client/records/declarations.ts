/** Re-exports the record declarations, because the command line may import only the client. */
export * from '../../wire/records/index.js';
