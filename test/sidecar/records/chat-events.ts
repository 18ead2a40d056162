/** Reads the events of a chat. */
export interface ReadEvent {
  readonly name: string;
  readonly value: string;
}

/** The events of an answer, in order. */
export const eventsIn = (text: string): ReadEvent[] =>
  text
    .split('\n\n')
    .filter((event) => event !== '')
    .map((event) => {
      const colon = event.indexOf(': ');
      return { name: event.slice(0, colon), value: event.slice(colon + 2) };
    });

/** The record in an event. */
// biome-ignore lint/suspicious/noExplicitAny: each test knows the shape of the record that it reads
export const recordIn = ({ value }: ReadEvent): any => JSON.parse(Buffer.from(value, 'base64').toString());
