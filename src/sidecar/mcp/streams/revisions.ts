/** Supported revisions of the Model Context Protocol, oldest first. */
export const revisions = ['2024-11-05', '2025-03-26', '2025-06-18', '2025-11-25'] as const;

export type Revision = (typeof revisions)[number];

/** The revision for a client that names no revision. */
export const usualRevision: Revision = '2025-03-26';

/** The newest revision. Clients that name an unsupported revision get it. */
export const newestRevision: Revision = revisions[revisions.length - 1]!;

export const isRevision = (name: unknown): name is Revision => revisions.includes(name as Revision);

/** Whether results also contain structured values, and tools declare output schemas. */
export const hasStructuredContent = (revision: Revision): boolean => revision >= '2025-06-18';

/** Whether one request may contain several messages. */
export const hasBatches = (revision: Revision): boolean => revision <= '2025-03-26';
