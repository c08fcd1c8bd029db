import { when, type Check } from './account'
import { conditionsOf, type PlanFacts } from '../score/plan-facts'
import { isSellingTable } from '../schema/business-terms'
import { isYesNo } from '../schema/schema'
import type { Context } from '../plan/context'
import { isExistsFilter } from '../../../../shared/query/plan'

const SHARE = /(?<=^| )(?:percent|percentage|share|proportion|fraction|procent|andel|andelen)(?= |$)/
/** A share is a part of the rows over all of them: only its upper half has the condition. */
export const checkShares: Check = ({ source, plan, facts }) => {
  if (!SHARE.test(source.replaceAll(/<[mv]\d+>/g, ' '))) return []
  return when(
    plan.measures.every(({ kind }) => kind !== 'ratio' && kind !== 'calc') && !/"percent"/.test(facts.text),
    'no share is asked for',
  )
}

/** Every value that stands beside the others with "or" is an alternative in the plan. */
export const checkAlternatives: Check = ({ source, facts }) =>
  when(
    /<v\d+>[^.?]* (?:or|eller) [^.?]*<v\d+>/.test(source) && !facts.hasAlternatives && facts.negatives < 2,
    '“or” is not asked for',
  )

const GRADES =
  /(?<=^| )(?:good|bad|popular|common|frequent|frequently|often|next|previous|prior|running|cumulative|successfully|successful|currently|recently|usually|busiest|busy|loyal|repeat|returning|active|inactive|new|old|young)(?= |$)/g
/** Words of degree that no rule knows and that a plan says by a ranking or a value only. */
export const checkGrades: Check = ({ source, facts, plan, context }) =>
  [...source.matchAll(GRADES)].flatMap(([word]) =>
    when(
      !facts.texts.some((text) => text.toLowerCase().includes(word.slice(0, 6))) &&
        !(/^(?:common|popular|frequent|often)/.test(word) && plan.sort?.some(({ by }) => 'measure' in by) === true) &&
        !(/^(?:currently|active|inactive|running)$/.test(word) && isAsItStands(facts, context)) &&
        plan.limit === undefined &&
        !/"compare":"(?:previous|year)"/.test(facts.text) &&
        context.encoded.dates.length === 0,
      `“${word}” is not asked for`,
    ),
  )

const PRESENT = /(?<=^| )(?:now|right now|today|at the moment|nu|just nu|idag|i dag)(?= |$)/
/** "Work here now": how things stand where rows say when they ended, which everybody who ever did is not. */
export const checkPresently: Check = ({ plan, facts, context: { schema, home, words } }) => {
  if (!PRESENT.test(words)) return []
  const period = plan.period && schema.column(plan.period.field.dataset, plan.period.field.column)
  const ends = home.columns.some(({ isDate, words: own }) => isDate && own.some((word) => ENDS.test(word)))
  const isHad = /\b(?:have|has|there|har vi|finns(?: det)?) (?:right )?(?:today|now|idag|i dag|nu|just nu)\b/.test(
    words,
  )
  // Bookings and orders of today are those of that day, however their day is called.
  const areEvents = !ends && (period?.source.type === 'datetime' || isSellingTable(home))
  return [
    ...when(isHad && plan.period !== undefined && !areEvents, 'how many there are, and not of that day'),
    ...when(ends && !/"op":"(?:empty|notEmpty|column|ge|le|gt|lt)"/.test(facts.text), 'whether they still are'),
    ...when(period?.words.some((word) => BEGINS.test(word)) === true && !areEvents, 'whether they are, or began then'),
  ]
}
const ENDS = /^(?:end|ended|terminat\w*|left|leav\w*|quit|cancel\w*|churn\w*|\w*slut\w*|uppsagd\w*|utflytt\w*)$/
const BEGINS = /^(?:start\w*|hire|hired|since|join\w*|begin|began|signed|anstalld|anstallning\w*|inflytt\w*)$/

/** A column that says how things stand, of yes or no, or the day that ended them. */
const isAsItStands = ({ fields, text }: PlanFacts, { schema }: Context): boolean =>
  /"op":"(?:empty|notEmpty)"/.test(text) ||
  fields.some(({ dataset, column }) => {
    const found = schema.column(dataset, column)
    return found !== undefined && isYesNo(found)
  })
