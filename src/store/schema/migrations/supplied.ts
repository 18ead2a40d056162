/**
 * Requests that supply a conversation store it in one transaction. Earlier releases stored an empty row first, which stayed behind
 * for a while when the process died; it has no content, and the repeated request makes the conversation anew.
 */
export const suppliedSchema = `
delete from conversations where status = 'processing' and client_session_id is not null and deleted_at is null;
`;
