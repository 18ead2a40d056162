/** Index for the time a user was last served, so that not all recordings of the user are read. */
export const recordingsServedSchema =
  'create index recordings_served on recordings (uid, claimed_at) where claimed_at is not null;';
