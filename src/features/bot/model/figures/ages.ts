import { dayFromIso, addMonths, isoFromDay } from '../../../../shared/dates'
import { fieldOf, Unreadable, type Context } from '../plan/context'
import type { Aggregate } from '../../../../shared/query/functions'
import type { Expr } from '../../../../shared/query/expression'
import type { Measure } from '../../../../shared/query/plan'
import type { Encoded } from '../parse/encoded'
import type { Schema, SchemaColumn, SchemaDataset } from '../schema/schema'

const BORN = /^(?:birth|birthday|birthdate|born|dob|fodd|fodelse|fodelsedag|fodelsedatum)$/
/** The one day on which those of a table were born, where it says it. */
export function birthDay({ columns }: SchemaDataset): SchemaColumn | undefined {
  const [only, other] = columns.filter(({ isDate, words }) => isDate && words.some((word) => BORN.test(word)))
  return other ? undefined : only
}

const number = (value: number): Expr => ({ kind: 'number', value })
const call = (fn: 'year' | 'month' | 'day' | 'if', ...items: Expr[]): Expr => ({ kind: 'function', fn, items })
/** Whole years between the day of birth and today: one less until the birthday has come. */
export function ageOf(context: Context, agg: Aggregate): Measure {
  const born = birthDay(context.home)
  if (!born) throw new Unreadable('no_metric', 'Nothing says when they were born.')
  const day: Expr = { kind: 'field', field: fieldOf(born) }
  const [year = 0, month = 1, date = 1] = context.calendar.today.split('-').map(Number)
  const dayOfYear: Expr = {
    ...{ kind: 'binary', op: 'add', right: call('day', day) },
    left: { kind: 'binary', op: 'multiply', left: call('month', day), right: number(100) },
  }
  const isToCome: Expr = { kind: 'compare', op: 'gt', left: dayOfYear, right: number(month * 100 + date) }
  const years: Expr = { kind: 'binary', op: 'subtract', left: number(year), right: call('year', day) }
  context.assumptions.push(`Age: whole years from ${born.source.label} to ${context.calendar.today}.`)
  return {
    ...{ kind: 'expression', agg },
    row: { kind: 'binary', op: 'subtract', left: years, right: call('if', isToCome, number(1), number(0)) },
  }
}
const COMPARED =
  /(?<=^| )(?:(older|younger|aldre|yngre) (?:than|an)|(?<=(?:are|is|ar) )(over|under)) (\d{1,3})(?: (?:years|years old|ar))?(?= ?(?:$|[?.,]|and |och |in |i |who |som |by |per |<))/
/** "Members older than 60": born before such a day, where nothing says how old they are. */
export function turnAges(text: string, encoded: Encoded, { schema, today }: { schema: Schema; today: string }): string {
  const saysAge = schema.datasets.some(({ columns }) =>
    columns.some(({ words }) => words.some((word) => /^(?:age|alder)$/.test(word))),
  )
  const [born, other] = schema.datasets.flatMap((table) => birthDay(table) ?? [])
  if (saysAge || !born || other) return text
  return text.replace(COMPARED, (_, than: string | undefined, beside: string | undefined, years: string) => {
    const isOlder = /^(?:older|aldre|over)/.test(than ?? beside ?? '')
    // Who turned so old today is no younger than that, and not older yet.
    const birthday = addMonths(dayFromIso(today) ?? 0, -12 * Number(years))
    const ref = { kind: 'column' as const, dataset: born.dataset, column: born.key }
    const at = encoded.mentions.push({
      ...{ words: 'born', matches: [{ ref, score: 1 }], isTypo: false },
      ...{ namesDate: true, namesNumber: false, namesYesNo: false },
    })
    const spec = isOlder ? { to: isoFromDay(birthday - 1) } : { from: isoFromDay(birthday + 1) }
    return `<m${at - 1}> <d${encoded.dates.push({ kind: 'open', ...spec }) - 1}>`
  })
}
