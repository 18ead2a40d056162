const list = (words: string): readonly string[] => words.trim().split(/\s+/);

/** Verbs of tasks in base form. They name actions that can be completed. */
const doing = list(`
  accept activate add address adjust apply approve arrange ask assemble assign attach attend back bake bathe block book borrow bring brush
  build buy calculate call cancel cash catch change charge check chop claim clean clear collect complete compare compile confirm connect
  contact convert cook copy correct create cut deactivate decide declare decorate defrost delete deliver deploy deposit descale design
  develop dig disinfect do donate download draft draw drill drive drop dry dump dust edit email empty enrol enroll enter evaluate exchange
  export extend fax feed fetch file fill finalise finalize find finish fit fix fold follow forward freeze fry fulfil fulfill gather get give
  grab groom hand hang help hire hoover host implement import inflate inform insert inspect install insure invite invoice iron issue join
  label laminate launch lend list load lock lodge lubricate mail make mark measure meet mend merge message migrate mop mount move mow nail notify oil
  order organise organize outline pack paint park paste pay peel phone photograph pick place plan plant plug polish post practice practise
  prepare present preorder prescribe print process proofread protest provide prune publish purchase put rake read rearrange rebook recharge record
  recycle redeem redo refill refund register remind remove renew rent repair repay replace reply report repot request research reschedule reserve
  reset resign respond restart restock restore retrieve return review revise rewrite ring run sand scan schedule scrub search sell send
  service settle set sew sharpen ship shop shovel show shred sign sketch solve sort speak start stock store study submit subscribe sweep swap switch
  take talk tape teach tell test text tidy tie transfer translate trim troubleshoot try turn type unload unplug unsubscribe untangle update upgrade upload use
  vaccinate vacuum validate verify visit vote walk wash watch water wax weed weigh wind wipe withdraw work wrap write drop-off pick-up
  follow-up e-mail re-order reorder resubmit resend re-send back-up double-check vet stain varnish caulk patch seal unclog unblock drain flush
  bleed winterise winterize service tune rotate refuel gas top tow wire wean deworm walk muzzle bury scatter interview onboard train brief debrief
  audit reconcile file amend appeal dispute escalate negotiate propose quote sponsor nominate elect rehearse memorise memorize grade
  correct mentor tutor babysit swab bandage soak marinate thaw grill roast boil simmer season knead butter slice grate stir pickle can jar
  thank congratulate replant repot re-pot rewire apologize apologise photocopy shorten tighten loosen rinse sterilize sterilise reboot reinstall uninstall debug refactor evict notarize
  certify legalize endorse appraise carve reheat refrigerate fertilize aerate harvest bleach fumigate insulate throw calibrate pour reschedule mulch neuter cater escort hook reach figure fly archive
  revert postpone prepone courier furnish hem knit crochet embroider alter tailor dye starch rsvp google look leave go come hand-in turn-in cover count contribute close
`);

const escaped = [...new Set(doing)].sort((left, right) => right.length - left.length).join('|');

/** Regular expression source of an action verb. */
export const act = `(?:${escaped})`;
const acts = new Set(doing);

/** Whether a word is an action verb in base form. */
export const isAct = (word: string): boolean => acts.has(word.toLowerCase());

/** Verbs of knowing, feeling, having and telling, and verbs of involuntary actions. These verbs do not state tasks. */
const notDoing = new Set(
  list(`be have know think believe see hear feel love like want need understand remember forget enjoy hate miss mind mean seem trust expect consider imagine wonder
  notice realize realise recognize recognise deserve own hold pass win lose eat drink taste smell wear keep let pretend suppose guess doubt agree ignore tolerate respect
  admire fear regret resent value prefer appreciate recall suspect assume dislike envy cost lack involve include contain resemble equal explain describe mention say spell
  define pronounce repeat picture handle stand bear face survive afford blame judge admit deny accept allow avoid risk kill break hurt hit touch push pull spend waste bet beat
  kiss hug marry date embrace control guarantee sense spot overhear skip sleep dream die live stay remain become grow celebrate learn suffer experience finally not never also
  just really probably still maybe go come hand honor honour obey serve save protect defend worship praise play sing dance hope wish use`),
);

