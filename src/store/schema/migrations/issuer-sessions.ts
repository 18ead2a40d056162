/**
 * Column that links a session at the console to the session at the operator's own issuer in which the user signed in.
 */
export const issuerSessionsSchema = `
-- SHA-256 of the session's id at the issuer, as hexadecimal text; null for other sessions
alter table console_sessions add column issuer_session text;
create index console_sessions_by_issuer on console_sessions (issuer_session) where issuer_session is not null;
`;
