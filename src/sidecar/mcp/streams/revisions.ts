/** Revisions of the Model Context Protocol that the tool server speaks, oldest first. */
export const revisions = ['2024-11-05', '2025-03-26', '2025-06-18', '2025-11-25'] as const;

export type Revision = (typeof revisions)[number];

/** What a client gets that names no revision. */
export const usualRevision: Revision = '2025-03-26';

/** What a client gets that names a revision that is not spoken here. */
export const newestRevision: Revision = revisions[revisions.length - 1]!;

export const isRevision = (name: unknown): name is Revision => revisions.includes(name as Revision);

/** Whether results are also given as values, and tools declare what they answer. */
export const hasStructuredContent = (revision: Revision): boolean => revision >= '2025-06-18';

/** Whether several messages may come in one request. */
export const hasBatches = (revision: Revision): boolean => revision <= '2025-03-26';
