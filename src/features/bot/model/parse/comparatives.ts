import type { ComparisonOperator } from '../../../../shared/query/functions'

/** Comparatives with the superlative that says by which column, and which way they compare. */
export const COMPARATIVES: Readonly<Record<string, { adjective: string; op: ComparisonOperator }>> = {
  higher: { adjective: 'highest', op: 'gt' },
  taller: { adjective: 'tallest', op: 'gt' },
  longer: { adjective: 'longest', op: 'gt' },
  deeper: { adjective: 'deepest', op: 'gt' },
  larger: { adjective: 'largest', op: 'gt' },
  bigger: { adjective: 'biggest', op: 'gt' },
  heavier: { adjective: 'heaviest', op: 'gt' },
  older: { adjective: 'oldest', op: 'gt' },
  aldre: { adjective: 'oldest', op: 'gt' },
  yngre: { adjective: 'youngest', op: 'lt' },
  'more expensive': { adjective: 'expensive', op: 'gt' },
  lower: { adjective: 'lowest', op: 'lt' },
  shorter: { adjective: 'shortest', op: 'lt' },
  smaller: { adjective: 'smallest', op: 'lt' },
  lighter: { adjective: 'heaviest', op: 'lt' },
  younger: { adjective: 'youngest', op: 'lt' },
  cheaper: { adjective: 'cheapest', op: 'lt' },
}
