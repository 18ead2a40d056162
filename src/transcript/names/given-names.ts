const words = (list: string): ReadonlySet<string> => new Set(list.trim().split(/\s+/));

/** Frequent given names of many countries, in lower case. Names that are also English words are in `alsoWords`. */
const given = words(`
  aaliyah aanya aarav aaron abby abdel abdul abdullah abdulrahman abe abel abena abhishek abigail abiola abraham achieng ada adaeze adam adama adanna
  addison ade adeel adela adele adeola adil aditi aditya adnan adrian adriana adrien afia afonso agata agatha agnes agnieszka agustin ahmad ahmed
  ahmet aida aidan aiden aigerim aiko aileen aimee ainhoa aino aisha aishah aisling aisyah ajay akash akemi akiko akira akosua akshay akua alain alan
  alana alasdair alastair albert alberto alec alejandra alejandro aleksander aleksandra aleksei alena alessandra alessandro alessia alex alexa
  alexander alexandra alexandre alexandria alexei alexis alfie alfonso alfred alfredo ali alice alicia alina alisha alison alistair aliyah allan
  allison alma alonso alvaro alvin alyona alyssa ama amadou amahle amaia amaka amal amanda amandine amara amare amari amelia amelie amina aminata amir
  amira amit amita amrita amy ana anahera anais anand ananya anastasia anatol anatoly anaya anders andre andrea andreas andreea andrei andres andrew
  andrey andrius andriy andrzej andy anette angela angelica angelina angelo angie angus anh ania anika anil anish anita anja anjali anke ann anna
  annabel annabelle annalisa anne annemarie annette annie annika anouk ansel anselm anthony antje antoine antoinette anton antonella antonia antonio
  anuj anushka anwar aoibhinn aoife apolline aran arash archie arda ariana arianna ariel aritra arjun arlene arlo armando arnar arnaud arne arnold
  aroha artem arthur arturo artyom arun arvid arvind asa asad asha ashanti asher ashley ashok ashraf asif asma astrid athena atsuko aubree aubrey
  audrey aurelia aurelie aurora ava avery avi avraham axel aya ayaan ayaka ayan ayesha ayla ayo ayse ayumi azra babak babatunde bao barbara barbora
  baris barnaby barry bart bartosz bashir basia bastien bayani bea beatrice beatrix beatriz becca becky behrouz bela belinda bella ben benedict
  benedikt benicio benjamin benji bennett benny bente bernadette bernard bernardo bernd bernie bert bertha beth bethany beto betsy bettina betty bev
  beverley beverly bharat bianca bilal bilge billy binh birger birgit bjorn blanca bob bobbie bobby bogdan bogumila boguslaw bohdan bola bongani
  bonnie boris brad bradley bram brandon brenda brendan brent brett brian brianna bridget brielle brigitte britney britt brittany bronwyn brooke bruce
  bruno bryan bryce bryony budi bukola burak caden caio caitlin caleb callan callum calvin cameron camila camilla camille caoimhe carina carl carla
  carlo carlos carly carmen carol caroline carolyn carrie carsten carter carys casey caspar caspian cassandra cassie catalina catarina caterina
  catherine cathy catriona cecil cecile cecilia cedric celeste celia celine cem cemal cesar chandler chandra chang chantal charlene charles charley
  charlie charlotte chau cheikh chen cheng cheryl cheyenne chiamaka chiara chidi chidinma chika chinedu chinonso chioma chiyo chloe chris chrissie
  christa christel christiane christie christina christine christoph christophe christopher christy chukwuemeka cian ciara ciaran cillian cindy claire
  clara clare clarence clarissa claude claudia claudio clayton clemence clement clementine cleo clifford clint clive clyde cody colette colin colleen
  conan conchita connie connor conor conrad consuelo cooper cora coralie cordelia corentin corey corinne cormac cornelia cornelius courtney craig
  cristian cristiano cristina curt curtis cynthia cyril daan dag dagmar daiki daisuke dalia dalton damian damien damon dan dana dang dani daniel
  daniela daniele danielle danilo danny daphne dara daria darius dariush darko darlene darnell darragh darren darryl daryl dave david davide dawit
  dayo deanna deb debbie deborah declan deepa deepak deepika defne deirdre dejan delia delilah delphine demetrius demi denis denise deniz dennis derek
  dermot derrick desmond desta detlef devi diana diane diego dieter dietmar dilip dilshan dimitar dimitra dimitri dimitrios dina dinesh diogo dion
  dirk divya djamila dmitri dmitry doan dohyun dolores dom domenico dominic dominik dominika dominique donal donald donna donnacha dora doreen doris
  dorothea dorothy doug douglas duarte duc dukagjin duncan dung dushan dustin dwayne dylan eamon ebony ebru ed eddie edgar edith edmund edna edoardo
  eduard eduardo edward edwin eero efua egor eileen eilidh eino eirik eitan eivind ekaterina elaine eleanor elena eleni elham eli elia elias elif
  elijah elin elinor elio elisa elisabeth elisabetta elise eliska eliza elizabeth elke ella elle ellen ellie elliot elliott elmer elodie eloise elsa
  elsie elton elvira elvis emeka emil emile emilia emiliano emilie emilio emily emine emma emmanuel emmett emre enrico enrique enzo eoghan eoin erdem
  erica erik erika erin ernest ernesto ernst erol erwan erwin esi eskil esme esmeralda espen esperanza esra esteban estefania estelle esther eszter
  ethan etienne ettore eugene eugenia eun eva evan evangeline evelyn evgeny evie ewa ewan ezekiel ezgi ezra fabian fabio fabiola fabrice facundo fadi
  fahad faisal farah farhad farhan farid farida fatema fatima fatou fatoumata faye federica federico felicia felicity felipe felix femi femke fergus
  fernanda fernando ffion fiete filip filipa filippo finlay finn fiona flavia flavio fleur flora florian floyd folake forrest fran frances francesca
  francesco francine francis francisco francois frankie franz fraser fred freda freddie frederic frederick frederik freja freya frida friedrich fritz
  frode fumiko gabe gabor gabriel gabriela gabriella gabrielle gael gaia gail gareth garry gary gaurav gavin geir gemma genevieve geoff geoffrey
  george georgie georgina gerald geraldine gerard gerardo gerd gerda gerhard gerry gert gertrude gethin ghada gia giacomo gianluca gianna gianni
  gideon gil gilad gilbert giles gillian gina ginevra gino giorgio giorgos giovanna giovanni gisela gita giti gitta giulia giuliana giulio giuseppe
  gladys glen glenda glenn gloria goncalo gonzalo gopal goran gordon goro gosia gozde graeme graham grainne greg gregor gregory greta gretchen gro
  grzegorz guadalupe gudrun guido guillaume guillermo gulnara gunhild gunnar gunter gunther gurpreet gus gustav gustavo gwen gwendolyn habib hadi
  hadiza hafsa haider hakan hal hala haleema halina halvor hamid hamish hamza hana haneul hania hanna hannah hanne hannes hans hao haoran haris harish
  harley harold haroon harper harriet harry haruka haruki haruto harvey hasan hassan hatice hauke hayden hayley heba hector hege heidi heike heinrich
  heinz helen helena helene helga helmut hemi hendrik henning henri henrietta henrik henrique henry herbert hernan heta hideo hieu hilary hilda
  himanshu hina hiro hiroko hiroshi hoang holger hollie horst howard hubert hudson hugh hugo hui humberto hung huong hussain hussein hye hyejin hyun
  iain ian ibrahim ida idris ifeoma ignacio igor ikenna ikram ilana ilaria ilker ilona ilya imani imogen imran ina inaki ines inga inge inger ingrid
  ingvild inigo ioan ioana ioannis ira irena irene irina isaac isabel isabella isabelle isaiah isha ishaan ishita isla ismael ismail isobel istvan
  itai itsuki itziar ivan ivana ivo ivor ivy-rose iwona izabela izzy jaap jack jackie jackson jaclyn jacob jacqueline jacques jada jaden jadwiga jae
  jaime jake jakob jakub jamal james jamie jamila jan jana jane janelle janet janez janice janine janis jannik janusz jared jarek jari jarrod jasmin
  jasmine jason jasper javier jaxon jayden jayne jayson jean jeanette jeanne jeff jeffrey jelena jelle jen jenna jenni jennifer jenny jens jeremiah
  jeremy jerome jerry jesper jess jesse jessica jessie jia jiahao jiaying jihoon jill jillian jim jimena jimmy jin jindrich jing jiri jiro jisoo jitka
  jiwoo jo joachim joan joana joanna joanne joao joaquin jobe jocelyn jodie jody joe joel joelle joerg joey johan johann johanna johannes john johnnie
  johnny jolanta jon jonah jonas jonathan jonny joon joost jordi jorg jorge joris jorunn jose josef josefina joseph josephine josh joshua josiah josie
  josip joyce jozef juan juana juanita juarez judith judy juergen juha jukka jules julia julian juliana julie julien juliet juliette julio julius jun
  jung junko jurgen justin justine justyna jyoti kabir kadir kai kaitlyn kaito kalle kamal kamala kamau kamil kamila kamran kaori kara karan kare
  kareem karen kari karim karin karina karl karla karol karolina karthik kasia katalin katarina katarzyna kate katerina katharina katherine kathleen
  kathrin kathryn kathy katia katie katja katka katrin katrina katsu katy kaveh kavita kavya kay kayden kayla kaylee kayode kazimierz kazuki kazuko
  keanu keegan kehinde keiko keira keisha keith kelechi kelly kelsey kelvin kemal kemi ken kendall kendra kenji kenneth kenny kenta kerem kerry
  kerstin keshia ketut kevin khadija khaled khalid khalil khanh khoa kian kieran kiki kim kimberly kimiko kinga kiran kiri kirill kirk kirsten kirstin
  kirsty kit kiyoshi kjell kjersti klara klaus knut kobe koen kofi koji konrad koray kostas kris krishna kristen kristian kristin kristina kristine
  kristof kristoffer krystyna krzysztof ksenia kuba kumar kurt kwabena kwaku kwame kwan kwasi kweku kyle kylie kyra lachlan laila lakshmi lala laleh
  lamar lamine lan lana lara larissa larry lars lasse laszlo lata latasha latisha latoya laura lauren laurence laurent laurie lavinia lawrence layla
  lea leah leandro leanne lee leena leif leigh leila leilani leire lena lenka lennart lenny leo leon leona leonard leonardo leonie leonor leopold
  lerato leroy lesley leslie leticia letitia levi lewis lexi leyla liam liang lidia lieke liesel liisa liisi lilia lilian liliana lillian lilly lily
  lin lina linda lindiwe lindsay lindsey linh linnea lionel lisa lisbeth liv livia liz liza lizzie lloyd logan loic lois lola lonnie lora lorena
  lorenzo loretta lorna lorraine lotte lottie lou louie louis louisa louise luca lucas lucia lucian luciana lucie lucien lucinda lucy ludovic ludovica
  ludwig luigi luis luisa lukas lukasz luke luna lupe luther lutz luz lwazi lydia lyla lyn lynda lyndon lynette lynn lynne maarten mabel mac macarena
  maciej mackenzie maddie madeleine madeline mads maelle maeve magda magdalena maggie magne magnus maha mahesh mahmoud mahsa mai maisie maja makayla
  makena makoto maksim malachi malala malcolm malia malik malika mallory malte mamadou mandy manfred manish manoj manon manos manuel manuela mara marc
  marcel marcela marcella marcelo marcia marcin marco marcos marcus mareike marek margaret margarita margaux margie margit margot margriet marguerite
  mari maria mariah mariam mariama marian mariana marianne marie marieke mariela marielle marija marika marilyn marina mario marion marisa marisol
  marissa marit marius marjorie marketa marko markus marla marlene marlon marta martha martijn martin martina marvin mary marya maryam masako mason
  massimo mateo mateusz mathew mathias mathieu mathilda mathis matias matilda matilde matt matteo matthew matthias matthieu matti mattias maud maura
  maureen maurice mauricio mauro mavis max maxim maxime maximilian maximo maxine maya mbali mckenna meera megumi mehdi mehmet mehrdad mehreen mei
  meiling melanie melek melinda melissa melvin mercedes mere meredith merve mervyn meseret mette mia micah michael michaela michal michel michele
  michelle miguel mihaela mihai mika mikael mikayla mike mikhail mikkel mila milad mildred milena milica millicent millie milo milos milton mina
  minato mindy ming minh minji mira miranda mircea mirela miriam mirjam miroslav misaki misha mitchell mitra mitsuki mo moana mohamed mohammad
  mohammed mohan mohit mohsen moira molly mona monica monika monique montserrat morag morgan moritz morten moses moshe mostafa muhammad mukesh munira
  murat muriel murray musa mustafa myra myriam myrtle mysha nabil nader nadia nadine nadir nana nanami nancy nandini naoki naoko naomi narendra narges
  nasir nasrin nasser nat natalia natalie natasha nate nathalie nathan nathaniel naveed naveen navin nayeli nazli ned neda neema neeraj neha neil nell
  nellie nelson nermin ngozi nguyen nia niall niamh niccolo nicholas nick nicky nico nicola nicolas nicole niels nigel niharika nikhil nikita nikki
  niklas niko nikola nikolai nikolaos nikolas nikos niloofar niloufar nils nilufar nimisha nina nisha nishant nita njeri njoroge nkechi noah noam noel
  noelia noelle noemi nokuthula nomvula noor nora noreen norma norman nour nuno nura nuria nurlan nyah obinna oceane octavia oddvar odette oisin okan
  oksana ola olaf ole oleg oleksandr olena olga oliver olivia olivier olu oluwaseun omar omari omer omid ondrej onur oona oran oren orhan orla orlando
  osagie oscar oskar osman ossi oswald otieno otis otto oumar owain owen oya oyin oystein ozan ozlem pablo paddy padraig paloma pam pamela panos paola
  paolo parisa parvaneh parvati pascal patrice patricia patricio patrick patrik patrycja patsy patti patty paul paula paulette paulina pauline paulo
  pavel pawel payal payam pedro peggy pema penelope percy perla pete peter petr petra petros petter phil philip philippa philippe phillip phoebe
  phuong phyllis pia pierre pieter pilar piotr pippa polina pooja pooya poppy prakash pranav prasad praveen preeti pritam priti priya priyanka qasim
  quentin quincy quinn rabia rachael rachel rachid radek radu rafa rafael rafaela raffaele rafiq ragnhild rahim rahul raj raja rajesh rajiv rakesh
  ralf ralph rama ramesh rami ramiro ramon ramona rana randi rangi rania ranjit raphael raquel rasha rashad rashid rasmus raul ravi raymond razia
  razvan rebecca rebekah reggie regina reginald reiko reinhard rekha remi rena renata renate rene renee reuben rex reyhan reza rhea rhian rhiannon
  rhoda rhonda rhys ricardo riccardo richard rick ricky rico riku rin rina ringo rishi rita ritu rivka roar rob robbie robert roberta roberto robin
  robyn rocco rocio rodney rodolfo rodrigo roger rohan rohini rohit roisin roland rolf romain romeo ron ronald ronan ronnie rory rosa rosalie rosalind
  rosanna rosario roseanne rosemarie rosie roslyn ross rowan rowena roxanne roy roya ruben rudi rudolf rudy ruediger rufus rui rukmini rune rupert
  russ russell rustam ruth ryan ryo ryota saad saadia sabah sabina sabine sabrina sachin sadia sadie saeed sagal sagar sahar saif saima sajid sakura
  sal salim sally salma salman salvador salvatore sam samantha samara sami samia samina samir samira sammy samson samuel sana sanaa sandeep sander
  sandhya sandra sandrine sandro sanele sangeeta sanjay sanjeev sanna sanne santiago santino santosh saoirse sara sarah sarita sasha saskia satish
  satoshi saul savanna savita scarlett scott seamus sean sebastian sebastien seema segun selcuk selena selim selina selma sena seojun serena sergei
  sergey sergio serhat serkan seth seung sevda seyi shabana shabnam shadi shah shaheen shahid shakira shane shanice shannon shanti sharif sharon shaun
  shauna shawn sheena sheila shelby sheldon shelley sherry sheryl shigeru shira shirin shirley shiv shivani shona shoshana shota shreya shu shyam
  sibel sibusiso sid siddharth sidney siegfried sienna sigrid sigurd silas sile silje silke silvia silvio simon simona simone sina sinazo sindre
  sinead siobhan sipho sita siv sjoerd sneha sofia sofie soledad solene solomon solveig sonali sondre sonia sonja soo soojin sophia sophie sora soraya
  soren sota soumya spiros sri stacey stacy stan stanislav stanislaw stanley stavros stefan stefania stefanie stefano steffi stella stephan stephane
  stephanie stephen steve steven stewart stian stig stoyan stu stuart subhash suda sue sujin suki sultan suman sumaya sumit sunil sunita suresh surya
  susan susana susanna susanne sushma susie suzanne suzy sven svenja svetlana swati sybil syed sylvia sylvie szymon taavi tabitha tadashi tadhg taha
  tahir tahmina taiwo takashi takeshi talia tama tamara tamika tammy tamsin tane tania tanisha tanja tanvi tanya tapani tara taras tarek tariq taro
  tarun taryn tasha tatiana tatum taylor tayo ted teddy tehya tekle temitope tendai teo terence teresa tereza teri terrence terry tess tessa tetsuya
  thabo thandi thandiwe thanh thea thelma themba theo theodora theodore theresa therese thiago thibault thibaut thierry thijs thomas thorsten thulani
  thuy tia tiago tiana tiernan tiffany tigist tilda tim timo timofey timothy timur tina tino tjaart tobias toby todd todor tolga tom tomas tomasz
  tomislav tommaso tommy tomoko tomoya toni tonia tonje tony tonya tor torben tore tormod torsten torunn tova tove tracey tracy travis trent trevor
  tricia trina trinh trish trisha tristan trond trude trudy truong tsering tsubasa tuan tugba tunde tuomas turid tyler tyrell tyrone tyson uche
  uchenna udo ufuk ugo ugur ulf uli ulla ulrich ulrike uma umar umut unni ursula usha usman ute uwe uzma vaclav valencia valentin valentina valeria
  valerie vanessa vanja varun varvara vasco vasilis vasily veena velma vera verena vernon veronica veronika veronique vic vicente vicki vicky victor
  victoria vidya vihaan vijay vikas vikram viktor viktoria ville vilma vince vincent vincenzo vinod viola violeta violetta vipin virgil vishal vito
  vitor vittoria vittorio vivek vivian vivien vivienne vlad vladimir vojtech volkan wafa wai waleed walid wallace wally walt walter wambui wanda
  wangari wanjiku wanjiru warren wayne wei weiwei wendell wendy werner wes wesley whitney wiebke wil wilfred wilhelm willa willem william willie wilma
  winifred winnie winston wiremu wojciech wojtek wolfgang wout wouter wyatt xander xavi xavier xia xiao xiaohong xiaoming ximena xin xinyi xiomara
  xolani yael yan yana yang yann yannick yannis yara yaroslav yash yasin yasir yasmin yasmina yasmine yasser yehuda yelena yemi yetunde yevgeny
  yifan yigit ying yngve yohan yoko yolanda yong yoon yosef yoshi yosra yousef youssef yuan yui yuka yuki yuko yulia yuliya yuna yuri yusuf yuto
  yuxuan yvan yves yvette yvonne zach zachary zack zadie zahir zahra zaid zainab zak zaki zanele zara zbigniew zehra zeina zeki zelda zena zerina
  zeynep zhang zhanna zhen zhi zia zied zihan zina zita zlatan zodwa zoe zoey zofia zola zoltan zoran zsofia zsuzsa zuberi zuleika zuri zuzana
`);

