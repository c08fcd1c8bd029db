import type { Schema, SchemaDataset } from './schema'

/** What a table of people is called. */
export const PERSON =
  /^(?:person|people|employee|staff|customer|client|user|member|doctor|patient|author|researcher|agent|holder|student|instructor|teacher|professor|player|driver|seller|salesperson|broker|trader|owner|buyer|manager|worker|contact|artist|actor|director|reviewer|tenant|guest|resident|passenger|applicant|participant|attendee|visitor|donor|consultant|hyresgast|gast|boende|kund|medarbetare|anstalld|konsult|lakare|saljare|elev|forfattare|personal|deltagare|besokare|givare)s?$/
export const isPeopleTable = ({ words }: SchemaDataset): boolean =>
  words.some((word) => PERSON.test(word) || PERSON.test(word.replace(/(?:er|ar|or|na)$/, '')))
/** The only table of people, which "people" means. */
export function onlyPeople({ datasets }: Schema): SchemaDataset | undefined {
  const [only, other] = datasets.filter(isPeopleTable)
  return other ? undefined : only
}
