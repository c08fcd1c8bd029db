/** Months by their names in the languages of the Nordic countries and the larger ones beside them, whole and shortened. */
const NAMES: readonly string[] = [
  'jan january januari januar janvier janv enero ene gennaio gen tammikuu tammikuuta',
  'feb february februari februar febr février févr fév fevrier febrero febbraio helmikuu helmikuuta',
  'mar march mars maart mrt märz mär maerz marts marzo maaliskuu maaliskuuta',
  'apr april avril avr abril abr aprile huhtikuu huhtikuuta',
  'may maj mai mei mayo maggio mag toukokuu toukokuuta',
  'jun june juni juin junio giugno giu kesäkuu kesäkuuta',
  'jul july juli juillet juil julio luglio lug heinäkuu heinäkuuta',
  'aug august augusti augustus août aout agosto ago elokuu elokuuta',
  'sep sept september septembre septiembre settembre syyskuu syyskuuta',
  'oct okt october oktober octobre octubre ottobre ott lokakuu lokakuuta',
  'nov november novembre noviembre marraskuu marraskuuta',
  'dec dez dic déc des december dezember desember décembre decembre diciembre dicembre joulukuu joulukuuta',
]
const MONTHS: ReadonlyMap<string, number> = new Map(
  NAMES.flatMap((names, i) => names.split(' ').map((name): [string, number] => [name, i + 1])),
)
/** Days of the week by their whole names, and as English, Swedish, Danish and Norwegian shorten them. */
const WEEKDAYS: ReadonlySet<string> = new Set(
  [
    'monday tuesday wednesday thursday friday saturday sunday mon tue tues wed weds thu thur thurs fri sat sun',
    'måndag tisdag onsdag torsdag fredag lördag söndag mån tis ons tor tors fre lör sön',
    'måndagen tisdagen onsdagen torsdagen fredagen lördagen söndagen',
    'mandag tirsdag onsdag torsdag fredag lørdag søndag tir tirs lør søn',
    'montag dienstag mittwoch donnerstag freitag samstag sonnabend sonntag',
    'maandag dinsdag woensdag donderdag vrijdag zaterdag zondag',
    'lundi mardi mercredi jeudi vendredi samedi dimanche',
    'lunes martes miércoles jueves viernes sábado domingo',
    'lunedì martedì mercoledì giovedì venerdì sabato domenica',
    'maanantai tiistai keskiviikko torstai perjantai lauantai sunnuntai',
    'maanantaina tiistaina keskiviikkona torstaina perjantaina lauantaina sunnuntaina',
  ].flatMap((names) => names.split(' ')),
)
/** Short forms that are words or names besides: a point or comma follows where they are days. */
const MARKED_WEEKDAYS: ReadonlySet<string> = new Set(
  [
    'mo di mi do fr sa so die mit don sam son',
    'ma wo vr za zo maa din woe don vri zat zon',
    'lun mer jeu ven dim mié jue vie sáb dom gio sab man',
    'ti ke to pe la su',
  ].flatMap((names) => names.split(' ')),
)

/** 1–12 of a month's name, whole or shortened. */
export const monthByName = (name: string): number | null => MONTHS.get(name.toLowerCase()) ?? null

const FIRST_WORDS = /^(\p{L}{2,14})(\.?,?) (?:(?:den|the|le) )?(?=.)/iu
const ARTICLE = /^(?:den|the|le) (?=\d)/iu
/** A date without the day of the week before it: `Mon, 15 Jan 2024`, `måndag den 15 januari 2024`. */
export function withoutWeekday(text: string): string {
  const [all = '', name = '', mark = ''] = FIRST_WORDS.exec(text) ?? []
  const word = name.toLowerCase()
  const isWeekday = WEEKDAYS.has(word) || (mark !== '' && MARKED_WEEKDAYS.has(word))
  if (isWeekday && monthByName(word) === null) return text.slice(all.length)
  return text.replace(ARTICLE, '')
}
