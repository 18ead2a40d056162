/** Index for the time of a user's last image description. Users take turns by it, however many images one of them has. */
export const photoTurnsSchema = `
create index photos_described on photos (uid, described_at);
`;