const certain = /^(?:the|my|our|your|his|her|their|this|these|those|\p{Lu}\p{L}+)$/u;

/** Whether words begin with an action verb: a listed verb, or another verb with a definite object ("muck out the stable"). */
export const isDoing = (verb: string, [next = '', third = '']: readonly string[]): boolean => {
  if (isAct(verb)) return true;
  if (notDoing.has(verb.toLowerCase()) || !/^[a-z][a-z-]{2,}$/i.test(verb)) return false;
  return (
    certain.test(next) || (/^(?:up|out|off|by|into|over|to|down|back)$/.test(next) && certain.test(third))
  );
};

/** Action verbs that are nouns just as often. After "and", such a word counts as a verb only with an object. */
const nouns = new Set(
  list(`book call check clean change charge claim cook copy cover design do draft drill drink dry drop dust email file fill fit fix fold freeze gas grill hand help
  host interview iron issue jar label list load lock mail make mark match measure message mount move nail oil order pack paint park paste patch pay
  pick pickle place plan plant plug polish post present print process protest quote rake read record refill refund rent repair reply report
  request research reserve reset rest return review ring roast run sand scan search seal season service set shop show sign sketch slice soak
  sort stain start stock store study swab swap sweep switch talk tape test text tie top train transfer trim try tune turn type update
  upgrade use vacuum visit vote walk wash watch water wax weed wind wire work wrap dye starch boil can butter vet wipe tow back block
  board catch colour color cash list look patch remind season butter light help`),
);
export const isAlsoNoun = (word: string): boolean => nouns.has(word.toLowerCase());

/**
 * Whether a text begins with a verb of moving or trying. A second verb names the purpose of the first: "go to the shop
 * and buy milk".
 */
export const isMoving = (text: string): boolean =>
  /^(?:go|come|run|drive|walk|head|hurry|try|stop by|swing by|drop by|pop (?:in|over|down|out)|get up|sit down|wait|stay|log in|sign in|reach out)\b/i.test(
    text,
  );

/**
 * Matches idioms such as "I have to say" and "I'll call it a day", and actions that are immediate or involuntary. These
 * words do not state tasks.
 */
