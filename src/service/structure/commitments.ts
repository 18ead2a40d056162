import { type ActionItem, isoUtc } from '../../store/conversation-record.js';
import { type Period, periodsIn } from './dates.js';
import { contentOf, overlap } from './ranking.js';
import type { Sentence } from './sentences.js';
import { firstStatement } from './spoken.js';
import { taskTitle } from './task-title.js';

const atMost = 20;
/** Characters in which dates are searched, because the search is slow. */
const mostDated = 20_000;
const mostWords = 20;

/** Verbs of tasks: what can be done and then is done. */
const act =
  '(?:add|apply|arrange|ask|assemble|bake|book|bring|build|buy|call|cancel|change|check|charge|clean|close|collect|complete|confirm|contact|cook|copy|create|delete|deliver|deploy|deposit|discuss with|draft|drop|e-?mail|exchange|file|fill|find|finalise|finalize|finish|fix|follow up|forward|get|give|hand|hang|help|hire|install|invite|invoice|launch|lend|mail|make|measure|message|move|mow|order|organise|organize|pack|paint|pay|phone|pick|plan|post|prepare|present|print|publish|purchase|put|read|register|renew|rent|repair|replace|remove|reply|reschedule|research|reserve|return|review|rewrite|ring|schedule|sell|send|set up|ship|show|sign|sort|start|submit|switch|take|tell|test|text|transfer|translate|turn in|update|upload|visit|wash|water|wrap|write)';
const pause = '(?:really |still |also |just |probably |definitely |actually |then |quickly )?';
const own = (pattern: string): RegExp => new RegExp(pattern, 'i');

interface Phrase {
  readonly said: RegExp;
  /** Whether only something with a date is a task. */
  readonly dated?: boolean;
  /** Whether a verb of `act` makes it one without a date, too. */
  readonly acting?: boolean;
}