/** "Still employed" is a condition, however it is known. */
export const checkLasting: Check = ({ source, facts }) =>
  when(
    /(?<=^| )(?:still|fortfarande)(?= |$)/.test(source) && facts.texts.length === 0 && facts.negatives === 0,
    '“still” is not asked for',
  )

/** What tells rows apart is in each of them: that it is missing asks for nothing. */
export const checkKeysThere: Check = ({ plan, context: { schema } }) =>
  conditionsOf(plan).flatMap(({ column, condition }) => {
    const found = schema.column(column.dataset, column.column)
    return when(
      condition.op === 'empty' && found?.isKey === true && found.isUnique,
      `${found?.source.label ?? ''} is never missing`,
    )
  })

/** "Orders over 1000" told by lines of orders: the amount of one line is not that of its order. */
export const checkWholes: Check = ({ plan, context: { schema } }) => {
  const isOfLines = plan.measures.some((measure) => {
    if (measure.kind !== 'column' || measure.agg !== 'countDistinct' || !measure.field) return false
    const column = schema.column(measure.field.dataset, measure.field.column)
    return column?.source.role === 'id' && !column.isUnique
  })
  const isCut = conditionsOf(plan).some(
    ({ column, condition }) =>
      /^(?:gt|ge|lt|le)$/.test(condition.op) && schema.column(column.dataset, column.column)?.isAdditive === true,
  )
  return when(isOfLines && isCut, 'a limit of single lines')
}

/** "With more than 3 orders and an amount above 10": of each order, or of all of them, is not said. */
export const checkLimitsOfBoth: Check = ({ plan, source, context: { schema, home } }) => {
  const isCounted = plan.having?.some(({ measure }) => {
    const counted = plan.measures[measure]
    return counted?.kind === 'column' && counted.agg === 'count'
  })
  const isCut = conditionsOf(plan).some(({ column, condition }) => {
    const found = schema.column(column.dataset, column.column)
    return /^(?:gt|ge|lt|le)$/.test(condition.op) && column.dataset === home.id && found?.isNumeric === true
  })
  return when(
    isCounted === true && isCut && /<m\d+> (?:and|och) (?:with |med )?(?:an? |the |en |ett )?<m\d+>/.test(source),
    'a limit of each row, or of all of them',
  )
}

/** "With a rating above 4" of what is rated many times: by anybody, or on average. */
export const checkRatings: Check = ({ plan, context: { schema } }) =>
  plan.filters.flatMap((filter) =>
    isExistsFilter(filter)
      ? filter.filters.flatMap((inner) =>
          isExistsFilter(inner)
            ? []
            : when(
                inner.any.some(({ op }) => /^(?:gt|ge|lt|le)$/.test(op)) &&
                  schema
                    .column(inner.field.dataset, inner.field.column)
                    ?.words.some((word) => /^(?:rating|ratings|stars|betyg)$/.test(word)) === true,
                'by anybody, or on average',
              ),
        )
      : [],
  )

const UNITS =
  /\bin (?:(?<small>cents|ore|thousands|millions|billions|tusental|miljoner)|(?<time>minutes|hours|days|weeks|months|years|seconds|minuter|timmar|dagar|sekunder)|(?<money>dollars|usd|eur|euros?|sek|kronor|gbp|pounds))\b/
/** A unit that figures are wanted in is the one they have, or one the plan reckons in. */
export const checkUnits: Check = ({ source, facts, context }) => {
  const found = UNITS.exec(source)?.groups
  if (!found) return []
  const labels = facts.fields
    .map(({ dataset, column }) => context.schema.column(dataset, column)?.words.join(' ') ?? '')
    .join(' ')
  // Whole amounts may be cents: the unit that is asked for is known by a currency or by decimals.
  if (found['money'] !== undefined)
    return facts.measured.flatMap((field) => {
      const column = context.schema.column(field.dataset, field.column)
      const isWhole = column?.source.type === 'integer' && column.source.format.style !== 'currency'
      return when(
        isWhole && /^amounts?$/.test(column.words.join(' ')),
        `whether ${column?.source.label ?? ''} is in ${found['money'] ?? ''} is not known`,
      )
    })
  if (found['small'] !== undefined) return [`“${found['small']}” is not reckoned in`]
  if (found['time'] !== undefined) {
    const unit = found['time'].replace(/s$/, '')
    return when(
      !facts.text.includes(`"unit":"${unit}"`) &&
        !labels.includes(unit.slice(0, 3)) &&
        !/"op":"(?:divide|multiply)"[^}]*\}?.*"kind":"number"/.test(facts.text) &&
        !/\b(?:last|past|next|first)\b/.test(source),
      `“${found['time']}” is not reckoned in`,
    )
  }
  return []
}

