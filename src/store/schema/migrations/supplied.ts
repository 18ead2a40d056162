/**
 * Requests that supply a conversation store it in one transaction. Earlier releases inserted an empty row first, which
 * remained when the process died. This migration deletes such rows. No content is lost, and a repeated request inserts
 * the conversation again.
 */
export const suppliedSchema = `
delete from conversations where status = 'processing' and client_session_id is not null and deleted_at is null;
`;
