/** Bounds of the people whom a user knows, wherever they are added: the length of a name in code points, and their number. */
export const personBounds = { name: 100, people: 1000 } as const;