const idle = new RegExp(
  [
    '^(?:call me (?!(?:back|up|again|later|soon|first|tomorrow|tonight|today|this|next|at|on|in|by|when|if|as|before|after|about|once|from|please|and|or|so|with|every|any\\w*|(?:mon|tues|wednes|thurs|fri|satur|sun)day|asap|whenever|\\d)\\b)\\S+|wear(?! (?:the|my|our|a)\\b)|note(?= (?:that|there|we|i|it|our|(?:the|this) \\w+ (?:is|are|will|has)) )|have been|have (?:left|lost|missed|forgotten)|say|admit|confess|tell (?:you|me|them|him|her) (?:that|what|how|something|the truth)|tell (?:you|them)$|be|been|become|being|know|think|believe|understand|see(?! (?:if|whether|about|a|an|the|my|our|dr|mr|mrs|ms)\\b)|agree|disagree|wonder|hope|wish(?! [^,.;]{1,30} (?:a|happy|merry|good|luck)\\b)|deal with|imagine|reali[sz]e|remember that|feel|seem|stay|live|love|like|hate|want|need|mean|own|belong|exist|matter|depend|suppose|guess|assume|expect|trust|accept (?:that|it)|face it|face the facts|appreciate|respect|consider (?:myself|it)|pretend|laugh|cry|smile|breathe|sleep|eat|drink|pee|poop|sneeze|cough|sit(?! (?:it|my|our|the|an?|this|that|another) )|stand|lie down|lower (?:your|my) (?:voice|expectations|standards)|raise (?:the (?:volume|bar)|your)|rest|relax|chill|calm|concentrate|focus|hurry|wait|stop(?! (?:by|at|in|off|the|my) )|quit(?! (?:the|my) )|keep|let(?! (?:the|my|our) | (?!you\\b|me\\b)(?:[\\w-]+ ){1,4}(?:know|have|borrow|use|in|out)\\b)|listen(?! to (?:the|my|that) )|hear|pass the|pass me|repeat|excuse|forgive|apologi[sz]e(?! to)|bother|upset|offend|annoy|embarrass|disappoint|provoke|confuse|scare|worry|mind|suffer|struggle|fight|win|lose|die|grow|age|improve|change (?:my|the way|our|something|a lot)|learn (?:to|how|from|that)|lose weight|exercise more|have (?:to|a (?:look|break|word|drink|nap|seat|chat|think))|have (?:fun|faith|patience|time|money|known|been|said|done|gone|it|them|that)|go (?:now|home|away|on|there|through|back|to (?:bed|sleep|work|school|the (?:bathroom|toilet|loo|restroom))|with|for it|bathroom|crazy)|come (?:home|back|in|over|up with|to)|leave (?:now|you|it|that|early|soon)|speak (?:up|louder|slower|slowly|more)|talk (?:to|with|about) (?:you|that|this|it)|work (?:on (?:it|myself|that|this|my)|hard|harder|more|late|out|today|together|with)|try (?:it|that|this|harder|again|hard|not|to (?:be|understand|remember|think|sleep|relax|see|get|keep|stay))|run (?:now|along|away)|walk (?:away|more)|drive (?:home|slowly|carefully|slower)|watch (?:out|it|my|what|this|that|your)|look (?:at|into (?:it|that)|forward|out|after (?:myself|yourself)|like|good|up to|around)|make (?:it|sense|do|a living|ends|money|friends|up for|out)|take (?:it|that|this|care|a (?:look|break|seat|breath|nap|moment|second|minute|step)|turns|responsibility|advantage|part|place)|put up|put (?:it|that) (?:this|that|differently|another)|get (?:it|there|going|up|to|on|in(?! touch)|out|back(?! to (?!(?:sleep|bed|work|normal|it|that|the)\\b))|home|off|used|over|through|better|some (?:sleep|rest|air)|the point|along|along|away|rid|started|ready|dressed|moving|married|old|older|away with|down|a grip|my act|enough|more|closer|behind|around|lost|it together|together)|give (?:it|up|you (?:that|a hand|credit)|in|me a (?:second|minute|moment|break|hand)|myself|yourself)|show (?:you|up)|find (?:out (?:how|what|why|who)?$|it|myself|that|time|a way)|call it|check it out|check (?:this|that) out|start (?:over|again|with|by|from|somewhere)|tell (?:me|us)|move (?:on|forward|faster|now|over)|turn (?:it|that|left|right|around|off (?:the|that|this) (?:light|lights|tv|music|radio|noise)|on the (?:light|lights|tv|music|radio)|up|down|the (?:light|lights|tv|music|radio|volume))|pick (?:one|you|on)|ask (?:you|myself|yourself|why|for help|a question|something)|pay attention|help (?:you|it|me|myself|yourself|yourselves|each|one another|him|her|them)|bring (?:it up|that up)|open the (?:door|window)|close the (?:door|window)|shut (?:up|your|it)|hand (?:me (?:the|that)|it to)|stick (?:together|with|to it)|hold|do (?:is|it|that|this|so|something|anything|nothing|everything|better|more|what|as|with|well|my best|our best|the right|us|me|some(?:thing)? (?:fun|good))|cut (?:down|back|it|the (?:crap|nonsense))|drop (?:it|the (?:act|subject))|meet (?:you|again|up)|run into|keep (?:going|up|it|in|calm|quiet|moving)|grab (?:a (?:bite|seat)|lunch|dinner|coffee)|join (?:you|us|in)|come|catch (?:up(?! (?:with|on) )|my breath|you)|count (?:on|to)|cover (?:for|up)|contribute|use (?:it|your|my|the (?:bathroom|toilet|loo|restroom))|read (?:more|between|the room)|watch (?:a|the|some) (?:movie|film|game|match|show|tv|news)|pay the price|remind (?:me|you|myself|ourselves)|point out|back off|plan ahead|write home|wash my hands)(?![\\w-])',
    '^(?:go|leave|run|live|work|study|read|cook|clean|watch|look|come|start|talk|speak|try|drive|walk|decide|help|finish|pay|move|practi[cs]e|plan|meet)(?: (?:now|more|less|again|too|first|soon|early|alone|faster|hard|harder))?(?=,|$)',
  ].join('|'),
  'i',
);

