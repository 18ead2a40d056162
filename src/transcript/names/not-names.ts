const words = (list: string): ReadonlySet<string> => new Set(list.trim().split(/\s+/));

/**
 * Capitalised words that follow introductions but are not names: nationalities, faiths, parties, star signs, forms
 * of address, moods, and function words.
 */
const listed = words(`
  afghan african albanian algerian american amish anglican arab arabian argentine argentinian armenian asian aussie australian austrian azeri
  bahamian bangladeshi baptist basque bavarian belarusian belg belgian belizean bengali bolivian bosnian brazilian brit british briton buddhist bulgarian burmese
  californian cambodian cameroonian canadian caribbean catalan catholic caucasian chechen chilean chinese christian colombian congolese cornish
  creole croat croatian cuban cypriot czech danish dane dominican dutch ecuadorian egyptian english eritrean estonian ethiopian eurasian european
  evangelical filipina filipino finn finnish flemish floridian french gambian georgian german ghanaian greek guatemalan guyanese haitian hawaiian
  hebrew hindu hispanic honduran hungarian icelandic indian indonesian iranian iraqi irish islamic israeli italian jain jamaican japanese jew jewish
  jordanian kashmiri kazakh kenyan korean kosovar kurd kurdish kuwaiti lao laotian latina latino latinx latvian lebanese liberian libyan lithuanian
  londoner lutheran macedonian malagasy malay malaysian maltese maori mauritian mennonite methodist mexican moldovan mongolian montenegrin mormon moroccan muslim
  namibian native navajo nepalese nepali nigerian nordic norse norwegian orthodox pakistani palestinian panamanian paraguayan parisian persian peruvian
  polish portuguese presbyterian protestant punjabi quaker quebecois romanian russian rwandan salvadoran samoan saudi scandinavian scot scots scottish
  senegalese serb serbian shia sicilian sikh singaporean sinhalese slav slavic slovak slovene slovenian somali spaniard spanish sudanese sunni swede
  swedish swiss syrian taiwanese tamil tanzanian texan thai tibetan tongan tunisian turk turkish ugandan ukrainian unitarian uruguayan uzbek venezuelan
  vietnamese viking welsh yemeni yorkshire zambian zimbabwean yank yankee southerner northerner midwesterner berliner agnostic atheist
  republican democrat democratic tory labour liberal conservative libertarian marxist communist socialist independent
  aries taurus gemini cancer virgo libra scorpio sagittarius capricorn aquarius pisces
  monday tuesday wednesday thursday friday saturday sunday january february march july september october november december today tomorrow tonight
  christmas easter halloween thanksgiving ramadan hanukkah diwali
  mr mrs ms dr prof professor doctor sir madam captain sergeant officer president director manager chief head senior junior ceo cto cfo coo vp hr it pm
  team gen generation type level grade number group class version option plan room seat gate player side chapter part day week phase stage zone unit
  god jesus santa satan batman superman spiderman spartacus groot hamlet legend nobody somebody someone everyone anybody anyone everybody one
  mom mum mommy mummy mother dad daddy father grandma grandpa granny auntie uncle honey babe baby dear darling sweetheart sweetie boss buddy dude bro sis pal mate
  crazy maybe stupid old lazy weird names later back now again soon anytime
  ok okay sorry fine tired happy sure not just so very the your in on at a an and or but of for from with to by up down out off over under into about as if than then there here
  this that these those what who where when why how which it he she they we you me him her us them my his our their its i im ive is am are was were be been being
  good great well bad better best worse worst alright right wrong ready done late early busy free glad sad mad angry hungry thirsty sick ill cold hot warm bored lost
  afraid scared worried nervous curious confused pleased proud grateful thankful honest serious certain aware able like likely only also still even always never
  really actually basically literally kind sort all both each every some any no none more most much many few little less least too enough quite rather almost already
  yet ever once twice home away alone alive dead asleep awake drunk sober single married divorced engaged pregnant vegan vegetarian gluten diabetic allergic
  autistic bisexual gay lesbian straight trans queer deaf blind left-handed right-handed retired unemployed self-employed freelance new young big small short tall
  slow fast quick strong weak poor rich broke full empty open closed local foreign public private online offline live remote
  let get go come do does did have has had can could will would shall should may might must say said says
  english-speaking google apple microsoft amazon facebook instagram twitter netflix uber android linux windows alexa siri cortana
  london paris berlin rome madrid dublin tokyo moscow texas california america england scotland ireland france germany spain italy china india russia brazil mexico
  canada australia japan europe africa asia customer support reception sales security tech marketing accounting information
  argentina austria belgium bolivia bulgaria cambodia cameroon chile colombia congo croatia denmark ecuador egypt estonia ethiopia fiji finland ghana greece guatemala haiti honduras
  hungary iceland indonesia iran iraq jamaica kazakhstan kosovo kuwait laos latvia lebanon liberia libya lithuania luxembourg malaysia malta mongolia morocco mozambique namibia nepal netherlands
  nicaragua nigeria norway oman pakistan palestine panama paraguay peru philippines poland portugal qatar romania rwanda senegal serbia singapore slovakia slovenia somalia sudan sweden switzerland
  syria taiwan tanzania thailand tunisia turkey uganda ukraine uruguay venezuela vietnam wales yemen zambia zimbabwe amsterdam athens atlanta bangkok barcelona beijing belfast birmingham brussels bucharest
  budapest calgary chennai copenhagen delhi detroit dubai edinburgh frankfurt glasgow hamburg havana helsinki istanbul jakarta karachi kiev kyiv lagos leeds lima lisbon lyon melbourne miami montreal mumbai munich
  nairobi nashville naples osaka oslo ottawa philadelphia prague queensland seattle seoul shanghai stockholm toronto vancouver venice warsaw wellington zurich hollywood manhattan queens bronx
  spotify youtube tiktok snapchat whatsapp skype zoom slack ikea tesco walmart starbucks mcdonalds nike adidas samsung sony toyota ford honda bmw tesla volvo disney pixar nintendo playstation xbox vodafone verizon fedex ups dhl airbnb
  paypal visa mastercard vogue forbes cnn bbc nasa linkedin pinterest reddit wikipedia chatgpt siri lego pepsi coke fanta wimbledon radio channel episode series season mister missus customer spartan
  avatar dracula frankenstein cinderella pinocchio sherlock gandalf frodo voldemort hercules zeus thor hulk wolverine deadpool joker catwoman elmo shrek gollum yoda romeo juliet macbeth othello spiderman
  mother-in-law father-in-law born type-a level-headed top bottom upstairs downstairs outside inside overseas abroad underage overdue overjoyed devastated stuffed knackered gutted chuffed
  zen chill pumped stoked hyped psyched blessed billing dispatch maintenance housekeeping delivery
  southern northern eastern western mandarin cantonese swahili hindi urdu farsi arabic dialect
  fluent keen due sold qualified capable fond full-time part-time unable unsure present absent first-time halfway clueless hopeless useless brilliant gorgeous pregnant popular famous hungover speechless
  gujarati cherokee apache sioux navajo zulu yoruba igbo hausa han aztec inca jedi vulcan gryffindor slytherin hufflepuff ravenclaw arsenal liverpool everton
  manchester yankees lakers celtics navy army marine marines harvard stanford oxford cambridge yale princeton mensa ivy-league introvert extrovert hungover
  iron captain-america nurse teacher lawyer engineer accountant plumber electrician pilot student waiter waitress chef coach pastor rabbi dentist surgeon
  mechanic firefighter secretary owner founder co-founder landlord tenant chairman chairwoman minister mayor governor member employee python java bluetooth
  brooklyn boston chicago houston-based york yorker angeleno queer nonbinary non-binary vaccinated covid flu blood tech-savvy
  half part quarter pure mixed native proud former ex first second third next last pro anti bilingual trilingual lucky sleepy grumpy cranky dizzy shy guilty healthy picky moody
  handy nosy cozy comfy chilly dirty messy lonely jealous neutral normal special usual legal loyal mental vocal
  nederlander nederlandse duitser duitse vlaming brit français française belge suisse allemand allemande anglais anglaise italien italienne espagnol espagnole américain américaine
  español española mexicano mexicana argentino argentina colombiano colombiana cubano cubana italiano italiana tedesco tedesca francese inglese americano americana spagnolo
  brasileiro brasileira português portuguesa polakiem polką niemcem czechem čech češka slovák slovenka pražák moravák němec polák svensk norsk dansk
  вас вам бог сам tanrı ya türk alman
`);

