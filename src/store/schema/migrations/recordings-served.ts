/**
 * Index for the time when a recording of a user was last claimed, so that reading this time does not scan all
 * recordings of the user.
 */
export const recordingsServedSchema =
  'create index recordings_served on recordings (uid, claimed_at) where claimed_at is not null;';
