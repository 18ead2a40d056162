/**
 * Index for the time of a user's last image description. Users take turns in the order of this time, even if they have
 * different numbers of images.
 */
export const photoTurnsSchema = `
create index photos_described on photos (uid, described_at);
`;