/**
 * Matches verbs that state a task only if a time is named: being somewhere, going back, and doing what was mentioned.
 */
const dated =
  /^(?:wear |be (?:all |fully |completely )?(?:packed|dressed|showered|ready|gone|seated|awake|moved (?:in|out)|checked (?:in|out)|logged (?:in|on)|signed in|set up|out of|off|in bed)\b|say (?:no|yes|goodbye|hello|sorry|thanks?|thank you)\b|have (?:a (?:word|chat|look)|(?:the|my|our|this|that) \w+)\b|be (?:(?:back|out|up|down|over|home|ready) )?(?:there|here|home|back|ready|out|up|on time|online|available|(?:at|in|on|outside|inside|by|near) (?!(?:touch|love|charge|trouble|shape|control|line|the (?:mood|way|know|right|wrong|same|middle))\b)\S+)|do (?:it|that|this|them|so)\b|go (?:back|home|there|in|over|on(?! about)|through|to (?!(?:bed|sleep|the (?:bathroom|toilet|loo|restroom))\b)\S+)|come (?:home|back|in|over)\b|get (?:there|home|back|up|it|that|some|to|in|out|on|off)\b|leave (?:now|early|soon|it|that|home|work|here)?\b|take (?:it|that|this)\b|give (?:it|that)\b|talk (?:to|with) \S+|work (?:late|on)\b|start\b|try (?:it|that|again)\b|finish\b|eat (?!healthy|better|less|more)\w+|hand (?:it|that|them)\b|drop (?:it|that|them)\b|pick (?:it|them)\b|turn (?:it|that)\b|put (?:it|that) (?:out|in|on|back|away)\b|bring (?:it|that)\b|check (?:it|this|that) out\b|meet (?:again|up|him|her|them|you)\b|let you know\b|wait for \S+|stay (?:with|at|late|home|in|over|until|overnight)\b|sleep (?:at|in|over)\b|sit with\b|listen to\b|see (?!you\b)\S+|apologi[sz]e\b|help (?:it|him|her|them|you|\p{L}+)\b|(?:read|watch|learn|use|find|catch|join|hear|try|hold|keep|win|eat|drink|fight|cover|contact|face) (?:it|this|that|them|him|her|one)\b)/iu;
export const isIdle = (text: string, due: number | null): boolean =>
  idle.test(text) && !(due !== null && dated.test(text));

/**
 * Matches verbs after which "if" means "whether", so that it does not begin a condition: "check if the door is locked".
 */
export const asksWhether =
  /\b(?:ask|check|see|find out|figure out|know|confirm|decide|wonder|tell|verify|look|test|inquire|enquire|clarify|hear|learn)\b[^,;]*$/i;

/** Matches verbs that pass a message to others. The words after them are not the speaker's own task. */
export const passesOn =
  /\b(?:make sure|be sure|ensure|see to it|tell|ask|inform|let|remind|convince|explain|say|show|warn|notify|text|email|write|message|promise|assure|reply|mention|announce|confirm|note|prove|check|admit)\b[^,;.]*$/i;
