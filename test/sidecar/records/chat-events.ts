/** An event of a chat answer's event stream. */
export interface ReadEvent {
  readonly name: string;
  readonly value: string;
}

/** Parses the event stream of a chat answer, and returns its events in order. */
export const eventsIn = (text: string): ReadEvent[] =>
  text
    .split('\n\n')
    .filter((event) => event !== '')
    .map((event) => {
      const colon = event.indexOf(': ');
      return { name: event.slice(0, colon), value: event.slice(colon + 2) };
    });

/** Decodes the record in an event's value, which is base64 of JSON. */
// biome-ignore lint/suspicious/noExplicitAny: each test knows the shape of the record that it reads
export const recordIn = ({ value }: ReadEvent): any => JSON.parse(Buffer.from(value, 'base64').toString());