/** Words that match `alike` but are names. */
const names = words(`
  adrian alan brian bryan cyprian cillian killian damian damien dorian fabian florian gillian jillian ian julian lilian lillian lucian marian maximilian octavian sebastian
  tatian vivian aidan dean gene jean kean sean bean diego trish hamish ashish manish satish girish harish danesh elish
  fred ted ned jed ed alfred wilfred winifred mildred jared ahmed mohammed muhammed hamed syed zayed khaled waleed saeed rasheed reed ahmad red obed hamid
  loic loïc meiling yiling zhiling irving sterling ming ling bing jing ping ting qing xing ying ning king harding manning hastings channing
  emily lily kelly molly sally billy holly polly beverly kimberly carly shelly willy ally elly milly dolly everly carrolly lilly tilly nelly kimberley wally reilly riley
  eric erik dominic frederic cedric ulric ludovic patric vic mic nic ric alaric zeljic kendric aric olive clive joan sloan marguerite
  therese denise elise louise reese cerise lise
`);

/** Matches typical endings of nationalities, participles, adjectives and adverbs. */
const alike =
  /(?:[bcdfghlmnprstvwxz]ian|ean|ese|ish|ican|lander|wegian|ing|ed|ly|ist|ness|tion|ic|ous|ful|ive|able|ible|oan|ite|less)$/u;

/** Two-letter initials that are used as names. */
const initials = /^(?:AJ|BJ|CJ|DJ|EJ|JB|JC|JD|JJ|JP|JR|JT|KC|KJ|LJ|MJ|PJ|RJ|TJ)$/u;

/**
 * Returns true if a word after an introduction is not a name.
 * @param titled whether a title precedes the word. After a title, a word that only ends like an adjective is a name
 * ("Doctor Lindqvist").
 */
export const isNoName = (word: string, titled = false): boolean => {
  if (/['’]s$|['’]$|^\p{Lu}['’]?m$/u.test(word)) return true;
  if (/^\p{Lu}{2,}$/u.test(word)) return !initials.test(word);
  const low = word.toLowerCase();
  return listed.has(low) || (!titled && alike.test(low) && !names.has(low));
};
