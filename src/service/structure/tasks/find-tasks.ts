import { type ActionItem, isoUtc } from '../../../store/record/index.js';
import { contentOf, overlap, type Sentence } from '../language/index.js';
import { withApostrophes } from './apostrophes.js';
import { isCorrection } from './corrections.js';
import { tasksIn } from './sentence-tasks.js';

const atMost = 20;
/** Maximum characters of sentences with task phrases that are analysed, because the analysis is slow. */
const mostRead = 10_000;

/** Matches a sentence that cancels the task in the sentence before it ("never mind"). */
const takenBack =
  /^(?:oh,? |no,? |wait,? |actually,? |ah,? |well,? |hm,? |you know what,? )*(?:never ?mind|scratch that|forget (?:it|that|about (?:it|that))(?! (?:is|was))|cancel that|strike that|ignore that|disregard that|i already did|already done|it's (?:already )?done|that's (?:already )?done|actually,? no(?:[.,!]|$)|no,? don't(?: (?:bother|worry|do (?:it|that))|[.,!]|$)|don't (?:bother|worry about (?:it|that))|i don't (?:have|need) to(?: (?:do (?:it|that))|[.,!]|$))/i;

/** Matches an unfinished sentence that ends in a phrase: "remind me to", "I have to call". A segment may end there. */
const unended =
  /\b(?:remind me (?:to|about|that)|don't forget(?: to)?|(?:need|have|got|ought) to|gotta|must|should|please|can you|could you)(?: \w+)?$/i;

/** Joins a sentence with the same speaker's next sentence, if the next sentence corrects or completes it. */
const joined = (text: string, next: string): string => {
  if (isCorrection(next)) return `${text.replace(/[.!…,]+$/u, '')}, ${next}`;
  return unended.test(text) ? `${text} ${next}` : text;
};

/**
 * Finds tasks that a speaker accepted or asked for. Tasks with the same topic are listed once. Questions, conditions,
 * denials, statements about the past, and immediate actions do not count as tasks. A sentence with "I'll" counts only
 * if it names a date. If the wearer's voice is known, only the wearer's commitments and the requests of others count.
 */
export const actionItemsOf = (
  sentences: readonly Sentence[],
  context: { readonly startedAt: Date; readonly timeZone: string; readonly conversationId: string },
): ActionItem[] => {
  const wearerKnown = sentences.some((sentence) => sentence.isUser);
  const items: { item: ActionItem; topic: ReadonlySet<string>; index: number }[] = [];
  let read = 0;
  for (const [index, sentence] of sentences.entries()) {
    const last = items.at(-1);
    if (last && index - last.index <= 2 && takenBack.test(withApostrophes(sentence.text))) {
      while (items.at(-1)?.index === last.index) items.pop();
      continue;
    }
    if (items.length === atMost || read > mostRead) continue;
    const next = sentences[index + 1];
    const text = next?.speakerId === sentence.speakerId ? joined(sentence.text, next.text) : sentence.text;
    const saidAt = new Date(context.startedAt.getTime() + sentence.start * 1000);
    const tasks = tasksIn(text, {
      next: next?.speakerId === sentence.speakerId ? next.text : '',
      own: !wearerKnown || sentence.isUser,
      asked: !wearerKnown || !sentence.isUser,
      at: saidAt.getTime(),
      timeZone: context.timeZone,
    });
    if (tasks === null) continue;
    read += text.length;
    const said = isoUtc(saidAt);
    for (const { text: description, due } of tasks) {
      const topic = contentOf(description);
      const known = items.some(
        (other) =>
          (other.index !== index && overlap(other.topic, topic) > 0.74) ||
          other.item.description === description,
      );
      if (known || items.length === atMost) continue;
      items.push({
        topic,
        index,
        item: {
          description,
          completed: false,
          created_at: said,
          updated_at: said,
          due_at: due === null ? null : isoUtc(new Date(due)),
          completed_at: null,
          conversation_id: context.conversationId,
        },
      });
    }
  }
  return items.map(({ item }) => item);
};