/** Phrases with which a speaker takes on a task or asks the device to note one. The text after the phrase is the task. */
const ownTask: readonly Phrase[] = [
  {
    said: /\bremind me (?:again )?(?:that (?:i|we) (?:have to|need to|should|must) |that |about |of |to )?(?<task>.+)/i,
  },
  { said: /\b(?:don't|do not|never|can't|mustn't) (?:let me )?forget (?:that |about |to )?(?<task>.+)/i },
  { said: /\bnote to self[,:]? (?<task>.+)/i },
  { said: /\b(?:make|take) a note (?:to|that|of) (?<task>.+)/i },
  { said: /\badd (?<task>.+) to (?:my|the|our) (?:\w+ )?(?:list|to-?dos?)\b/i },
  { said: /\bput (?<task>.+) on (?:my|the|our) (?:\w+ )?(?:list|to-?dos?)\b/i },
  { said: /\bto-?do[:,] (?<task>.+)/i },
  { said: /^(?:and |so |also |then |okay,? |please,? )*remember to (?<task>.+)/i },
  {
    said: own(
      `\\b(?:i|we) ${pause}(?:need|have|ought|must remember|promised|(?:am|are) supposed) to (?<task>.+)`,
    ),
    acting: true,
  },
  { said: own(`\\bi(?:'m| am) supposed to (?<task>.+)`), acting: true },
  { said: /\b(?:i|we)(?:'ve| have) got to (?<task>.+)/i, acting: true },
  { said: own(`\\b(?:i|we) ${pause}(?:must|gotta) (?<task>.+)`), acting: true },
  { said: /\b(?:i|we)(?:'d| had) better (?<task>.+)/i, acting: true },
  { said: own(`\\b(?:i|we) should ${pause}(?<task>${act}\\b.+)`) },
  {
    said: own(
      `\\b(?:i'll|i will|we'll|we will|i can|i shall) ${pause}(?:go and |try to |make sure to )?(?<task>${act}\\b.+)`,
    ),
    dated: true,
  },
  { said: own(`\\b(?:i'm|i am|we're|we are) (?:going to|gonna) ${pause}(?<task>${act}\\b.+)`), dated: true },
  { said: own(`\\bi promise (?:i'll|i will|to|that i'll) (?<task>${act}\\b.+)`) },
  { said: own(`\\blet me (?<task>${act}\\b.+)`), dated: true },
];

/** Phrases that ask another person for something: a task of the wearer only when another person says them. */
const askedTask: readonly Phrase[] = [
  { said: own(`\\b(?:can|could|would|will) you (?:please |maybe |also )?(?<task>${act}\\b.+)`) },
  { said: own(`^(?:and |so |also |then |okay,? )*please,? (?<task>${act}\\b.+)`) },
  { said: own(`\\byou (?:need|have) to (?<task>${act}\\b.+)`), acting: true },
  { said: own(`\\bmake sure (?:you |to |that you )(?<task>${act}\\b.+)`) },
];

/** Figures of speech such as "I have to say" and "I'll call it a day", which are not tasks. */
const idle =
  /^(?:(?:say|admit|confess|tell you|be|been|know|think|believe|understand|see|agree|disagree|wonder|hope|deal with|imagine|reali[sz]e|remember that|make (?:it|sure|sense|do)|take (?:it|that|care|a (?:look|break|seat|breath|nap))|put up|get (?:it|there|going|up|to|on|in|out|back|home|off|used|over|through|better|some (?:sleep|rest)|the point)|give (?:it|up|you|in)|show you|find (?:out|it)|call it|check it out|start (?:over|again|with|by)|tell (?:me|them that)|move on|turn (?:it|that)|pick (?:one|you)|change (?:it|my|your) mind|ask (?:you|myself|yourself)|pay attention|give me a (?:second|minute|moment)|help (?:you|it|me)|bring up)\b|(?:go|leave|run|live)(?: now)?$)/i;

/** What makes a sentence suppose, deny or tell of the past, when it stands before the phrase. */
const supposed =
  /\b(?:if|unless|imagine|suppose|wish|would have|could have|should have|might|maybe|perhaps|whenever|every time|used to|whether|do|does|did|don't|doesn't|didn't|didn't we|never|not|(?:he|she|they|who|people|everyone) (?:said|says|think|thinks|thought|told|claims)|told me|was like|remember when|back then|yesterday|last (?:week|month|year|night)|when (?:i|we) (?:was|were|had)|ago)\b(?! forget)[^.]*$/i;
const past =
  /\b(?:yesterday|last (?:week|month|year|night|monday|tuesday|wednesday|thursday|friday|saturday|sunday)|\bago|already|back then|used to)\b/i;
/** What takes back the task that was said before. */
const takenBack =
  /^(?:oh,? |no,? |wait,? |actually,? |ah )*(?:never ?mind|scratch that|forget (?:it|that|about it)|cancel that|strike that|i already did|already done|it's done|that's done)\b/i;

/** "Send you the contract" is read by the one who sends it. */
const asNoted = (task: string): string =>
  task
    .replace(
      /^(send|give|bring|show|get|e-?mail|forward|lend|text|mail|hand) you (?=(?:the|a|an|my|our|that|this|some|those|these|all|it|both|\d)\b)/i,
      '$1 ',
    )
    .replace(/\b(?:you guys|you)\b/gi, 'them')
    .replace(/\byour\b/gi, 'their');

interface Found {
  readonly task: string;
  readonly due: number | null;
}

const questions =
  /^(?:(?:when|why|how|what|who|where|which) )?(?:do|does|did|should|shall|must|have|are|am|is|was|were)\b|^(?:why|what if|how come)\b/i;

/** The task of a sentence. `datesIn` finds its dates, within the bound on what is searched. */
const taskIn = (
  sentence: Sentence,
  wearerKnown: boolean,
  datesIn: (text: string) => Period[],
): Found | null => {
  const mine = !wearerKnown || sentence.isUser;
  const asked = !wearerKnown || !sentence.isUser;
  const { text } = sentence;
  const question = /\?\s*$/.test(text) || questions.test(text);
  for (const [phrases, requests] of [
    [mine ? ownTask : [], false],
    [asked ? askedTask : [], true],
  ] as const) {
    for (const { said, dated, acting } of phrases) {
      const match = said.exec(text);
      if (!match || (question && !requests && !/\bforget|remind\b/i.test(match[0]))) continue;
      if (supposed.test(text.slice(0, match.index)) || past.test(match[0])) continue;
      const statement = firstStatement(match.groups!.task!);
      const description = taskTitle(requests ? statement : asNoted(statement));
      const words = description.split(' ').length;
      if (
        words < 2 ||
        words > mostWords ||
        idle.test(description) ||
        /\bnot\b/i.test(description.slice(0, 4))
      )
        continue;
      // A date may stand in the same sentence behind the statement, or before the phrase.
      const periods = [...datesIn(statement), ...datesIn(text)];
      const period =
        periods.find(({ day }) => day) ?? periods.find(({ dated: exact }) => exact) ?? periods[0];
      if (dated && !period) continue;
      if (acting && !period && !new RegExp(`^${act}\\b`, 'i').test(description)) continue;
      return { task: description, due: period?.start ?? null };
    }
  }
  return null;
};

/**
 * Tasks that a speaker took on or asked for, one for each sentence and topic. Questions, conditions, denials, the past, and what
 * is done at once make none; "I'll" needs a date. When the wearer's voice is known, only the wearer's own commitments and the
 * requests of others count.
 */
export const actionItemsOf = (
  sentences: readonly Sentence[],
  context: { readonly startedAt: Date; readonly timeZone: string; readonly conversationId: string },
): ActionItem[] => {
  const wearerKnown = sentences.some((sentence) => sentence.isUser);
  const items: { item: ActionItem; topic: ReadonlySet<string>; speaker: number; index: number }[] = [];
  let searched = 0;
  for (const [index, sentence] of sentences.entries()) {
    const last = items.at(-1);
    if (last && index - last.index <= 2 && takenBack.test(sentence.text)) {
      items.pop();
      continue;
    }
    if (items.length === atMost) continue;
    const saidAt = new Date(context.startedAt.getTime() + sentence.start * 1000);
    const datesIn = (text: string): Period[] => {
      searched += text.length;
      return searched > mostDated ? [] : periodsIn(text, saidAt, context.timeZone);
    };
    const found = taskIn(sentence, wearerKnown, datesIn);
    if (!found) continue;
    const topic = contentOf(found.task);
    if (items.some((other) => overlap(other.topic, topic) > 0.74 || other.item.description === found.task))
      continue;
    const said = isoUtc(saidAt);
    items.push({
      topic,
      speaker: sentence.speakerId,
      index,
      item: {
        description: found.task,
        completed: false,
        created_at: said,
        updated_at: said,
        due_at: found.due === null ? null : isoUtc(new Date(found.due)),
        completed_at: null,
        conversation_id: context.conversationId,
      },
    });
  }
  return items.map(({ item }) => item);
};
