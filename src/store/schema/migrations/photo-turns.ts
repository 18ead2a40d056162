/**
 * Index for the time of a user's last image description. The user whose last description is oldest gets the next
 * description, regardless of how many images wait.
 */
export const photoTurnsSchema = `
create index photos_described on photos (uid, described_at);
`;