/**
 * Given names that are also English words, places or days. They count as names only if the introduction allows no
 * other meaning.
 */
const alsoWords = words(`
  al
  adelaide amber angel april art ash asia aspen august austin autumn baron basil bay bear beau belle bill blaze blessing bliss blue boston bristol brook
  brooklyn brooks buck bud bunny cairo camden candy carolina cash chad chance charity chase chelsea cherry china chip christian chuck clay cliff colby
  colt constance crystal cuba daisy dakota dale dallas dash dawn dean denver destiny devon dick dolly don dot drew duke dusty earl eve faith fanny fay
  february fern fisher florence forest fox frank friday gale garland garnet gay gene geneva georgia german ginger glory grace grant guy hank happy hardy
  harmon harmony hart haven hazel heath heather holly honey hope houston hunter india ireland iris israel italia ivy jade january jay jet jewel jock
  jolly jordan journey joy july june justice kent kenya khan king kitty lake lance lane lark latin laurel legend lincoln london lourdes lucky madison
  march mark maverick may melody memory memphis mercy merry mickey milan miles miracle misty monday montana moss noble norm nova ocean october odessa
  olive opal paris pat patience peace peach pearl peg penny phoenix pierce pip piper poet porter precious prince prosper prudence queen rain ram ransom
  raven ray rebel reed reef reign rich ridge river rocket rocky rod roman rose rosemary royal ruby rusty sage saint sandy saturday savannah serenity
  siena skip sky skye sonny sparrow star sterling stone storm summer sunday sunny sunshine sydney tad thursday tiger trinity trip tripp troy true tucker
  tuesday unity van verona vi vienna violet virginia wade wednesday will win winter wolf woody wren young zen
`);

/** Returns the lower-case form of a word without diacritics ("raul" for "Raúl"). */
const plain = (word: string): string => word.toLowerCase().normalize('NFD').replace(/\p{M}/gu, '');

/** Whether a word, in any letter case, is a frequent given name and not also an English word. */
export const isGivenName = (word: string): boolean => {
  const low = plain(word);
  return given.has(low) || (low.includes('-') && given.has(low.slice(0, low.indexOf('-'))));
};

/** Whether a word is a given name that is also an English word, a place or a day. */
export const isAlsoWord = (word: string): boolean => alsoWords.has(plain(word));