const TOTAL = /^(?:total|totalt|totals|summa|belopp|amount|total (?:amount|price|cost)|totalpris|totalsumma)$/
/** "Cost the most" of rows that have a total, and a cost that is only a part of it. */
export const checkPartsOfTotals: Check = ({ plan, facts, context: { schema, home, ask, encoded } }) => {
  const total = home.columns.find(({ isNumeric, words }) => isNumeric && TOTAL.test(words.join(' ')))
  const isOfCost =
    /^(?:expensive|costly|priciest|cheapest|dyraste|billigaste)$/.test(ask.rank?.adjective ?? '') ||
    encoded.mentions.some(
      ({ words, matches: [best] }) => /^(?:costs?|kostnad\w*)$/.test(words) && (best?.score ?? 1) < 0.9,
    )
  if (!total || !isOfCost) return []
  return [...facts.measured, ...(plan.columns ?? [])].flatMap((field) => {
    const column = schema.column(field.dataset, field.column)
    if (!column || column.dataset !== home.id || column === total) return []
    return when(
      column.words.some((word) => /cost|kostnad/.test(word)),
      `${total.source.label}, or only ${column.source.label}`,
    )
  })
}

const PER_UNIT =
  /(?<=^| )per (?:kg|kilo|ton|km|mil|mile|m2|kvm|liter|litre|hour|timme|minute|minut|person|capita|head|guest|gast|employee|anstalld)(?= |$)/
/** "The price per kilo" is one figure over another. */
export const checkPerUnits: Check = ({ source, plan, facts, context }) =>
  when(
    PER_UNIT.test(source) &&
      !/"kind":"(?:ratio|grouped)"|"op":"divide"/.test(facts.text) &&
      plan.dimensions.every(({ grain }) => grain === undefined) &&
      // "Price per kg" may be the very heading.
      !facts.fields.some(
        ({ dataset, column }) => context.schema.column(dataset, column)?.words.includes('per') === true,
      ),
    'one figure over another',
  )
const AVERAGED = /(?<=^| )(?:average|avg|mean|genomsnitt\w*|snitt\w*|medel\w*|median\w*|typical|per|on average)(?= |$)/
/** An average is told only where one was asked for, or where adding up would say nothing. */
export const checkAverages: Check = ({ source, plan, context }) => {
  if (AVERAGED.test(source) || /<m\d+>/.test(source) === false) return []
  // A term may be an average by what it is defined as.
  if (context.encoded.mentions.some(({ matches: [best] }) => best?.ref.kind === 'term')) return []
  return plan.measures.flatMap((measure) => {
    if (measure.kind !== 'column' || measure.agg !== 'avg' || !measure.field) return []
    const column = context.schema.column(measure.field.dataset, measure.field.column)
    return when(column?.isAdditive === true, 'nobody asked for an average')
  })
}

/** "Average hours per employee per month": of the rows of each month, or of what each month comes to. */
export const checkAveragesOfUnits: Check = ({ source, plan, context: { encoded, schema } }) => {
  const [, at] =
    /(?:average|avg|mean|genomsnittlig\w*|snitt\w*) (?:total )?<m\d+> (?:per|by|for each|each|and|och) <m\d+> (?:(?:per|by|for each|each|and|och|,) )*<d(\d+)>/.exec(
      source,
    ) ?? []
  const [measure] = plan.measures
  const field = measure?.kind === 'column' && measure.agg === 'avg' ? measure.field : undefined
  const isOfUnits = at !== undefined && encoded.dates[Number(at)]?.kind === 'grain'
  return when(
    isOfUnits && field !== undefined && schema.column(field.dataset, field.column)?.isAdditive === true,
    'the average of rows, or of what they come to',
  )
}
