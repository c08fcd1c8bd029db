import { chosenEdges, type RelationGraph } from './relation-graph'
import { invalidPlan, queryTooComplex } from './plan-errors'
import { forwardPaths, shortestPaths } from '../../../shared/query/relation-paths'
import {
  datasetIdsOf,
  planFieldsOf,
  expressionFieldsOf,
  leafMeasuresOf,
  rowsFieldOf,
} from '../../../shared/query/plan-fields'
import type { AggregateMeasure, QueryPlan } from '../../../shared/query/plan'
import type { Field } from '../../../shared/query/field'

/** Tables that one question adds up beside each other. */
const FACTS_MAX = 5

export type FactMeasure = AggregateMeasure

/** Whose rows a plan is about. Each fact is added up on its own, so that no row counts twice. */
export interface FactDatasets {
  /** The dataset of plain counts, and of the records of a drill. */
  home: string
  /** Datasets whose rows are measured, in the order of the measures; the home alone when nothing is measured. */
  facts: string[]
  factOf(factMeasure: FactMeasure): string
}

/** @throws ProductError `invalid_input` when no dataset is named, or an expression mixes rows that do not meet */
export function factDatasetsOf(plan: QueryPlan, graph: RelationGraph): FactDatasets {
  const home = primaryDatasetOf(plan, graph)
  const factOf = (factMeasure: FactMeasure): string => factDatasetOf(factMeasure, home, graph)
  const facts = [...new Set(plan.measures.flatMap(leafMeasuresOf).map(factOf))]
  if (facts.length > FACTS_MAX) throw queryTooComplex('tables', FACTS_MAX)
  return { home, facts: facts.length > 0 ? facts : [home], factOf }
}

/** The dataset that is named; else the one whose rows point at all others that are. */
function primaryDatasetOf(plan: QueryPlan, graph: RelationGraph): string {
  if (plan.dataset !== undefined) return plan.dataset
  const [first, ...others] = datasetIdsOf(plan)
  if (first === undefined) throw invalidPlan('dataset', 'Choose a table.')
  const fields = planFieldsOf(plan)
  return others.length === 0 ? first : (commonStart(fields, graph) ?? first)
}

function factDatasetOf(factMeasure: FactMeasure, home: string, graph: RelationGraph): string {
  if (factMeasure.kind === 'column') {
    const field = rowsFieldOf(factMeasure)
    return factMeasure.dataset ?? (field ? startingDataset(field, graph) : home)
  }
  const fields = [...expressionFieldsOf(factMeasure.row), ...(factMeasure.by ? [factMeasure.by] : [])]
  if (fields.length === 0) return home
  const found = commonStart(fields, graph)
  if (found === null) throw invalidPlan('measures', 'No confirmed relationship joins these columns.')
  return found
}

/** Where the rows are that a field is asked of: its own dataset, or the beginning of the relations it names. */
const startingDataset = (field: Field, graph: RelationGraph): string =>
  chosenEdges(graph, field)?.[0]?.from.dataset ?? field.dataset

/** Of the datasets that fields start from, the one that points at all others; else the first that leads to all of them. */
function commonStart(fields: readonly Field[], graph: RelationGraph): string | null {
  const starts = [...new Set(fields.map((field) => startingDataset(field, graph)))]
  const startOf = (search: typeof shortestPaths): string | undefined =>
    starts.find((from) => starts.every((to) => search(graph.edges, { from, to, least: 0 }).length > 0))
  return startOf(forwardPaths) ?? startOf(shortestPaths) ?? null
}
