import { useState } from 'preact/hooks';
import { ExportEverything } from '../exports/index.js';
import { Heading, Problem, ProblemNote, Shown, useLoaded } from '../shared/index.js';
import { ConversationList, NoConversation } from './list.js';
import { type ConversationPart, readConversations } from './records.js';

const partSize = 25;

/** The parts of the list after the first one. */
const Further = ({ first }: { first: string }) => {
  const [parts, setParts] = useState<readonly ConversationPart[]>([]);
  const [problem, setProblem] = useState<Problem | null>(null);
  const [reading, setReading] = useState(false);
  const next = parts.length === 0 ? first : parts.at(-1)!.next;
  const more = async (): Promise<void> => {
    setReading(true);
    try {
      const part = await readConversations(partSize, next);
      setParts((before) => [...before, part]);
      setProblem(null);
    } catch (error) {
      setProblem(error instanceof Problem ? error : new Problem(0, String(error)));
    }
    setReading(false);
  };
  return (
    <>
      {parts.map(({ conversations }, at) => (
        <ConversationList key={at} conversations={conversations} />
      ))}
      {problem !== null && <ProblemNote problem={problem} retry={() => void more()} />}
      {next !== null && problem === null && (
        <button type="button" class="plain" disabled={reading} onClick={() => void more()}>
          Show more
        </button>
      )}
    </>
  );
};

/** The list of conversations. */
export const ConversationsPage = () => {
  const first = useLoaded('conversations', () => readConversations(partSize, null));
  return (
    <>
      <Heading>Conversations</Heading>
      <Shown loaded={first} isEmpty={(part) => part.conversations.length === 0} empty={<NoConversation />}>
        {(part) => (
          <>
            <ConversationList conversations={part.conversations} />
            {part.next !== null && <Further first={part.next} />}
          </>
        )}
      </Shown>
      <ExportEverything />
    </>
  );
};
