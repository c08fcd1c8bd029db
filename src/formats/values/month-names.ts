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
const WEEKDAYS =
  'mon tue wed thu fri sat sun mån tis ons tor fre lör sön man tir lør søn mo di mi do fr sa so die mit don sam lun mer jeu ven dim mié jue vie sáb dom maa din woe vri zat zon'
const WEEKDAY = new RegExp(`^(?:(?:${WEEKDAYS.replaceAll(' ', '|')})\\p{L}{0,8})$`, 'iu')

/** 1–12 of a month's name, whole or shortened. */
export const monthByName = (name: string): number | null => MONTHS.get(name.toLowerCase()) ?? null

const FIRST_WORDS = /^(\p{L}{2,12})\.?,? (?:(?:den|the|le) )?(?=.)/iu
const ARTICLE = /^(?:den|the|le) (?=\d)/iu
/** A date without the day of the week before it: `Mon, 15 Jan 2024`, `måndag den 15 januari 2024`. */
export function withoutWeekday(text: string): string {
  const first = FIRST_WORDS.exec(text)
  const word = first?.[1] ?? ''
  if (first && monthByName(word) === null && WEEKDAY.test(word)) return text.slice(first[0].length)
  return text.replace(ARTICLE, '')
}
