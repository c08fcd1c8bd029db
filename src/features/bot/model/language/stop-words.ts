/** Words that structure a question and name nothing of the data: never looked up by themselves. */
const STRUCTURE =
  'a an the of in on at to for from by with without and or not no nor as is are was were be been being am do does did has have had having will would should can could may might must shall this that these those there here it its itself they them their theirs he she his her hers him we us our i me my you your who whom whose which what when where why how than then so such if else while also only just very too both either neither each every all any some none much many more most less least few fewer several between among across per via into onto over under above below up down out off about against during before after since until within along through ever never yet already still again please kindly vad vilka vilken vilket hur manga mycket och eller inte av pa i till fran med utan for som ar var den det de en ett har hade vi jag du kan ska finns alla per varje nar vem nagot nagon nagra anything anyone anybody att alltsa dvs bara har fran nu idag oss hos mer fler mindre farre er ni dem sig man detta dessa dar sa'.split(
    ' ',
  )
/** Words that ask, order, count or say what kind of thing is meant; rules read them, or they add nothing. */
const ASKING =
  'show list give return display find get tell provide present report calculate compute determine identify retrieve fetch output print name names count number total totals sum average avg mean median maximum max minimum min highest lowest largest smallest biggest greatest fewest top bottom best worst first last order ordered sort sorted rank ranked ranking ascending descending asc desc alphabetical alphabetically group grouped unique distinct different same result results row rows rader raderna record records table tables column columns field fields value values data database dataset answer entry entries information info detail details query question note including include includes included inclusive excluding exclude excluded exclusive following respectively overall entire whole based terms term using use used join joined joining left inner starting start ends end ending begin beginning latest newest earliest oldest recent recently current currently today now date dates day days week weeks month months quarter quarters year years time times period percentage percent proportion share ratio rate difference amount amounts visa lista ge antal antalet totalt totala summa medel genomsnitt snitt genomsnittligt genomsnittliga genomsnittlig hogst lagst storst minst flest farst hogsta lagsta storsta minsta sorterat topp bast samst fordelat uppdelat mest'.split(
    ' ',
  )
/** Verbs and adjectives that join things which stand beside them, and add no condition of their own. */
const HARMLESS =
  'men got gets jobbat jobbade jobba korde kor kort korts bokfordes bokforts bokfort la lade dygnet gar gick ger gav haft nagonsin sortimentet sortiment blev bli blir blivit vart var vara deras egna egen planned scheduled planerade inplanerade da tog tar tagit lang langa langt lange but counting log logged logging tracked loggat loggade loggad nedlagd nedlagda arbetad arbetade arbetat haft fatt behover behovs utveckla utvecklas utvecklats utvecklades utvecklat develop develops developed look looked versus vs compared compare produce produces produced supply supplies supplied manufacture manufactures mention mentions mentioned won win wins collected charged gained obtained accumulated stor stort salt salda kopt kopta handlat lasted lasting lasts distribution breakdown overview summary fordelning bor bodde finns gjorde gjordes gjorts gjort kopte kopt kopts saldes salts salde fick fatt ligger heter arbetar jobbar tillhor kommer kom registrerats registrerades rapporterat rapporterats rapporterade rapporterades rapporteras skickades skickats lagts lagt lades betalade betalt betalats hette fanns ingar ingick anvandes anvants skrev skrevs publicerades boende baserade done lie lies lay meters metres meter kilometers kilometres kilograms grams centimeters feet inches miles degrees showing displaying listing returning giving providing broken according regarding concerning considering respect split compute figure figures values member members typen sorten kg km cm represent represents represented express expressed located live lives living based situated found made make makes making sold sell sells selling bought buy buys buying purchased paid pay pays received receive receives given gave gives taken take takes took held hold holds holding own owns owned belong belongs belonging contain contains containing serve serves served serving offer offers offered offering work works worked working teach teaches taught teaching enroll enrolled enrolling attend attends attended attending write writes wrote written publish published publishes post posted posts cite cited cites citing occur occurs occurred happen happened happens take place placed places create created creates add added adds set perform performed performing run runs issued issue file filed submit submitted process processed handle handled associated related corresponding respective linked connected involved assigned registered recorded reported available existing known called named titled labeled labelled spend spent earn earned earns earning generate generated generates bring brought sum worth come comes came go goes went visit visited treated treat treating prescribed diagnosed used provided delivered shipped sent send sends travel flow flows flowing run through pass passes border borders bordering capita exist exists existed listed shown considered counted appear appears appeared joined become became need want like would know see look whats whos theres lets im ive dont doesnt didnt hasnt havent isnt arent wasnt werent well good high low large small big long short many popular common frequent frequently often usually total individual single particular specific certain given separate separately together combined overall across worldwide globally company companies business our ours us everything anything something one ones person people thing things kind kinds sort types type case cases way ways part parts rest others other another else next previous prior past cumulative running order doing employed employment stayed successfully so far ordering per capita regardless whether because due able most recently ever actual actually exact exactly approximately about around roughly full fully complete completely each return returns plus minus times divided multiplied dollars dollar usd eur euros sek kronor kr ones'.split(
    ' ',
  )
const structure = new Set(STRUCTURE)
const asking = new Set(ASKING)
const harmless = new Set(HARMLESS)

/** Never part of a name by itself, neither first nor last of one. */
export const isStructureWord = (word: string): boolean => structure.has(word)
/** Has a meaning of its own in a question: as a name only where the whole name is said. */
export const isAskingWord = (word: string): boolean => asking.has(word)
/** Leaves nothing out when it is not read. */
export const isHarmless = (word: string): boolean => structure.has(word) || asking.has(word) || harmless.has(word)

const NUMBER_WORDS =
  'zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen twenty'.split(
    ' ',
  )
const SWEDISH_NUMBERS = 'noll en tva tre fyra fem sex sju atta nio tio elva tolv'.split(' ')
const COUNTING = new Set(
  'than least most exactly past last top bottom first previous over under only senaste minst mer'.split(' '),
)
/** "three" as 3; "one" only where something is counted. */
export function numberOfWord(word: string, before: string | undefined): number | null {
  const english = NUMBER_WORDS.indexOf(word)
  const at = english >= 0 ? english : SWEDISH_NUMBERS.indexOf(word)
  if (at < 0) return null
  if (at <= 1 || word === 'sex') return COUNTING.has(before ?? '') ? at : null
  return at
}
