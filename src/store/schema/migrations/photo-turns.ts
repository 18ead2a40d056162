/** Finds when an image of a user was last described, so that users take turns however many images one of them has. */
export const photoTurnsSchema = `
create index photos_described on photos (uid, described_at);
`;
