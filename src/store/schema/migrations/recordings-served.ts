/** Finds when a user was served last without reading all recordings that the user ever had. */
export const recordingsServedSchema =
  'create index recordings_served on recordings (uid, claimed_at) where claimed_at is not null;';
