/**
 * Returns the name of a journal in the subjects of the bus.
 * @param holder name of the journal in the database, `ENGINE/SHARD/ID`.
 */
export const journalName = (holder: string): string => holder.replaceAll('/', '.');

/** Returns the name of a journal in the database. @param journal its name in the subjects of the bus. */
export const holderOfJournal = (journal: string): string => journal.replaceAll('.', '/');
